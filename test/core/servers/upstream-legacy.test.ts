import { describe, expect, it } from "vitest";
import { createFakeTables } from "../../fakes/tables.ts";
import { createOpenBody, events, json, stream, turns, until } from "../transports/fakes.ts";
import {
  AGENT,
  CALL,
  call,
  createBench,
  legacyServer,
  methods,
  notification,
  OTHER,
  PRIVATE,
  rpcError,
  rpcResult,
} from "./fakes.ts";

const live = () => new AbortController().signal;
const echo = legacyServer(({ json: { id } }) => json(rpcResult(id, { content: [] })));

describe("a session of 2025-11-25", () => {
  it("is opened before the first request and once for each principal and revision", async () => {
    const { upstream, requests } = createBench({ handler: echo });
    await Promise.all([upstream.request(call().call), upstream.request(call().call)]);
    await upstream.open({ principalKey: AGENT, revision: "2025-11-25" }, live());
    expect(methods(requests)).toEqual(["initialize", "notifications/initialized", "tools/call", "tools/call"]);
    await upstream.request(call(CALL, { principalKey: OTHER }).call);
    expect(methods(requests).slice(4)).toEqual(["initialize", "notifications/initialized", "tools/call"]);
  });

  it("gives the exact text of the server's result", async () => {
    const exact = '{ "protocolVersion":"2025-11-25", "capabilities":{}, "n":12345678901234567890 }';
    const { upstream } = createBench({
      handler: ({ json: { id, method } }) =>
        method === "initialize"
          ? json(`{"result":${exact},"id":${id},"jsonrpc":"2.0"}`)
          : new Response(null, { status: 202 }),
    });
    expect(await upstream.open({ principalKey: AGENT, revision: "2025-11-25" }, live())).toEqual({
      revision: "2025-11-25",
      resultText: exact,
    });
  });

  it("sends version and session only after initialize", async () => {
    const { upstream, requests } = createBench({ handler: echo });
    await upstream.request(call().call);
    const [initialize, ...later] = requests;
    expect(Object.keys(initialize?.headers ?? {}).sort()).toEqual(["Accept", "Content-Type"]);
    for (const { headers } of later) {
      expect(headers).toMatchObject({ "MCP-Protocol-Version": "2025-11-25", "Mcp-Session-Id": "session-1" });
    }
  });

  it("settles on the server's older revision and keeps that session for it", async () => {
    const { upstream, requests } = createBench({
      handler: legacyServer(({ json: { id } }) => json(rpcResult(id, {})), { version: "2025-03-26" }),
    });
    expect((await upstream.open({ principalKey: AGENT, revision: "2025-11-25" }, live())).revision).toBe("2025-03-26");
    await upstream.request(call(CALL, { revision: "2025-03-26" }).call);
    expect(methods(requests)).toEqual(["initialize", "notifications/initialized", "tools/call"]);
    expect(requests[2]?.headers).not.toHaveProperty("MCP-Protocol-Version");
  });

  it("is not begun with a server whose revision navra does not know", async () => {
    const { upstream } = createBench({ handler: legacyServer(() => json("{}"), { version: "1999-01-01" }) });
    await expect(upstream.open({ principalKey: AGENT, revision: "2025-11-25" }, live())).rejects.toMatchObject({
      fault: "era-mismatch",
    });
  });

  it("refuses a session id that could not be a header", async () => {
    const { upstream } = createBench({ handler: legacyServer(() => json("{}"), { session: "has space" }) });
    await expect(upstream.open({ principalKey: AGENT, revision: "2025-11-25" }, live())).rejects.toMatchObject({
      fault: "upstream-broken",
    });
  });

  it("is not cancelled for others when one caller gives up waiting for it", async () => {
    let answer: (response: Response) => void = () => {};
    const { upstream, requests } = createBench({
      handler: (seen) =>
        seen.json.method === "initialize"
          ? new Promise((resolve) => {
              answer = resolve;
            })
          : echo(seen),
    });
    const stop = new AbortController();
    const first = upstream.request(call(CALL, { signal: stop.signal }).call);
    const second = upstream.request(call().call);
    await turns();
    stop.abort();
    await expect(first).rejects.toMatchObject({ fault: "cancelled" });
    answer(await echo(requests[0] as never));
    expect((await second).kind).toBe("result");
  });

  it("is begun anew after it failed", async () => {
    let tries = 0;
    const { upstream } = createBench({
      handler: (seen) =>
        seen.json.method === "initialize" && ++tries === 1 ? new Response("", { status: 503 }) : echo(seen),
    });
    await expect(upstream.request(call().call)).rejects.toMatchObject({ fault: "upstream-unreachable" });
    expect((await upstream.request(call().call)).kind).toBe("result");
  });

  it("outlives the worker", async () => {
    const tables = createFakeTables();
    const before = createBench({ handler: echo, tables });
    const opened = await before.upstream.open({ principalKey: AGENT, revision: "2025-11-25" }, live());
    const after = createBench({ handler: echo, tables });
    expect(await after.upstream.open({ principalKey: AGENT, revision: "2025-11-25" }, live())).toEqual(opened);
    await after.upstream.request(call().call);
    expect(methods(after.requests)).toEqual(["tools/call"]);
    expect(after.requests[0]?.headers).toHaveProperty("Mcp-Session-Id", "session-1");
  });

  it("outlives the worker under the revision the server settled on", async () => {
    const handler = legacyServer(({ json: { id } }) => json(rpcResult(id, {})), { version: "2025-06-18" });
    const tables = createFakeTables();
    await createBench({ handler, tables }).upstream.open({ principalKey: AGENT, revision: "2025-11-25" }, live());
    const after = createBench({ handler, tables });
    await after.upstream.request(call(CALL, { revision: "2025-06-18" }).call);
    expect(methods(after.requests)).toEqual(["tools/call"]);
  });

  it("of a private window is never written", async () => {
    const { upstream, rows } = createBench({ handler: echo });
    await upstream.request(call(CALL, { principalKey: PRIVATE }).call);
    await turns();
    expect(rows.size).toBe(0);
  });

  it("ends with a DELETE, its calls and its row when the principal's is closed, and leaves others alone", async () => {
    const { upstream, requests, rows } = createBench({
      handler: legacyServer((seen) =>
        seen.json.params?.name === "slow" ? new Promise<Response>(() => undefined) : json(rpcResult(seen.json.id, {})),
      ),
    });
    await upstream.request(call(CALL, { principalKey: OTHER }).call);
    const open = upstream.request(call(CALL.replace("echo", "slow")).call);
    await until(() => methods(requests).filter((method) => method === "tools/call").length === 2);
    upstream.close(AGENT);
    await expect(open).rejects.toMatchObject({ fault: "cancelled" });
    await turns();
    expect(
      requests.filter(({ method }) => method === "DELETE").map(({ headers }) => headers["Mcp-Session-Id"]),
    ).toEqual(["session-1"]);
    expect([...rows.keys()]).toEqual([expect.stringContaining("other.example")]);
    await upstream.request(call(CALL, { principalKey: OTHER }).call);
    expect(methods(requests).filter((method) => method === "initialize")).toHaveLength(2);
  });
});

