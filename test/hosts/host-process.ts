/** The native host as a browser holds it: a process with messages of a length and JSON on either side, in Node. */
import { spawn } from "node:child_process";
import type { RawPort } from "../../src/platform/worker/native-session.ts";

const CALLER = "chrome-extension://alojfnnadgbneekkmjpbjaibclkemhdj/";

export interface HostProcess extends RawPort {
  readonly pid: number;
  readonly ended: Promise<void>;
}

export function startHost(launcher: string, environment: Readonly<Record<string, string>> = {}): HostProcess {
  const child = spawn(launcher, [CALLER], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, ...environment },
  });
  const messages: ((message: unknown) => void)[] = [];
  const ends: ((port: unknown) => void)[] = [];
  let parts: Buffer[] = [];
  let have = 0;
  let need = -1;
  child.stdout.on("data", (data: Buffer) => {
    parts.push(data);
    have += data.length;
    for (;;) {
      if (have < (need < 0 ? 4 : need)) return;
      const whole = parts.length === 1 ? (parts[0] ?? data) : Buffer.concat(parts);
      const size = need < 0 ? 4 : need;
      const taken = whole.subarray(0, size);
      parts = [whole.subarray(size)];
      have -= size;
      if (need < 0) {
        need = taken.readUInt32LE(0);
        continue;
      }
      need = -1;
      const message: unknown = JSON.parse(taken.toString());
      for (const listener of messages) listener(message);
    }
  });
  const ended = new Promise<void>((resolve) => {
    child.once("close", () => {
      for (const listener of ends) listener({});
      resolve();
    });
  });
  child.stdin.on("error", () => undefined);
  return {
    pid: child.pid ?? 0,
    ended,
    onMessage: { addListener: (listener) => messages.push(listener) },
    onDisconnect: { addListener: (listener) => ends.push(listener) },
    postMessage(message) {
      const body = Buffer.from(JSON.stringify(message));
      const head = Buffer.alloc(4);
      head.writeUInt32LE(body.length);
      child.stdin.write(head);
      child.stdin.write(body);
    },
    disconnect: () => child.stdin.end(),
  };
}
