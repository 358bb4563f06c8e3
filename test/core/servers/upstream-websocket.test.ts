import { describe, expect, it } from "vitest";
import { turns, until } from "../transports/fakes.ts";
import { AGENT, CALL, call, createBench, OTHER, rpcError, rpcResult } from "./fakes.ts";

const ASKING = CALL.replace('"params":{', '"params":{"_meta":{"progressToken":"mine"},');
const INITIALIZED = { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "ws", version: "1" } };

/** A server on fake sockets: opens each and settles `initialize`; the rest is written by the test. */
function setUp(options: { bytes?: number } = {}) {
  const bench = createBench({ url: "wss://tools.example/mcp", ...options });
  const { sockets } = bench;
  const frames = (at = 0) => sockets[at]?.sent.map((text) => JSON.parse(text)) ?? [];
  const say = (text: string, at = 0) => sockets[at]?.events.text(text);
  const settle = async (at = 0, initializedTurns = 5) => {
    await until(() => sockets.length > at);
    sockets[at]?.events.open();
    await until(() => frames(at).length >= 1);
    say(rpcResult(frames(at)[0].id, INITIALIZED), at);
    await turns(initializedTurns);
  };
  const calls = (at = 0) => frames(at).filter(({ method }) => method === "tools/call");
  return { ...bench, frames, say, settle, calls };
}

