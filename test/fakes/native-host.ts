/** A native host that answers questions from a table, as the browser's port shows it to the extension. */
import { type HostAsk, type HostMethod, NATIVE_PROTOCOL, type ToHost } from "../../src/bridge/native.ts";
import type { NativeBrowser, RawPort } from "../../src/platform/worker/native-session.ts";
import { createFakeClock } from "./clock.ts";

export type Answers = Partial<Record<HostMethod, (params: unknown) => unknown>>;

export interface FakeNativeHost {
  readonly browser: NativeBrowser;
  readonly asked: Pick<HostAsk, "method" | "params">[];
  /** Everything it was told. */
  readonly heard: ToHost[];
  /** Says something of its own, such as the end of a run. */
  say(message: object): void;
}

/** An answer that throws is a problem; a question without an answer stays open. Without answers there is no host at all. */
export function createFakeNativeHost(answers: Answers | undefined): FakeNativeHost {
  const asked: FakeNativeHost["asked"] = [];
  const heard: ToHost[] = [];
  let listener: (message: unknown) => void = () => {};
  const say = (message: object) => queueMicrotask(() => listener(message));
  const hear = (message: ToHost) => {
    heard.push(message);
    if (message.kind === "hello") {
      say({ kind: "hello", protocol: NATIVE_PROTOCOL, version: "0.1.0", node: "v20.1.0", platform: "linux" });
    }
    if (message.kind === "ask") answer(message);
  };
  const answer = ({ ask, method, params }: HostAsk) => {
    asked.push({ method, params });
    try {
      const result = answers?.[method]?.(params);
      if (result !== undefined) say({ kind: "answer", ask, result });
    } catch (problem) {
      say({ kind: "answer", ask, problem: (problem as Error).message });
    }
  };
  const port: RawPort = {
    onMessage: {
      addListener: (added) => {
        listener = added;
      },
    },
    onDisconnect: { addListener() {} },
    postMessage: (message) => hear(structuredClone(message) as ToHost),
    disconnect() {},
  };
  return {
    asked,
    heard,
    say,
    browser: {
      version: "0.1.0",
      clock: createFakeClock(),
      disconnectReason: () => "",
      connect() {
        if (!answers) throw new Error("Specified native messaging host not found.");
        return port;
      },
    },
  };
}
