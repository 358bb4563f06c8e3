import { describe, expect, it } from "vitest";
import { type FromHost, NATIVE_PROTOCOL, type ToHost } from "../../../src/bridge/native.ts";
import { createOutflow, WINDOW_UNITS } from "../../../src/bridge/native-flow.ts";
import { createNativePort } from "../../../src/platform/worker/native-port.ts";
import { REST_MS } from "../../../src/platform/worker/native-session.ts";
import { createFakeClock } from "../../fakes/clock.ts";

const HELLO = { kind: "hello", protocol: NATIVE_PROTOCOL, version: "0.1.0", node: "20", platform: "linux" } as const;

interface FakeHost {
  readonly name: string;
  readonly heard: ToHost[];
  say(message: FromHost | object): void;
  /** The browser ends the port, with its own words. */
  end(reason: string): void;
  disconnected: boolean;
}

function setUp(connect?: () => never) {
  const clock = createFakeClock();
  const hosts: FakeHost[] = [];
  let changes = 0;
  let lastError = "";
  const native = createNativePort({
    clock,
    version: "0.1.0",
    changed: () => {
      changes += 1;
    },
    disconnectReason: () => lastError,
    connect:
      connect ??
      ((name) => {
        const messages: ((message: unknown) => void)[] = [];
        const ends: ((port: unknown) => void)[] = [];
        const host: FakeHost = {
          name,
          heard: [],
          disconnected: false,
          say: (message) => {
            for (const listener of messages) listener(structuredClone(message));
          },
          end: (reason) => {
            lastError = reason;
            for (const listener of ends) listener({});
          },
        };
        hosts.push(host);
        return {
          onMessage: { addListener: (listener) => messages.push(listener) },
          onDisconnect: { addListener: (listener) => ends.push(listener) },
          postMessage: (message) => host.heard.push(structuredClone(message) as ToHost),
          disconnect: () => {
            host.disconnected = true;
          },
        };
      }),
  });
  const start = (name = "files") => {
    const seen = { opened: 0, texts: [] as string[], closed: [] as string[], faults: [] as string[] };
    const line = native.local(name, {
      open: () => {
        seen.opened += 1;
      },
      text: (frame) => seen.texts.push(frame),
      close: (problem) => {
        seen.closed.push(problem.message);
        seen.faults.push(problem.fault);
      },
    });
    return { line, seen };
  };
  const host = (): FakeHost => hosts.at(-1) ?? expect.fail("no port was opened");
  return { native, clock, hosts, host, start, changes: () => changes };
}

const kinds = (host: FakeHost) => host.heard.map(({ kind }) => kind);
const runOf = (host: FakeHost, at = 0): number =>
  host.heard.flatMap((one) => (one.kind === "open" ? [one.run] : []))[at] ?? expect.fail("nothing was opened");

