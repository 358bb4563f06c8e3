/** Event streams of 2025 that end before their reply, and how they are taken up again. */
import { describe, expect, it } from "vitest";
import { createOpenBody, json, stream, until } from "../transports/fakes.ts";
import { CALL, call, createBench, legacyServer, MODERN, methods, modernServer, rpcResult } from "./fakes.ts";

const FIRST = "id: e-1\nretry: 500\ndata:\n\n";

/** A server whose call streams `first` and ends, and whose GET streams are the test's. */
function breaking(first: string, get: (lastEventId: string | undefined, count: number) => Response) {
  let gets = 0;
  let callId: unknown;
  const posts = legacyServer(({ json: { id } }) => {
    callId = id;
    return stream(first);
  });
  return {
    callId: () => callId,
    handler: (seen: Parameters<typeof posts>[0]) =>
      seen.method === "GET" ? get(seen.headers["Last-Event-ID"], ++gets) : posts(seen),
  };
}

describe("a stream that ended before its reply", () => {
  it("is taken up with GET after exactly the time the server named, and the reply comes there", async () => {
    const server = breaking(FIRST, () => stream(`id: e-2\ndata: ${rpcResult(server.callId(), { content: [1] })}\n\n`));
    const { upstream, requests, clock } = createBench(server);
    const seen = call();
    const reply = upstream.request(seen.call);
    await until(() => requests.length === 3);
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    clock.advance(499);
    await new Promise((resolve) => setImmediate(resolve));
    expect(methods(requests).slice(3)).toEqual([]);
    clock.advance(1);
    expect(await reply).toMatchObject({ kind: "result", result: { content: [1] } });
    expect(methods(requests).slice(3)).toEqual(["GET"]);
    expect(requests[3]?.headers).toMatchObject({
      Accept: "text/event-stream",
      "Last-Event-ID": "e-1",
      "Mcp-Session-Id": "session-1",
      "MCP-Protocol-Version": "2025-11-25",
    });
    expect(seen.sent).toBe(1);
  });

  it("is taken up also where it broke", async () => {
    const open = createOpenBody();
    const posts = legacyServer(() => stream(open.body));
    const { upstream, requests, clock } = createBench({
      handler: (seen) =>
        seen.method === "GET" ? stream(`data: ${rpcResult(requests[2]?.json.id, {})}\n\n`) : posts(seen),
    });
    const reply = upstream.request(call().call);
    await until(() => requests.length === 3);
    open.write(FIRST);
    await until(() => true);
    open.fail();
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    clock.advance(500);
    expect((await reply).kind).toBe("result");
  });

  it("is not without an event id: nothing says where to go on", async () => {
    const server = breaking("retry: 1\ndata:\n\n", () => json("{}"));
    const { upstream, requests } = createBench(server);
    await expect(upstream.request(call().call)).rejects.toMatchObject({ fault: "upstream-broken" });
    expect(methods(requests)).not.toContain("GET");
  });

  it("is given up after streams that bring nothing new", async () => {
    const server = breaking(FIRST, () => stream(FIRST));
    const { upstream, requests, clock } = createBench(server);
    const reply = upstream.request(call().call).catch((problem: unknown) => problem);
    for (let turn = 0; turn < 200; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(500);
    }
    expect(await reply).toMatchObject({ fault: "upstream-broken" });
    expect(methods(requests).filter((method) => method === "GET")).toHaveLength(5);
  });

  it("is given up at once where the server refuses to go on, and the call is not sent again", async () => {
    const server = breaking(FIRST, () => new Response(null, { status: 404 }));
    const { upstream, requests, clock } = createBench(server);
    const reply = upstream.request(call().call).catch((problem: unknown) => problem);
    await until(() => requests.length === 3);
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    clock.advance(500);
    expect(await reply).toMatchObject({ fault: "upstream-broken" });
    expect(methods(requests).filter((method) => method === "tools/call")).toHaveLength(1);
  });

  it("of 2026-07-28 is not taken up: the request is lost", async () => {
    const { upstream, requests } = createBench({ handler: modernServer(() => stream(FIRST)) });
    await expect(upstream.request(call(CALL, MODERN).call)).rejects.toMatchObject({ fault: "upstream-broken" });
    expect(methods(requests)).toEqual(["tools/call"]);
  });
});