describe("a session that the server forgot", () => {
  const forgetful = (body: (id: unknown) => Response, forgets = 1) => {
    let left = forgets;
    return legacyServer((seen) => {
      if (seen.json.method === "tools/call" && left-- > 0) return body(seen.json.id);
      return json(rpcResult(seen.json.id, {}));
    });
  };

  it.each([
    ["without a body", () => new Response(null, { status: 404 })],
    ["with an error", () => json(rpcError(null, -32001), { status: 404 })],
  ])("is opened again after a 404 %s, and the call is sent once more", async (_how, body) => {
    const { upstream, requests } = createBench({ handler: forgetful(body) });
    const seen = call();
    expect((await upstream.request(seen.call)).kind).toBe("result");
    expect(methods(requests)).toEqual([
      "initialize",
      "notifications/initialized",
      "tools/call",
      "initialize",
      "notifications/initialized",
      "tools/call",
    ]);
    expect(seen.sent).toBe(1);
    expect(requests[2]?.json.id).not.toBe(requests[5]?.json.id);
  });

  it("does not take the session that replaced it along, when a 404 comes late", async () => {
    const answers: ((response: Response) => void)[] = [];
    const { upstream, requests, rows } = createBench({
      handler: legacyServer(({ json: { id } }) =>
        answers.length < 2
          ? new Promise<Response>((resolve) => {
              answers.push(resolve);
            })
          : json(rpcResult(id, {})),
      ),
    });
    const replies = [upstream.request(call().call), upstream.request(call().call)];
    await until(() => answers.length === 2);
    for (const answer of answers) {
      answer(new Response(null, { status: 404 }));
      await turns();
    }
    await Promise.all(replies);
    expect(methods(requests).filter((method) => method === "initialize")).toHaveLength(2);
    expect(rows.size).toBe(1);
  });

  it("is not opened for ever", async () => {
    const { upstream, requests } = createBench({ handler: forgetful(() => new Response(null, { status: 404 }), 99) });
    await expect(upstream.request(call().call)).rejects.toMatchObject({ fault: "upstream-broken" });
    expect(methods(requests).filter((method) => method === "tools/call")).toHaveLength(2);
  });

  it("is opened again only with the next call after a 400, which may mean something else", async () => {
    const { upstream, requests } = createBench({
      handler: forgetful((id) => json(rpcError(id, -32000), { status: 400 })),
    });
    expect((await upstream.request(call().call)).kind).toBe("error");
    expect((await upstream.request(call().call)).kind).toBe("result");
    expect(methods(requests).filter((method) => method === "initialize")).toHaveLength(2);
  });
});