describe("an upstream over WebSocket", () => {
  it("opens a session on the connection, and replies find their call by id in any order", async () => {
    const { upstream, settle, frames, calls, say } = setUp();
    const first = upstream.request(call(CALL).call);
    const second = upstream.request(call(CALL.replace("a-1", "a-2")).call);
    await settle();
    expect(frames().map(({ method }) => method)).toEqual([
      "initialize",
      "notifications/initialized",
      "tools/call",
      "tools/call",
    ]);
    say(rpcResult(calls()[1].id, { n: 2 }));
    say(rpcResult(calls()[0].id, { n: 1 }));
    expect([await first, await second]).toMatchObject([
      { id: '"a-1"', result: { n: 1 } },
      { id: '"a-2"', result: { n: 2 } },
    ]);
  });

  it("gives each principal a connection of its own", async () => {
    const { upstream, settle, sockets } = setUp();
    void upstream.request(call().call);
    await settle();
    void upstream.request(call(CALL, { principalKey: OTHER }).call);
    await turns();
    expect(sockets).toHaveLength(2);
  });

  it("accepts a reply once; double, foreign and late ones are dropped and counted", async () => {
    const { upstream, settle, calls, say } = setUp();
    const stop = new AbortController();
    const reply = upstream.request(call().call);
    const given = upstream.request(call(CALL, { signal: stop.signal }).call);
    await settle();
    stop.abort();
    await expect(given).rejects.toMatchObject({ fault: "cancelled" });
    say(rpcResult(calls()[1].id, {}));
    say(rpcResult(calls()[0].id, { first: true }));
    say(rpcResult(calls()[0].id, { first: false }));
    say(rpcResult(999_999_999, {}));
    say(rpcError(null, -32700));
    expect(await reply).toMatchObject({ result: { first: true } });
    expect(upstream.drops).toEqual({ foreign: 2, late: 2, stray: 0 });
  });

  it("tells the server of a cancelled call, in both eras", async () => {
    for (const revision of ["2025-11-25", "2026-07-28"] as const) {
      const { upstream, settle, sockets, frames, calls } = setUp();
      const stop = new AbortController();
      const given = upstream.request(call(CALL, { revision, signal: stop.signal }).call);
      if (revision === "2025-11-25") await settle();
      else sockets[0]?.events.open();
      await until(() => calls().length === 1);
      stop.abort();
      await expect(given).rejects.toMatchObject({ fault: "cancelled" });
      expect(frames().at(-1)).toMatchObject({
        method: "notifications/cancelled",
        params: { requestId: calls()[0].id },
      });
    }
  });

  it("fails every open call when the connection is lost, and the next call begins a new session", async () => {
    const { upstream, settle, sockets, calls, say, frames } = setUp();
    const lost = [upstream.request(call().call), upstream.request(call().call)];
    await settle();
    sockets[0]?.events.close("");
    for (const reply of lost) await expect(reply).rejects.toMatchObject({ fault: "upstream-broken" });
    const next = upstream.request(call().call);
    await settle(1);
    expect(frames(1)[0].method).toBe("initialize");
    say(rpcResult(calls(1)[0].id, {}), 1);
    expect((await next).kind).toBe("result");
  });

  it.each([
    ["half a message", '{"jsonrpc":"2.0","id":', "upstream-broken"],
    ["NUL", "\u0000", "upstream-broken"],
    ["a web page", "<html>", "upstream-broken"],
    ["more than the limit", `{"jsonrpc":"2.0","result":{"t":"${"x".repeat(2000)}"}}`, "too-large"],
  ])("ends the connection at %s, because nobody can say what was lost", async (_what, text, fault) => {
    const { upstream, settle, sockets, say } = setUp({ bytes: 1000 });
    const reply = upstream.request(call().call);
    await settle();
    say(text);
    await expect(reply).rejects.toMatchObject({ fault });
    expect(sockets[0]?.closed).toBe(true);
    void upstream.request(call().call);
    await turns();
    expect(sockets).toHaveLength(2);
  });

  it("ends the connection at a binary message", async () => {
    const { upstream, settle, sockets } = setUp();
    const reply = upstream.request(call().call);
    await settle();
    sockets[0]?.events.binary();
    await expect(reply).rejects.toMatchObject({ fault: "upstream-broken" });
    expect(sockets[0]?.closed).toBe(true);
  });

  it("fails only the call whose reply is malformed", async () => {
    const { upstream, settle, calls, say } = setUp();
    const bad = upstream.request(call().call);
    const fine = upstream.request(call().call);
    await settle();
    say(`{"jsonrpc":"2.0","id":${calls()[0].id},"result":3}`);
    await expect(bad).rejects.toMatchObject({ fault: "upstream-broken" });
    say(rpcResult(calls()[1].id, {}));
    expect((await fine).kind).toBe("result");
  });

  it("sends progress to the call with the token, and the rest to the principal", async () => {
    const { upstream, settle, calls, say, unsolicited } = setUp();
    const asking = call(ASKING);
    const other = call();
    const replies = [upstream.request(asking.call), upstream.request(other.call)];
    await settle();
    const progress = (token: unknown) =>
      say(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":1}}`);
    progress(calls()[0].id);
    progress(calls()[1].id);
    say('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}');
    expect(asking.events).toMatchObject([{ params: { progressToken: "mine" } }]);
    expect(other.events).toEqual([]);
    expect(unsolicited).toMatchObject([[AGENT, { method: "notifications/tools/list_changed" }]]);
    expect(upstream.drops.stray).toBe(1);
    for (const { id } of calls()) say(rpcResult(id, {}));
    await Promise.all(replies);
  });

  it("lets the server ask back the only open call, and else answers for it", async () => {
    const { upstream, settle, say, frames } = setUp();
    const only = call();
    void upstream.request(only.call).catch(() => undefined);
    await settle();
    say('{"jsonrpc":"2.0","id":"b1","method":"roots/list"}');
    await turns();
    expect(only.backs.map(({ id }) => id)).toEqual(['"b1"']);
    const second = call();
    void upstream.request(second.call).catch(() => undefined);
    await turns();
    say('{"jsonrpc":"2.0","id":"b2","method":"roots/list"}');
    say('{"jsonrpc":"2.0","id":"b3","method":"ping"}');
    await turns();
    expect([only.backs.length, second.backs.length]).toEqual([1, 0]);
    const answers = new Map(
      frames()
        .slice(-2)
        .map((frame) => [frame.id, frame]),
    );
    expect(answers.get("b2")).toMatchObject({ error: { code: -32601 } });
    expect(answers.get("b3")).toMatchObject({ result: {} });
  });

  it("keeps no session across a worker's death, because the connection dies with it", async () => {
    const { upstream, settle, rows } = setUp();
    void upstream.request(call().call).catch(() => undefined);
    await settle();
    expect(rows.size).toBe(0);
  });

  it("closes the connection with its open calls", async () => {
    const { upstream, settle, sockets } = setUp();
    const reply = upstream.request(call().call);
    await settle();
    upstream.close();
    await expect(reply).rejects.toMatchObject({ fault: "cancelled" });
    expect(sockets[0]?.closed).toBe(true);
  });
});

describe("the probe over WebSocket", () => {
  const probe = (answer: (bench: ReturnType<typeof setUp>) => void) => {
    const bench = setUp();
    const found = bench.upstream.probe(new AbortController().signal);
    found.catch(() => undefined);
    const run = async () => {
      await until(() => bench.sockets.length === 1);
      bench.sockets[0]?.events.open();
      await until(() => bench.frames().length === 1);
      answer(bench);
      return found;
    };
    return { ...bench, run };
  };

  it("takes a discovery for the newer era", async () => {
    const { run } = probe(({ frames, say }) => say(rpcResult(frames()[0].id, { supportedVersions: ["2026-07-28"] })));
    expect(await run()).toBe("2026-07-28");
  });

  it.each([
    ["any other error", (bench: ReturnType<typeof setUp>) => bench.say(rpcError(bench.frames()[0].id, -32000))],
    ["silence", (bench: ReturnType<typeof setUp>) => bench.clock.advance(10_000)],
    ["hanging up", (bench: ReturnType<typeof setUp>) => bench.sockets[0]?.events.close("")],
  ])("takes %s for the older era", async (_what, answer) => {
    const { run, settle } = probe(answer);
    const found = run();
    await settle(1);
    expect(await found).toBe("2025-11-25");
  });

  it("learns nothing from a connection that cannot be made", async () => {
    const { upstream, sockets } = setUp();
    const found = upstream.probe(new AbortController().signal);
    await turns();
    sockets[0]?.events.close("");
    await turns();
    sockets[1]?.events.close("");
    await expect(found).rejects.toMatchObject({ fault: "upstream-unreachable" });
  });
});

describe("a WebSocket that an agent listens on", () => {
  async function listening() {
    const bench = setUp();
    const opened = bench.upstream.open({ principalKey: AGENT, revision: "2025-11-25" }, new AbortController().signal);
    await bench.settle();
    await opened;
    const beats = (at = 0) => bench.frames(at).filter(({ method }) => method === "ping");
    const pass = async (ms: number) => {
      bench.clock.advance(ms);
      await turns();
    };
    return { ...bench, beats, pass };
  }

  it("is asked after a quiet time whether it lives, and its answer is enough", async () => {
    const { beats, pass, say, sockets } = await listening();
    await pass(24_000);
    expect(beats()).toHaveLength(0);
    for (let count = 1; count <= 10; count += 1) {
      await pass(26_000);
      expect(beats().length).toBeGreaterThanOrEqual(1);
      say(rpcResult(beats().at(-1).id, {}));
      await turns();
    }
    expect(sockets[0]?.closed).toBe(false);
  });

  it("that does not answer is dead: open calls end, and a new one is made after a moment", async () => {
    const { upstream, pass, sockets, settle, frames } = await listening();
    const reply = upstream.request(call().call).catch((problem: unknown) => problem);
    await turns();
    for (let count = 0; count < 5; count += 1) await pass(25_000);
    expect(await reply).toMatchObject({ fault: "upstream-broken" });
    expect(sockets[0]?.closed).toBe(true);
    for (let count = 0; count < 5 && sockets.length < 2; count += 1) await pass(1_000);
    await settle(1);
    expect(frames(1).map(({ method }) => method)).toContain("notifications/initialized");
  });

  it("is made anew by itself when the server drops it, what it says then is heard, and its new session is told of", async () => {
    const { sockets, pass, settle, say, unsolicited, begun } = await listening();
    await pass(60_000);
    sockets[0]?.events.close("gone");
    await turns();
    await pass(1_000);
    await settle(1);
    expect(begun).toEqual([AGENT, AGENT]);
    say('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}', 1);
    expect(unsolicited).toHaveLength(1);
  });

  it("that is dropped each time at once is given up after a while", async () => {
    const { sockets, pass } = await listening();
    for (let count = 0; count < 100; count += 1) {
      const last = sockets.at(-1);
      if (last && !last.closed) {
        last.events.close("no");
        last.events.close("no");
      }
      await pass(61_000);
    }
    expect(sockets.length).toBeGreaterThan(3);
    expect(sockets.length).toBeLessThan(24);
  });

  it("is left alone when nobody listens any more", async () => {
    const { upstream, sockets, pass, beats } = await listening();
    upstream.attend(AGENT, false);
    for (let count = 0; count < 10; count += 1) await pass(25_000);
    expect(beats()).toHaveLength(0);
    sockets[0]?.events.close("gone");
    await pass(120_000);
    expect(sockets).toHaveLength(1);
  });
});
