/** One port: what it carries, what it refuses, and that nothing is left when it ends. */
import { describe, expect, it } from "vitest";
import { NATIVE_PROTOCOL } from "../../src/bridge/native.ts";
import { call, inOwnFolder, left, serving, until } from "./serving.ts";

inOwnFolder();

describe("A port", () => {
  it("carries frames of many servers at once, each to its own", async () => {
    const { port, over, state } = serving();
    await Promise.all([port.open("echo", 1), port.open("echo", 2), port.open("garbage", 3)]);
    for (const run of [1, 2]) port.send("echo", run, call(run, { run }));
    port.send("garbage", 3, call(3));
    expect(JSON.parse(await port.frame(1))).toEqual({ jsonrpc: "2.0", id: 1, result: { run: 1 } });
    expect(JSON.parse(await port.frame(2))).toEqual({ jsonrpc: "2.0", id: 2, result: { run: 2 } });
    expect(JSON.parse(await port.frame(3))).toEqual({ jsonrpc: "2.0", id: 3, result: {} });
    port.close();
    await over;
    expect(state.groups).toBe(0);
    expect(left()).toEqual([]);
  });

  it("carries 10 MB both ways in parts, and small frames of another server between them", async () => {
    const { port, over } = serving();
    await Promise.all([port.open("echo", 1), port.open("echo", 2)]);
    const text = '€"\\ '.repeat(2_500_000);
    port.send("echo", 1, call(1, { text }));
    port.send("echo", 2, call(2));
    expect(JSON.parse(await port.frame(2)).id).toBe(2);
    expect(port.frames(1)).toEqual([]);
    expect(JSON.parse(await port.frame(1)).result.text).toBe(text);
    port.close();
    await over;
  });

  it("puts interleaved parts together by their run", async () => {
    const { port, over } = serving();
    await Promise.all([port.open("echo", 1), port.open("echo", 2)]);
    const frames = [1, 2].map((id) => call(id, { text: `${id}`.repeat(90) }));
    for (let at = 0; at < 100; at += 50) {
      for (const [index, frame] of frames.entries()) {
        const tag = { server: "echo", run: index + 1 };
        port.say({ kind: "chunk", ...tag, text: frame.slice(at, at + 50), last: false });
      }
    }
    for (const [index, frame] of frames.entries()) {
      port.say({ kind: "chunk", server: "echo", run: index + 1, text: frame.slice(100), last: true });
    }
    for (const run of [1, 2]) expect(JSON.parse(await port.frame(run)).result.text).toBe(`${run}`.repeat(90));
    port.close();
    await over;
  });

  it("ends a run that is sent more than 64 MiB in one frame, and no other", async () => {
    const { port, over } = serving();
    await Promise.all([port.open("echo", 1), port.open("echo", 2)]);
    const text = "x".repeat(1024 * 1024);
    for (let count = 0; count <= 64; count += 1) port.say({ kind: "chunk", server: "echo", run: 1, text, last: false });
    expect(await port.closed(1)).toMatchObject({ reason: "too-large" });
    port.send("echo", 2, call(1));
    expect(JSON.parse(await port.frame(2)).id).toBe(1);
    port.close();
    await over;
    await until(() => left().length === 0);
  });

  it("makes one line of a frame that was written over several", async () => {
    const { port, over } = serving();
    await port.open("echo", 1);
    port.send("echo", 1, '{\n  "id": 1,\r\n  "params": {"a": 1}\n}');
    expect(JSON.parse(await port.frame(1))).toEqual({ jsonrpc: "2.0", id: 1, result: { a: 1 } });
    port.close();
    await over;
  });

  it("refuses another protocol in words, starts nothing, and ends", async () => {
    const { port, over, state } = serving();
    port.say({ kind: "hello", protocol: NATIVE_PROTOCOL + 1, version: "9.0.0" });
    await over;
    await until(() => port.heard.some((message) => message.kind === "refused"));
    expect(port.heard.at(-1)).toMatchObject({
      reason: "protocol",
      message: expect.stringContaining("navra-host install"),
    });
    expect(state.groups).toBe(0);
  });

  it("ignores what is no message, what comes before hello, and a tag of another server", async () => {
    const { port, over, state } = serving();
    port.say({ kind: "launch", program: "/bin/sh" } as never);
    await port.open("echo", 1);
    port.say({ kind: "frame", server: "other", run: 1, text: call(9) });
    port.say({ kind: "open", server: "../../bin/sh", run: 5 });
    port.send("echo", 1, call(1));
    await port.frame(1);
    expect(port.frames(1)).toHaveLength(1);
    expect(state.log.filter((line) => line.includes("ignored"))).toHaveLength(2);
    port.close();
    await over;
  });

  it("starts nothing for a name that is not in the list", async () => {
    const { port, over, state } = serving();
    expect(await port.open("unknown", 1)).toMatchObject({ kind: "closed", reason: "not-listed" });
    port.close();
    await over;
    expect(state.groups).toBe(0);
  });

  it("ends, and ends its servers, when garbage takes the place of a length", async () => {
    const { port, over, state } = serving();
    await port.open("stubborn", 1);
    port.raw(Buffer.from("\xff\xff\xff\xff", "latin1"));
    await over;
    await until(() => left().length === 0);
    expect(state.log.at(-1) ?? "").toMatch(/over|broken/);
  });

  it("ends, and ends its servers, when nobody reads any more", async () => {
    const { port, over, output } = serving();
    await port.open("stubborn", 1);
    output.destroy(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
    await over;
    await until(() => left().length === 0);
  });
});
