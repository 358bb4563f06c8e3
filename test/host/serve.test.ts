/**
 * One port with real child processes that misbehave: each ends as it should, says why, leaves the others alone, and leaves
 * no process behind.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NATIVE_PROTOCOL } from "../../src/bridge/native.ts";
import { WINDOW_UNITS } from "../../src/bridge/native-flow.ts";
import { NotAllowed, type ServePorts, serve } from "../../src/host/port/serve.ts";
import { CRASHES_TO_STOP } from "../../src/host/run/crashes.ts";
import { createTestPort } from "./port.ts";

const CHILD = new URL("children/child.mjs", import.meta.url).pathname;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "navra-serve-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const notes = () => join(folder, "pids");

/** Servers are named for what they do. */
function serving(change: Partial<ServePorts> = {}) {
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

const call = (id: number, params: object = {}) => JSON.stringify({ jsonrpc: "2.0", id, method: "x", params });

/** Processes that a child noted and that are there. */
function left(): number[] {
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

async function until(fits: () => boolean): Promise<void> {
  while (!fits()) await new Promise((resolve) => setTimeout(resolve, 20));
}

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

describe("A server", () => {
  it("that exits at once closes its run with its code and last words, and leaves the others alone", async () => {
    const { port, over } = serving();
    await port.open("echo", 2);
    port.say({ kind: "open", server: "exits", run: 1 });
    expect(await port.closed(1)).toMatchObject({ reason: "exited", code: 7, stderr: ["cannot start"] });
    port.send("echo", 2, call(1));
    expect(JSON.parse(await port.frame(2)).id).toBe(1);
    port.close();
    await over;
  });

  it("that keeps crashing is held back longer and longer, then stopped until a person restarts it", async () => {
    const { port, over, state } = serving();
    for (let run = 1; run <= CRASHES_TO_STOP; run += 1) {
      port.say({ kind: "open", server: "exits", run });
      expect(await port.closed(run)).toMatchObject({ reason: "exited" });
    }
    expect(state.waits).toEqual([500, 1000, 2000, 4000]);
    expect(await port.open("exits", 50)).toMatchObject({ kind: "closed", reason: "crash-loop" });
    await port.ask("restart");
    expect(await port.open("exits", 51)).toMatchObject({ kind: "opened" });
    port.close();
    await over;
  });

  it("whose start is held back can be closed before it", async () => {
    const { port, over } = serving({ after: () => () => {} });
    for (let run = 1; run <= 2; run += 1) {
      port.say({ kind: "open", server: "exits", run });
      await port.closed(run);
    }
    port.say({ kind: "open", server: "exits", run: 3 });
    port.say({ kind: "close", server: "exits", run: 3 });
    expect(await port.closed(3)).toMatchObject({ reason: "closed" });
    port.close();
    await over;
  });

  it("that replies and exits is heard to the end before it is closed", async () => {
    const { port, over } = serving();
    await port.open("reply-and-exit", 1);
    port.send("reply-and-exit", 1, call(1));
    expect(await port.closed(1)).toMatchObject({ reason: "exited", code: 3, stderr: ["last words"] });
    expect(JSON.parse(port.frames(1)[0] ?? "").result.text).toHaveLength(3_000_000);
    port.close();
    await over;
  });

  it("that ignores being asked to end is killed", async () => {
    const { port, over, state } = serving();
    await port.open("stubborn", 1);
    port.send("stubborn", 1, call(1));
    await port.frame(1);
    port.say({ kind: "close", server: "stubborn", run: 1 });
    expect(await port.closed(1)).toMatchObject({ reason: "closed", signal: "SIGKILL" });
    await until(() => left().length === 0);
    port.close();
    await over;
    expect(state.groups).toBe(0);
  });

  it.runIf(process.platform === "linux")(
    "that forks takes its children with it, also one that left its group",
    async () => {
      const { port, over, state } = serving();
      await port.open("forking", 1);
      await until(() => left().length === 3);
      port.say({ kind: "close", server: "forking", run: 1 });
      await port.closed(1);
      await until(() => left().length === 0);
      port.close();
      await over;
      expect(state.groups).toBe(0);
    },
  );

  it("that closes its output is ended, because nothing can be heard from it", async () => {
    const { port, over } = serving();
    await port.open("closes-output", 1);
    expect(await port.closed(1)).toMatchObject({
      reason: "exited",
      message: expect.stringContaining("closed its output"),
    });
    await until(() => left().length === 0);
    port.close();
    await over;
  });

  it("that writes for ever fills one window and is held there", async () => {
    const { port, over } = serving();
    port.hold("held");
    await port.open("writes-for-ever", 1);
    const units = () => port.frames(1).reduce((sum, frame) => sum + frame.length, 0);
    await until(() => units() > WINDOW_UNITS - 100_000);
    const before = process.memoryUsage.rss();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(units()).toBeLessThan(WINDOW_UNITS + 100_000);
    expect(process.memoryUsage.rss() - before).toBeLessThan(30 * 1024 * 1024);
    port.close();
    await over;
    await until(() => left().length === 0);
  });

  it("that writes for ever does not keep another one from being heard", async () => {
    const { port, over } = serving();
    await Promise.all([port.open("writes-for-ever", 1), port.open("echo", 2)]);
    await until(() => port.frames(1).length > 100);
    for (let count = 0; count < 5; count += 1) {
      const heard = port.frames(1).length;
      port.send("echo", 2, call(count));
      await port.frame(2, count);
      // What was under way before it may still come first, and no more than that.
      expect(port.frames(1).length - heard).toBeLessThan(400);
    }
    port.close();
    await over;
    await until(() => left().length === 0);
  });

  it("that ends while it is written to fails by its name, and its pipe breaks nothing", async () => {
    const { port, over } = serving();
    await port.open("echo", 2);
    port.say({ kind: "open", server: "exits", run: 1 });
    for (let count = 0; count < 10; count += 1) port.send("exits", 1, call(count, { text: "x".repeat(300_000) }));
    expect(await port.closed(1)).toMatchObject({ server: "exits", reason: "exited" });
    port.send("exits", 1, call(11));
    port.send("echo", 2, call(1));
    expect(JSON.parse(await port.frame(2)).id).toBe(1);
    port.close();
    await over;
  });

  it("that writes errors for ever answers meanwhile, and only its last lines are kept", async () => {
    const { port, over } = serving();
    await port.open("errors-for-ever", 1);
    port.send("errors-for-ever", 1, call(1));
    await port.frame(1);
    const answer = await port.ask("log");
    const { lines } = (answer as { result: { lines: string[] } }).result;
    expect(lines.length).toBeLessThanOrEqual(200);
    expect(lines.every((line) => line.length <= 2000)).toBe(true);
    port.close();
    await over;
    await until(() => left().length === 0);
  });

  it("that prints banners is heard all the same, and they are counted", async () => {
    const { port, over } = serving();
    await port.open("garbage", 1);
    port.send("garbage", 1, call(1));
    expect(JSON.parse(await port.frame(1)).id).toBe(1);
    const noise = await port.until(
      (message): message is Extract<typeof message, { kind: "noise" }> =>
        message.kind === "noise" && message.lines === 3,
    );
    expect(noise.sample).toBe("in the middle");
    port.close();
    await over;
  });

  it("that writes 100 MB without a line end is heard again after it, and nothing of it was kept", async () => {
    const { port, over } = serving();
    await Promise.all([port.open("one-endless-line", 1), port.open("echo", 2)]);
    const before = process.memoryUsage.rss();
    port.send("one-endless-line", 1, call(1));
    port.send("echo", 2, call(2));
    expect(JSON.parse(await port.frame(2)).id).toBe(2);
    expect(JSON.parse(await port.frame(1))).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
    expect(process.memoryUsage.rss() - before).toBeLessThan(80 * 1024 * 1024);
    expect(port.heard).toContainEqual(
      expect.objectContaining({ kind: "noise", run: 1, lines: 1, sample: "x".repeat(200) }),
    );
    port.close();
    await over;
  });

  it("that begins a message and never ends it is stopped at 64 MiB, by its name", async () => {
    const { port, over } = serving();
    await Promise.all([port.open("one-endless-message", 1), port.open("echo", 2)]);
    expect(await port.closed(1)).toMatchObject({
      server: "one-endless-message",
      reason: "too-large",
      message: expect.stringContaining("64 MiB"),
    });
    port.send("echo", 2, call(1));
    expect(JSON.parse(await port.frame(2)).id).toBe(1);
    port.close();
    await over;
    await until(() => left().length === 0);
  });

  it("that does not read is not written to beyond a window", async () => {
    const { port, over } = serving();
    await port.open("deaf", 1);
    for (let count = 0; count < 20; count += 1) port.send("deaf", 1, call(count, { text: "x".repeat(1_000_000) }));
    await new Promise((resolve) => setTimeout(resolve, 300));
    const credit = port.heard.reduce((sum, message) => sum + (message.kind === "credit" ? message.units : 0), 0);
    expect(credit).toBeLessThan(2_000_000);
    port.close();
    await over;
    await until(() => left().length === 0);
  });
});
