import { describe, expect, it } from "vitest";
import { createOpenBody, events, json, stream, turns, until } from "../transports/fakes.ts";
import { AGENT, CALL, call, createBench, MODERN, methods, modernServer, OTHER, rpcError, rpcResult } from "./fakes.ts";

const live = () => new AbortController().signal;
const VERSION = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
const CLIENT = "io.modelcontextprotocol/clientInfo";
const echo = modernServer(({ json: { id } }) => json(rpcResult(id, { resultType: "complete" })));

describe("a request of 2026-07-28", () => {
  it("stands alone: no handshake, and the standard headers say what the body says", async () => {
    const { upstream, requests } = createBench({ handler: echo });
    await upstream.request(call(CALL, MODERN).call);
    expect(methods(requests)).toEqual(["tools/call"]);
    expect(requests[0]?.headers).toMatchObject({
      "MCP-Protocol-Version": "2026-07-28",
      "Mcp-Method": "tools/call",
      "Mcp-Name": "echo",
    });
  });

  it("carries navra's protocol keys where the agent gave no _meta", async () => {
    const { upstream, requests } = createBench({ handler: echo });
    await upstream.request(call('{"jsonrpc":"2.0","id":1,"method":"tools/list"}', MODERN).call);
    expect(requests[0]?.json.params?._meta).toEqual({
      [VERSION]: "2026-07-28",
      [CAPABILITIES]: {},
      [CLIENT]: { name: "navra", version: expect.any(String) },
      traceparent: expect.any(String),
    });
  });

  it("begins a trace where the agent is in none, and a new span with each request", async () => {
    const { upstream, requests } = createBench({ handler: echo });
    const trace = "0af7651916cd43dd8448eb211c80319c";
    for (let count = 0; count < 2; count += 1) {
      await upstream.request(call('{"jsonrpc":"2.0","id":1,"method":"tools/list"}', { ...MODERN, trace }).call);
    }
    const begun = requests.map(({ json }) => JSON.stringify(json).match(/"traceparent":"([^"]*)"/)?.[1] ?? "");
    expect(begun.map((text) => text.replace(/-[0-9a-f]{16}-/, "-span-"))).toEqual(Array(2).fill(`00-${trace}-span-01`));
    expect(new Set(begun).size).toBe(2);
  });

  it("overwrites what the agent wrote there, keeps its name and every other key and byte", async () => {
    const meta = `{"${CAPABILITIES}":{"sampling":{}},"traceparent":"00-1","x":1e2,"${VERSION}":"1999-01-01","${CLIENT}":{"name":"chat","version":"9"}}`;
    const { upstream, requests } = createBench({ handler: echo });
    await upstream.request(call(CALL.replace('"params":{', `"params":{"_meta":${meta},`), MODERN).call);
    expect(requests[0]?.body).toBe(
      CALL.replace('"a-1"', String(requests[0]?.json.id)).replace(
        '"params":{',
        `"params":{"_meta":${meta.replace('{"sampling":{}}', "{}").replace("1999-01-01", "2026-07-28")},`,
      ),
    );
  });

  it("maps progress like any other", async () => {
    const { upstream } = createBench({
      handler: modernServer(({ json: { id } }) =>
        events(
          `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${id},"progress":1}}`,
          rpcResult(id, {}),
        ),
      ),
    });
    const seen = call(CALL.replace('"params":{', '"params":{"_meta":{"progressToken":"mine"},'), MODERN);
    await upstream.request(seen.call);
    expect(seen.events).toMatchObject([{ params: { progressToken: "mine", progress: 1 } }]);
  });

  it("is cancelled by closing the response, without a notification", async () => {
    const open = createOpenBody();
    const { upstream, requests } = createBench({ handler: modernServer(() => stream(open.body)) });
    const stop = new AbortController();
    const reply = upstream.request(call(CALL, { ...MODERN, signal: stop.signal }).call);
    await until(() => requests.length === 1);
    await turns();
    stop.abort();
    await expect(reply).rejects.toMatchObject({ fault: "cancelled" });
    expect([open.cancelled(), requests.length]).toEqual([true, 1]);
  });

  it("is not asked back: such a request is dropped", async () => {
    const { upstream, requests } = createBench({
      handler: modernServer(({ json: { id } }) =>
        events('{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage"}', rpcResult(id, {})),
      ),
    });
    const seen = call(CALL, MODERN);
    await upstream.request(seen.call);
    await turns();
    expect([seen.backs.length, requests.length, upstream.drops.stray]).toEqual([0, 1, 1]);
  });

  it("hears a 404 with an error as the server's answer", async () => {
    const { upstream, requests } = createBench({
      handler: modernServer(({ json: { id } }) => json(rpcError(id, -32601), { status: 404 })),
    });
    expect(await upstream.request(call(CALL, MODERN).call)).toMatchObject({ kind: "error", id: '"a-1"' });
    expect(requests).toHaveLength(1);
  });

  it("has no session, whatever the server offers", async () => {
    const { upstream, requests, rows } = createBench({
      handler: modernServer(({ json: { id } }) => json(rpcResult(id, {}), { headers: { "mcp-session-id": "s" } })),
    });
    await upstream.request(call(CALL, MODERN).call);
    await upstream.request(call(CALL, MODERN).call);
    expect(requests[1]?.headers).not.toHaveProperty("Mcp-Session-Id");
    expect(rows.size).toBe(0);
  });
});

