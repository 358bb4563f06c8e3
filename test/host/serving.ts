/** A port in a folder of the test's own, with child processes that do what their names say. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach } from "vitest";
import { NATIVE_PROTOCOL } from "../../src/bridge/native.ts";
import { NotAllowed, type ServePorts, serve } from "../../src/host/port/serve.ts";
import { createTestPort } from "./port.ts";

const CHILD = new URL("children/child.mjs", import.meta.url).pathname;

let folder = "";

/** Call it once in a file of tests. */
export function inOwnFolder(): void {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "navra-serve-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
}

const notes = () => join(folder, "pids");

/** Servers are named for what they do. */
export function serving(change: Partial<ServePorts> = {}) {
  const input = new PassThrough();
  const output = new PassThrough();
  const state = { groups: 0, now: 1_000_000, log: [] as string[], waits: [] as number[] };
  const over = serve(input, output, {
    version: "0.1.0",
    plan: async (server) => {
      if (server === "unknown") throw new NotAllowed("not-listed", "It is not in the list.");
      const env = { PATH: process.env.PATH ?? "" };
      return { program: process.execPath, args: [CHILD, server, notes()], cwd: folder, env, verbatim: false };
    },
    spellOut: (sentence) => sentence,
    answer: async (ask, servers) => (ask.method === "log" ? servers.log("errors-for-ever") : servers.restart("exits")),
    warden: {
      began: () => {
        state.groups += 1;
      },
      ended: () => {
        state.groups -= 1;
      },
    },
    log: (line) => state.log.push(line),
    keep: () => {},
    now: () => state.now,
    after(ms, run) {
      state.waits.push(ms);
      state.now += ms;
      queueMicrotask(run);
      return () => {};
    },
    graces: { inputClosedMs: 200, terminatedMs: 200 },
    ...change,
  });
  const port = createTestPort(input, output);
  port.say({ kind: "hello", protocol: NATIVE_PROTOCOL, version: "0.1.0" });
  return { port, over, state, input, output };
}

export const call = (id: number, params: object = {}) => JSON.stringify({ jsonrpc: "2.0", id, method: "x", params });

/** Processes that a child noted and that are there. */
export function left(): number[] {
  if (!existsSync(notes())) return [];
  return readFileSync(notes(), "utf8")
    .split("\n")
    .filter(Boolean)
    .map(Number)
    .filter((pid) => {
      try {
        return process.kill(pid, 0) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
      } catch {
        return false;
      }
    });
}

export async function until(fits: () => boolean): Promise<void> {
  while (!fits()) await new Promise((resolve) => setTimeout(resolve, 20));
}