describe("the native port", () => {
  it("tells of a host that cannot start once, however often it is asked", async () => {
    const { native, host, changes } = setUp();
    for (const _ of [1, 2, 3]) {
      const asked = native.ask("list", null).catch(() => "in vain");
      host().end("An unexpected error occurred");
      expect(await asked).toBe("in vain");
    }
    expect(native.state()).toEqual({ state: "broken", detail: "unstartable" });
    expect(changes()).toBe(1);
    const asked = native.ask("list", null).catch(() => "in vain");
    host().end("No such native application dev.navra.host");
    await asked;
    expect(changes()).toBe(2);
  });

  it("opens nothing before a local server is needed", () => {
    const { hosts, native } = setUp();
    expect([hosts.length, native.state().state]).toEqual([0, "unknown"]);
  });

  it("says hello first and nothing else until the host has answered", () => {
    const { start, host, native } = setUp();
    const { line } = start();
    line.send("early");
    expect(kinds(host())).toEqual(["hello"]);
    host().say(HELLO);
    expect(kinds(host())).toEqual(["hello", "open", "frame"]);
    expect(native.state()).toMatchObject({ state: "ready", same: true });
  });

  it("shares one port between all servers and tells their runs apart", () => {
    const { start, host, hosts } = setUp();
    const one = start("files");
    const other = start("files");
    host().say(HELLO);
    expect(hosts).toHaveLength(1);
    const [first, second] = [runOf(host()), runOf(host(), 1)];
    expect(first).not.toBe(second);
    host().say({ kind: "opened", server: "files", run: second, pid: 7 });
    host().say({ kind: "frame", server: "files", run: second, text: "for the second" });
    expect([one.seen.opened, other.seen.opened]).toEqual([0, 1]);
    expect([one.seen.texts, other.seen.texts]).toEqual([[], ["for the second"]]);
  });

  it("hears nothing that is tagged with another server's name or an ended run", () => {
    const { start, host } = setUp();
    const { line, seen } = start();
    host().say(HELLO);
    const run = runOf(host());
    host().say({ kind: "frame", server: "mail", run, text: "not mine" });
    line.close();
    host().say({ kind: "frame", server: "files", run, text: "late" });
    expect(seen.texts).toEqual([]);
    expect(kinds(host())).toEqual(["hello", "open", "close"]);
  });

  it("puts parts together, gives credit back as it takes them, and cuts what it sends", () => {
    const { start, host } = setUp();
    const { line, seen } = start();
    host().say(HELLO);
    const run = runOf(host());
    const long = 'é😀"\\'.repeat(WINDOW_UNITS / 4);
    const outflow = createOutflow();
    outflow.push(long);
    let credited = 0;
    for (let part = outflow.take(); part; part = outflow.take()) {
      const { text, whole, last } = part;
      const before = host().heard.length;
      host().say(
        whole ? { kind: "frame", server: "files", run, text } : { kind: "chunk", server: "files", run, text, last },
      );
      for (const told of host().heard.slice(before)) {
        if (told.kind !== "credit") continue;
        credited += told.units;
        outflow.credit(told.units);
      }
    }
    expect(seen.texts[0] === long).toBe(true);
    expect(credited).toBeGreaterThan(WINDOW_UNITS / 2);

    line.send(long);
    const parts = () => host().heard.flatMap((one) => (one.kind === "chunk" ? [one.text] : []));
    const first = parts().join("").length;
    expect(first).toBeLessThan(long.length);
    host().say({ kind: "credit", server: "files", run, units: WINDOW_UNITS });
    expect(parts().join("") === long).toBe(true);
  });

  it("fails only the server that ended, by its name, and keeps what the person may read", () => {
    const { start, host, native } = setUp();
    const dying = start("files");
    const other = start("mail");
    host().say(HELLO);
    const run = runOf(host());
    const message = "/home/ada/files.mjs ended with code 3.";
    host().say({ kind: "closed", server: "files", run, reason: "exited", code: 3, message, stderr: ["boom"] });
    expect(dying.seen.closed).toEqual([expect.stringMatching(/^The local server files ended with code 3/)]);
    expect(dying.seen.closed[0]).not.toContain("/home/ada");
    expect(other.seen.closed).toEqual([]);
    expect(native.lastRun("files")?.message).toBe(message);
  });

  it.each([
    ["not-listed", "upstream-unreachable", /was not allowed/],
    ["changed", "upstream-unreachable", /not the one that was allowed/],
    ["not-startable", "upstream-unreachable", /could not be started/],
    ["crash-loop", "upstream-unreachable", /again and again/],
    ["busy", "upstream-unreachable", /Too many/],
    ["too-large", "too-large", /more than fits/],
    ["exited", "upstream-broken", /ended/],
  ])("says what %s means for a call", (reason, fault, sentence) => {
    const { start, host } = setUp();
    const { seen } = start();
    host().say(HELLO);
    host().say({ kind: "closed", server: "files", run: runOf(host()), reason, message: "x", stderr: [] });
    expect(seen.faults).toEqual([fault]);
    expect(seen.closed[0]).toMatch(sentence);
  });

  it.each([
    ["Specified native messaging host not found.", "missing"],
    ["No such native application dev.navra.host", "missing"],
    ["Access to the specified native messaging host is forbidden.", "refused"],
    ["This extension does not have permission to use native application dev.navra.host", "refused"],
    ["Native host has exited.", "broken"],
    ["Error when communicating with the native messaging host.", "broken"],
    ["", "broken"],
  ])("knows from “%s” that the helper is %s", (reason, state) => {
    const { start, host, native } = setUp();
    const { seen } = start();
    host().end(reason);
    expect(native.state().state).toBe(state);
    expect(seen.faults).toEqual(["upstream-unreachable"]);
  });

  it("ends with a host of another protocol, one that refuses, one that is silent, and one that talks nonsense", () => {
    const cases: readonly [(host: FakeHost, pass: (ms: number) => void) => void, object][] = [
      [(host) => host.say({ ...HELLO, protocol: NATIVE_PROTOCOL + 1 }), { state: "old" }],
      [(host) => host.say({ kind: "refused", reason: "protocol", message: "x" }), { state: "old" }],
      [(host) => host.say({ kind: "refused", reason: "caller", message: "x" }), { state: "refused" }],
      [(_host, pass) => pass(10_000), { state: "broken", detail: "silent" }],
      [(host) => host.say({ kind: "run", program: "sh" }), { state: "broken", detail: "garbled" }],
    ];
    for (const [act, state] of cases) {
      const { start, host, native, clock } = setUp();
      const { seen } = start();
      act(host(), clock.advance);
      expect(native.state()).toEqual(state);
      expect(host().disconnected).toBe(true);
      expect(seen.closed).toHaveLength(1);
    }
  });

  it("fails everything that was open when the host is gone, and opens a new port with the next need", async () => {
    const { start, host, hosts, native } = setUp();
    const { seen } = start();
    host().say(HELLO);
    const asked = native.ask("list", null);
    host().end("Native host has exited.");
    expect(seen.closed[0]).toMatch(/may have happened/);
    await expect(asked).rejects.toMatchObject({ fault: "upstream-unreachable" });
    start();
    expect(hosts).toHaveLength(2);
  });

  it("survives a browser that throws instead of giving a port", async () => {
    const { start, native } = setUp(() => {
      throw new Error("No such native application dev.navra.host");
    });
    const { seen } = start();
    await Promise.resolve();
    expect(native.state().state).toBe("missing");
    expect(seen.closed).toHaveLength(1);
  });

  it("asks, and passes on an answer or a sentence", async () => {
    const { native, host, clock } = setUp();
    const list = native.ask("list", null);
    host().say(HELLO);
    const number = host().heard.flatMap((one) => (one.kind === "ask" ? [one.ask] : []))[0];
    host().say({ kind: "answer", ask: number, result: { servers: [], waiting: [] } });
    await expect(list).resolves.toEqual({ servers: [], waiting: [] });
    const log = native.ask("log", { server: "files" });
    host().say({ kind: "answer", ask: (number ?? 0) + 1, problem: "There is no such server." });
    await expect(log).rejects.toThrow("There is no such server.");
    const silent = native.ask("health", null);
    clock.advance(30_000);
    await expect(silent).rejects.toMatchObject({ fault: "timed-out" });
  });

  it("ends a server's runs at once when the person restarts it, so that the next call meets a new one", () => {
    const { native, start, host } = setUp();
    const { seen } = start();
    const other = start("mail");
    host().say(HELLO);
    void native.restart("files");
    expect(seen.closed).toHaveLength(1);
    expect(other.seen.closed).toEqual([]);
    expect(kinds(host()).slice(-2)).toEqual(["close", "ask"]);
    start();
    expect(kinds(host()).at(-1)).toBe("open");
  });

  it("closes the port when nothing has used it for a while, so that the worker may rest", () => {
    const { start, host, clock, native } = setUp();
    const { line } = start();
    host().say(HELLO);
    clock.advance(REST_MS * 10);
    expect(host().disconnected).toBe(false);
    line.close();
    clock.advance(REST_MS - 1);
    expect(host().disconnected).toBe(false);
    clock.advance(1);
    expect(host().disconnected).toBe(true);
    expect(native.state().state).toBe("ready");
  });
});
