/**
 * Child processes that misbehave: each ends as it should, says why, leaves the others alone, and leaves no process behind.
 */
import { describe, expect, it } from "vitest";
import { WINDOW_UNITS } from "../../src/bridge/native-flow.ts";
import { CRASHES_TO_STOP } from "../../src/host/run/crashes.ts";
import { call, inOwnFolder, left, serving, until } from "./serving.ts";

inOwnFolder();

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