describe("a discovery", () => {
  it("is asked once for each principal, given as the exact text, and asked again when its time is over", async () => {
    const exact = '{"supportedVersions" : ["2026-07-28"],"ttlMs":1.2e5}';
    const { upstream, requests, clock } = createBench({
      handler: ({ json: { id } }) => json(`{"jsonrpc":"2.0","id":${id},"result":${exact}}`),
    });
    const opened = { revision: "2026-07-28", resultText: exact };
    expect(await upstream.open({ principalKey: AGENT, revision: "2026-07-28" }, live())).toEqual(opened);
    clock.advance(119_000);
    expect(await upstream.open({ principalKey: AGENT, revision: "2026-07-28" }, live())).toEqual(opened);
    expect(requests).toHaveLength(1);
    await upstream.open({ principalKey: OTHER, revision: "2026-07-28" }, live());
    clock.advance(1_000);
    await upstream.open({ principalKey: AGENT, revision: "2026-07-28" }, live());
    expect(requests).toHaveLength(3);
  });

  it("without a revision in common is a named fault", async () => {
    const { upstream } = createBench({
      handler: ({ json: { id } }) => json(rpcResult(id, { supportedVersions: ["2099-01-01"] })),
    });
    await expect(upstream.open({ principalKey: AGENT, revision: "2026-07-28" }, live())).rejects.toMatchObject({
      fault: "era-mismatch",
    });
  });
});

describe("a request whose version was refused", () => {
  const refused = (supported: readonly string[]) => (id: unknown) =>
    json(rpcError(id, -32022, { supported, requested: "2026-07-28" }), { status: 400 });

  it("is sent once more where the server names that very version as one it speaks", async () => {
    let turn = 0;
    const { upstream, requests } = createBench({
      handler: modernServer(({ json: { id } }) =>
        ++turn === 1 ? refused(["2026-07-28"])(id) : json(rpcResult(id, { resultType: "complete" })),
      ),
    });
    expect((await upstream.request(call(CALL, MODERN).call)).kind).toBe("result");
    expect(methods(requests)).toEqual(["tools/call", "tools/call"]);
    expect(requests[0]?.json.id).not.toBe(requests[1]?.json.id);
  });

  it("is not where it names others, or refuses again", async () => {
    const others = createBench({ handler: modernServer(({ json: { id } }) => refused(["2027-01-01"])(id)) });
    expect((await others.upstream.request(call(CALL, MODERN).call)).kind).toBe("error");
    expect(others.requests).toHaveLength(1);
    const again = createBench({ handler: modernServer(({ json: { id } }) => refused(["2026-07-28"])(id)) });
    expect((await again.upstream.request(call(CALL, MODERN).call)).kind).toBe("error");
    expect(again.requests).toHaveLength(2);
  });
});
