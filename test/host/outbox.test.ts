/** The host's side of the port: fair between runs, short words first, nothing written while the browser is behind. */
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import type { FromHost } from "../../src/bridge/native.ts";
import { createOutflow, PART_UNITS } from "../../src/bridge/native-flow.ts";
import { createMessageReader } from "../../src/host/port/framing.ts";
import { createOutbox, fitting } from "../../src/host/port/outbox.ts";

function boxed() {
  const output = new PassThrough({ highWaterMark: 1 });
  const heard: FromHost[] = [];
  const reader = createMessageReader((value) => heard.push(value as FromHost));
  const outbox = createOutbox(output);
  return {
    heard,
    outbox,
    lane(run: number) {
      const out = createOutflow();
      return { out, mouth: outbox.open({ tag: { server: "one", run }, out, relieved: () => {} }) };
    },
    /** Lets the browser read so many messages. */
    async read(count: number) {
      while (heard.length < count) {
        const bytes = output.read() as Buffer | null;
        if (bytes) reader.push(bytes);
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

const runs = (heard: readonly FromHost[]) => heard.map((message) => ("run" in message ? message.run : 0));

describe("The outbox", () => {
  it("takes one part of each run after the other", async () => {
    const { heard, outbox, lane, read } = boxed();
    const [one, two] = [lane(1), lane(2)];
    one.out.push("a".repeat(PART_UNITS * 3));
    two.out.push("b");
    two.out.push("c");
    outbox.ready();
    await read(5);
    expect(runs(heard)).toEqual([1, 2, 1, 2, 1]);
  });

  it("lets short words of its own go before parts that wait", async () => {
    const { heard, outbox, lane, read } = boxed();
    const one = lane(1);
    one.out.push("a".repeat(PART_UNITS * 3));
    outbox.ready();
    outbox.say({ kind: "answer", ask: 1, result: null });
    await read(4);
    expect(heard.map((message) => message.kind)).toEqual(["chunk", "answer", "chunk", "chunk"]);
  });

  it("says the last word of a run after all its parts, and then nothing", async () => {
    const { heard, outbox, lane, read } = boxed();
    const one = lane(1);
    one.out.push("a".repeat(PART_UNITS * 2));
    one.mouth.last({ kind: "closed", server: "one", run: 1, reason: "exited", message: "x", stderr: [] });
    one.mouth.stderr(["late"]);
    outbox.ready();
    await read(4);
    expect(heard.map((message) => message.kind)).toEqual(["chunk", "chunk", "stderr", "closed"]);
    one.mouth.stderr(["later"]);
    outbox.say({ kind: "answer", ask: 1, result: null });
    await read(5);
    expect(heard.at(-1)?.kind).toBe("answer");
  });

  it("keeps error output that nobody reads to the lines that fit, the newest", async () => {
    const { heard, outbox, lane, read } = boxed();
    const one = lane(1);
    outbox.say({ kind: "answer", ask: 1, result: "fills the pipe" });
    for (let count = 0; count < 5000; count += 1) one.mouth.stderr([`${count} ${"x".repeat(1900)}`]);
    await read(2);
    const said = heard[1];
    if (said?.kind !== "stderr") throw new Error("Error output was expected.");
    expect(said.lines.at(-1)).toMatch(/^4999 /);
    expect(said.lines.length).toBeLessThan(40);
  });

  it("refuses, to the one who says it, what is too long for the browser", () => {
    const { outbox } = boxed();
    expect(() => outbox.say({ kind: "answer", ask: 1, result: "x".repeat(1024 * 1024) })).toThrow(/too long/);
  });

  it("fits lines into a message from the end", () => {
    expect(fitting(["a", "b"])).toEqual(["a", "b"]);
    expect(fitting(["x".repeat(65_000), "y".repeat(1000), "z"])).toEqual(["y".repeat(1000), "z"]);
    expect(fitting(["x".repeat(70_000)])).toEqual([]);
  });
});
