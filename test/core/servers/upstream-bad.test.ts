/** Servers that answer wrongly, over Streamable HTTP in both eras. Each ends in a named fault, and the next call works. */
import { describe, expect, it } from "vitest";
import { createOpenBody, events, type Handler, json, stream, turns, until } from "../transports/fakes.ts";
import { CALL, call, createBench, legacyServer, modernServer, rpcResult } from "./fakes.ts";

const ERAS = [
  ["2025-11-25", legacyServer],
  ["2026-07-28", modernServer],
] as const;

const NUL = "\u0000";
const good = (id: unknown) => rpcResult(id, { ok: true });

describe.each(ERAS)("a bad server of %s", (revision, server) => {
  const bench = (bad: Handler, bytes?: number) => {
    let first = true;
    const handler = server((seen) => {
      if (!first) return json(good(seen.json.id));
      first = false;
      return bad(seen);
    });
    return createBench({ handler, ...(bytes === undefined ? {} : { bytes }) });
  };

  const faults: readonly [string, (id: unknown) => Response, string][] = [
    ["half a document", (id) => json(good(id).slice(0, -3)), "upstream-broken"],
    ["half an event and then nothing", (id) => stream(`data: ${good(id).slice(0, 20)}`), "upstream-broken"],
    ["half a message in an event", (id) => events(good(id).slice(0, 20)), "upstream-broken"],
    ["a stream without a reply", () => events('{"jsonrpc":"2.0","method":"notifications/message"}'), "upstream-broken"],
    ["nothing", () => json(""), "upstream-broken"],
    ["202", () => new Response(null, { status: 202 }), "upstream-broken"],
    ["a web page", () => new Response("<html>", { headers: { "content-type": "text/html" } }), "upstream-broken"],
    ["NUL in JSON", (id) => json(good(id).replace("ok", `o${NUL}k`)), "upstream-broken"],
    ["NUL in an event", (id) => events(good(id).replace("ok", `o${NUL}k`)), "upstream-broken"],
    [
      "bytes that are not UTF-8",
      (id) => stream(Buffer.from(`data: ${good(id).replace("ok", "\xff")}\n\n`, "latin1")),
      "upstream-broken",
    ],
    ["more than the limit", (id) => json(rpcResult(id, { text: "x".repeat(2000) })), "too-large"],
    ["an event over the limit", (id) => events(rpcResult(id, { text: "x".repeat(2000) })), "too-large"],
    [
      "a message over the limits of depth",
      (id) => json(`{"jsonrpc":"2.0","id":${id},"result":{"a":${"[".repeat(200)}${"]".repeat(200)}}}`),
      "too-large",
    ],
    [
      "a redirect elsewhere",
      () => new Response(null, { status: 308, headers: { location: "https://elsewhere.example" } }),
      "upstream-broken",
    ],
    [
      "result and error at once",
      (id) => json(`{"jsonrpc":"2.0","id":${id},"result":{},"error":{"code":1,"message":""}}`),
      "upstream-broken",
    ],
    ["a member twice", (id) => json(`{"jsonrpc":"2.0","id":${id},"result":{},"result":{}}`), "upstream-broken"],
    ["two documents", (id) => json(good(id) + good(id)), "upstream-broken"],
    ["a batch", (id) => json(`[${good(id)}]`), "upstream-broken"],
    ["only foreign ids", () => events(good(4), good('"x"')), "upstream-broken"],
    ["the id as a string", (id) => json(good(String(id))), "upstream-broken"],
    ["a sign-in wall", () => new Response("", { status: 401 }), "upstream-broken"],
    ["503", () => new Response("", { status: 503 }), "upstream-unreachable"],
  ];

  it.each(faults)("that sends %s is a named fault, sent once, and the next call works", async (_what, bad, fault) => {
    const { upstream, requests } = bench(({ json: { id } }) => bad(id), 1000);
    const seen = call(CALL, { revision });
    await expect(upstream.request(seen.call)).rejects.toMatchObject({ name: "GatewayError", fault });
    expect(seen.sent).toBe(1);
    expect(requests.filter(({ json: body }) => body.method === "tools/call")).toHaveLength(1);
    expect((await upstream.request(call(CALL, { revision }).call)).kind).toBe("result");
  });

  it("that answers twice is heard once", async () => {
    const { upstream } = bench(({ json: { id } }) => events(good(id), rpcResult(id, { ok: false })));
    expect(await upstream.request(call(CALL, { revision }).call)).toMatchObject({ result: { ok: true } });
    await turns();
    expect(upstream.drops).toEqual({ foreign: 0, late: 1, stray: 0 });
  });

  it("that answers with foreign ids first is heard when it answers its own", async () => {
    const { upstream } = bench(({ json: { id } }) => events(good(999_999_999), good("x"), good(id)));
    expect((await upstream.request(call(CALL, { revision }).call)).kind).toBe("result");
    expect(upstream.drops.foreign).toBe(2);
  });

  it("that says something malformed under a foreign id is heard when it answers its own", async () => {
    const { upstream } = bench(({ json: { id } }) => events('{"jsonrpc":"2.0","id":4,"result":3}', good(id)));
    expect((await upstream.request(call(CALL, { revision }).call)).kind).toBe("result");
    expect(upstream.drops.foreign).toBe(1);
  });

  it("that answers another open call's id in this response is not heard", async () => {
    const first = createOpenBody();
    const second = createOpenBody();
    const bodies = [first, second];
    const { upstream, requests } = createBench({ handler: server(() => stream(bodies.shift()?.body ?? "")) });
    const replies = [upstream.request(call(CALL, { revision }).call), upstream.request(call(CALL, { revision }).call)];
    const calls = () => requests.filter(({ json: body }) => body.method === "tools/call");
    await until(() => calls().length === 2);
    second.write(`data: ${rpcResult(calls()[0]?.json.id, { forged: true })}\n\n`);
    await until(() => upstream.drops.late === 1);
    first.write(`data: ${good(calls()[0]?.json.id)}\n\n`);
    second.write(`data: ${good(calls()[1]?.json.id)}\n\n`);
    expect(await Promise.all(replies)).toMatchObject([{ result: { ok: true } }, { result: { ok: true } }]);
  });

  it("that never answers is given up after five minutes", async () => {
    const { upstream, clock, requests } = bench(() => new Promise<Response>(() => undefined));
    const reply = upstream.request(call(CALL, { revision }).call);
    await until(() => requests.some(({ json: body }) => body.method === "tools/call"));
    clock.advance(5 * 60_000 - 1);
    await turns();
    clock.advance(1);
    await expect(reply).rejects.toMatchObject({ fault: "timed-out" });
  });

  it("that reports progress is waited for, but not for ever", async () => {
    const open = createOpenBody();
    const { upstream, clock, requests } = bench(() => stream(open.body));
    const asking = CALL.replace('"params":{', '"params":{"_meta":{"progressToken":"mine"},');
    const seen = call(asking, { revision });
    const reply = upstream.request(seen.call).catch((problem: unknown) => problem);
    await until(() => requests.some(({ json: body }) => body.method === "tools/call"));
    const id = requests.at(-1)?.json.id;
    let progress = 0;
    const report = async () => {
      progress += 1;
      const params = { progressToken: id, progress };
      open.write(`data: ${JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress", params })}\n\n`);
      await turns();
    };
    for (let minutes = 4; minutes < 60; minutes += 4) {
      clock.advance(4 * 60_000);
      await report();
    }
    expect(seen.events).toHaveLength(progress);
    clock.advance(4 * 60_000);
    await expect(reply).resolves.toMatchObject({ fault: "timed-out" });
  });

  it("that answers late finds the response closed", async () => {
    const open = createOpenBody();
    const { upstream, requests } = bench(() => stream(open.body));
    const stop = new AbortController();
    const reply = upstream.request(call(CALL, { revision, signal: stop.signal }).call);
    await until(() => requests.some(({ json: body }) => body.method === "tools/call"));
    await turns();
    stop.abort();
    await expect(reply).rejects.toMatchObject({ fault: "cancelled" });
    expect(open.cancelled()).toBe(true);
  });

  it("that keeps its stream open after the reply is cut off a moment later", async () => {
    const open = createOpenBody();
    const { upstream, clock, requests } = bench(() => stream(open.body));
    const reply = upstream.request(call(CALL, { revision }).call);
    const asked = () => requests.find(({ json: body }) => body.method === "tools/call");
    await until(() => asked() !== undefined);
    open.write(`data: ${good(asked()?.json.id)}\n\n`);
    await reply;
    expect(open.cancelled()).toBe(false);
    clock.advance(2_000);
    await until(open.cancelled);
  });

  it("that breaks off in the middle of its answer is a named fault", async () => {
    const open = createOpenBody();
    const { upstream, requests } = bench(() => stream(open.body));
    const reply = upstream.request(call(CALL, { revision }).call);
    await until(() => requests.some(({ json: body }) => body.method === "tools/call"));
    open.write("data: {");
    await turns();
    open.fail();
    await expect(reply).rejects.toMatchObject({ fault: "upstream-broken" });
  });
});