describe("a call", () => {
  it("is numbered anew, and its reply carries the agent's id with all other bytes kept", async () => {
    const { upstream, requests } = createBench({
      handler: legacyServer(({ json: { id } }) =>
        json(`{ "result" : {"n":12345678901234567890,"e":1e2,"s":"\\u00e9"}, "id" : ${id},"jsonrpc":"2.0" }`),
      ),
    });
    const seen = call();
    const reply = await upstream.request(seen.call);
    expect(reply).toMatchObject({ kind: "result", id: '"a-1"' });
    expect(reply.text).toBe(
      `{ "result" : {"n":12345678901234567890,"e":1e2,"s":"\\u00e9"}, "id" : "a-1","jsonrpc":"2.0" }`,
    );
    expect(requests[2]?.body).toBe(CALL.replace('"a-1"', String(requests[2]?.json.id)));
    expect(seen.sent).toBe(1);
  });

  it("never uses an id twice, also after the worker came back", async () => {
    const { upstream, requests } = createBench({ handler: echo });
    for (let count = 0; count < 5; count += 1) await upstream.request(call().call);
    const ids = requests.map(({ json: body }) => body.id).filter((id) => id !== undefined);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("keeps an error object with members of the server's own", async () => {
    const { upstream } = createBench({
      handler: legacyServer(({ json: { id } }) =>
        json(
          `{"jsonrpc":"2.0","id":${id},"error":{"code":-32042,"message":"m","data":{"a":1},"extra":{"deep":[1e2]}}}`,
          {
            status: 400,
          },
        ),
      ),
    });
    expect((await upstream.request(call().call)).text).toBe(
      '{"jsonrpc":"2.0","id":"a-1","error":{"code":-32042,"message":"m","data":{"a":1},"extra":{"deep":[1e2]}}}',
    );
  });

  it("gets progress with the agent's own token, and other notifications as they are", async () => {
    const asking = CALL.replace('"params":{', '"params":{"_meta":{"progressToken":12345678901234567890},');
    const log = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1e2}}';
    const { upstream, requests } = createBench({
      handler: legacyServer(({ json: { id, params } }) => {
        const token = (params as { _meta: { progressToken: unknown } })._meta.progressToken;
        const progress = (of: unknown) =>
          `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1.0,"progressToken":${JSON.stringify(of)}}}`;
        return events(progress(token), log, progress("stranger's"), rpcResult(id, {}));
      }),
    });
    const seen = call(asking);
    await upstream.request(seen.call);
    expect(seen.events.map(({ text }) => text)).toEqual([
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1.0,"progressToken":12345678901234567890}}',
      log,
    ]);
    expect(requests[2]?.json.params).toMatchObject({ _meta: { progressToken: requests[2]?.json.id } });
    expect(upstream.drops.stray).toBe(1);
  });

  it("gets no progress that it did not ask for", async () => {
    const { upstream } = createBench({
      handler: legacyServer(({ json: { id } }) =>
        events(
          `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1,"progressToken":${id}}}`,
          rpcResult(id, {}),
        ),
      ),
    });
    const seen = call();
    await upstream.request(seen.call);
    expect([seen.events.length, upstream.drops.stray]).toEqual([0, 1]);
  });

  it("lets the server ask back, and posts the whole reply in the session", async () => {
    const open = createOpenBody();
    const { upstream, requests } = createBench({ handler: legacyServer(() => stream(open.body)) });
    const seen = call();
    const reply = upstream.request(seen.call);
    await until(() => requests.length === 3);
    open.write('data: {"jsonrpc":"2.0","id":"srv","method":"roots/list"}\n\n');
    open.write('data: {"jsonrpc":"2.0","id":2,"method":"ping"}\n\n');
    await until(() => requests.length === 5);
    expect(seen.backs.map(({ method }) => method)).toEqual(["roots/list"]);
    expect(
      requests
        .slice(3)
        .map(({ body }) => body)
        .sort(),
    ).toEqual([
      '{"jsonrpc":"2.0","id":"srv","error":{"code":-32601,"message":"no"}}',
      '{"jsonrpc":"2.0","id":2,"result":{}}',
    ]);
    expect(requests[3]?.headers).toHaveProperty("Mcp-Session-Id", "session-1");
    open.write(`data: ${rpcResult(requests[2]?.json.id, {})}\n\n`);
    await reply;
  });

  it("answers the server also where asking the agent fails", async () => {
    const { upstream, requests } = createBench({
      handler: legacyServer(({ json: { id } }) =>
        events('{"jsonrpc":"2.0","id":9,"method":"roots/list"}', rpcResult(id, {})),
      ),
    });
    await upstream.request(call(CALL, { back: () => Promise.reject(new Error("gone")) }).call);
    await until(() => requests.length === 4);
    expect(requests[3]?.json).toMatchObject({ id: 9, error: { code: -32603 } });
  });

  it("that is cancelled tells the server by the id it knows, and ends at once", async () => {
    const { upstream, requests } = createBench({ handler: legacyServer(() => new Promise<Response>(() => undefined)) });
    const stop = new AbortController();
    const reply = upstream.request(call(CALL, { signal: stop.signal }).call);
    await until(() => requests.length === 3);
    stop.abort();
    await expect(reply).rejects.toMatchObject({ fault: "cancelled" });
    expect(requests[3]?.json).toMatchObject({
      method: "notifications/cancelled",
      params: { requestId: requests[2]?.json.id },
    });
  });

  it("that was cancelled before sends nothing at all", async () => {
    const { upstream, requests } = createBench({ handler: echo });
    const stop = new AbortController();
    stop.abort();
    const seen = call(CALL, { signal: stop.signal });
    await expect(upstream.request(seen.call)).rejects.toMatchObject({ fault: "cancelled" });
    expect([requests.length, seen.sent]).toEqual([0, 0]);
  });
});

describe("what an agent announces", () => {
  it("goes to the server in the session, except what navra says itself", async () => {
    const { upstream, requests } = createBench({ handler: echo });
    for (const method of ["notifications/initialized", "notifications/cancelled", "notifications/roots/list_changed"]) {
      await upstream.notify({ principalKey: AGENT, revision: "2025-11-25" }, notification(method));
    }
    expect(methods(requests)).toEqual(["initialize", "notifications/initialized", "notifications/roots/list_changed"]);
    expect(requests[2]?.headers).toHaveProperty("Mcp-Session-Id", "session-1");
  });
});
