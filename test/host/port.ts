/**
 * The extension's end of a port, for tests: frames cut and put together by the same rules, everything heard kept in order,
 * and waiting for the first message that fits.
 */
import type { Readable, Writable } from "node:stream";
import type { FromHost, HostMethod, ToHost } from "../../src/bridge/native.ts";
import { createInflow, createOutflow } from "../../src/bridge/native-flow.ts";
import { parseFromHost } from "../../src/bridge/native-parse.ts";
import { createMessageReader } from "../../src/host/port/framing.ts";

export interface TestPort {
  readonly heard: FromHost[];
  /** Whole frames of a run, put together. */
  frames(run: number): readonly string[];
  say(message: ToHost): void;
  raw(bytes: Buffer): void;
  open(server: string, run: number): Promise<FromHost>;
  send(server: string, run: number, frame: string): void;
  ask(method: HostMethod, params?: unknown): Promise<FromHost>;
  /** The first message that fits, heard already or to come. */
  until<T extends FromHost>(fits: (message: FromHost) => message is T): Promise<T>;
  frame(run: number, index?: number): Promise<string>;
  closed(run: number): Promise<Extract<FromHost, { kind: "closed" }>>;
  /** While held, no credit is given. */
  hold(held: "held" | "flowing"): void;
  close(): void;
}

export function createTestPort(input: Writable, output: Readable): TestPort {
  const heard: FromHost[] = [];
  const frames = new Map<number, string[]>();
  const inflows = new Map<number, ReturnType<typeof createInflow>>();
  const outflows = new Map<number, ReturnType<typeof createOutflow>>();
  let waiting: (() => void)[] = [];
  let holding = false;
  let asks = 0;
  const reader = createMessageReader((value) => {
    const message = parseFromHost(value);
    if (!message) throw new Error(`The host said something that is no message: ${JSON.stringify(value).slice(0, 200)}`);
    take(message);
    if (message.kind !== "frame" && message.kind !== "chunk") heard.push(message);
    const now = waiting;
    waiting = [];
    for (const look of now) look();
  });
  output.on("data", (bytes: Buffer) => reader.push(bytes));
  input.on("error", () => {});

  const port: TestPort = {
    heard,
    frames: (run) => frames.get(run) ?? [],
    say(message) {
      raw(encoded(message));
    },
    raw,
    open(server, run) {
      port.say({ kind: "open", server, run });
      return port.until(
        (message): message is FromHost =>
          (message.kind === "opened" || message.kind === "closed") && message.run === run,
      );
    },
    send(server, run, frame) {
      const flow = outflows.get(run) ?? createOutflow();
      outflows.set(run, flow);
      flow.push(frame);
      drain(server, run);
    },
    ask(method, params = null) {
      asks += 1;
      const ask = asks;
      port.say({ kind: "ask", ask, method, params });
      return port.until((message): message is FromHost => message.kind === "answer" && message.ask === ask);
    },
    async until(fits) {
      for (;;) {
        const found = heard.find(fits);
        if (found && fits(found)) return found;
        await change();
      }
    },
    async frame(run, index = 0) {
      for (;;) {
        const found = port.frames(run)[index];
        if (found !== undefined) return found;
        await change();
      }
    },
    closed: (run) =>
      port.until(
        (message): message is Extract<FromHost, { kind: "closed" }> => message.kind === "closed" && message.run === run,
      ),
    hold(held) {
      holding = held === "held";
    },
    close: () => input.end(),
  };
  return port;

  function change(): Promise<void> {
    return new Promise((resolve) => waiting.push(resolve));
  }

  function raw(bytes: Buffer): void {
    input.write(bytes);
  }

  function take(message: FromHost): void {
    if (message.kind === "credit") {
      outflows.get(message.run)?.credit(message.units);
      drain(message.server, message.run);
    }
    if (message.kind !== "frame" && message.kind !== "chunk") return;
    const { server, run, text } = message;
    const inflow = inflows.get(run) ?? createInflow();
    inflows.set(run, inflow);
    const taken = inflow.take(text, message.kind === "frame" || message.last);
    if (taken.kind === "frame") frames.set(run, [...(frames.get(run) ?? []), taken.text]);
    const units = holding ? 0 : inflow.done(text.length);
    if (units > 0) port.say({ kind: "credit", server, run, units });
  }

  function drain(server: string, run: number): void {
    const flow = outflows.get(run);
    for (let part = flow?.take(); part; part = flow?.take()) {
      if (part.whole) port.say({ kind: "frame", server, run, text: part.text });
      else port.say({ kind: "chunk", server, run, text: part.text, last: part.last });
    }
  }
}

function encoded(message: unknown): Buffer {
  const body = Buffer.from(JSON.stringify(message));
  const head = Buffer.alloc(4);
  head.writeUInt32LE(body.length);
  return Buffer.concat([head, body]);
}
