/** The standing stream of a session up to 2025-11-25, and what servers say on it. */
import { describe, expect, it } from "vitest";
import { createFakeTables } from "../../fakes/tables.ts";
import { createOpenBody, type Handler, json, stream, turns, until } from "../transports/fakes.ts";
import {
  AGENT,
  CALL,
  call,
  createBench,
  legacyServer,
  MODERN,
  methods,
  modernServer,
  OTHER,
  rpcResult,
} from "./fakes.ts";

const echo = legacyServer(({ json: { id } }) => json(rpcResult(id, { content: [] })));
const LIST_CHANGED = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}';

describe("the standing stream", () => {
  it("is opened once for a session, in its name, and brings what belongs to no call", async () => {
    const open = createOpenBody();
    const { upstream, stands, unsolicited } = createBench({ handler: echo, standing: () => stream(open.body) });
    await upstream.request(call().call);
    await upstream.request(call().call);
    open.write(`data: ${LIST_CHANGED}\n\n`);
    await until(() => unsolicited.length === 1);
    expect(unsolicited).toMatchObject([[AGENT, { method: "notifications/tools/list_changed" }]]);
    expect(stands).toHaveLength(1);
    expect(stands[0]?.headers).toMatchObject({ Accept: "text/event-stream", "Mcp-Session-Id": "session-1" });
  });

  it("brings a server's request to the only open call, and its answer is posted in the session", async () => {
    const open = createOpenBody();
    let answer: (response: Response) => void = () => {};
    const { upstream, requests } = createBench({
      handler: legacyServer(
        () =>
          new Promise((resolve) => {
            answer = resolve;
          }),
      ),
      standing: () => stream(open.body),
    });
    const seen = call();
    const reply = upstream.request(seen.call);
    await until(() => requests.length === 3);
    open.write('data: {"jsonrpc":"2.0","id":"e","method":"elicitation/create","params":{}}\n\n');
    await until(() => requests.length === 4);
    expect(seen.backs.map(({ method }) => method)).toEqual(["elicitation/create"]);
    expect(requests[3]?.headers).toHaveProperty("Mcp-Session-Id", "session-1");
    expect(requests[3]?.json.id).toBe("e");
    answer(json(rpcResult(requests[2]?.json.id, {})));
    await reply;
  });

  it("brings progress to the call it belongs to", async () => {
    const open = createOpenBody();
    const body = createOpenBody();
    const { upstream, requests } = createBench({
      handler: legacyServer(() => stream(body.body)),
      standing: () => stream(open.body),
    });
    const seen = call(CALL.replace('"params":{', '"params":{"_meta":{"progressToken":"mine"},'));
    const reply = upstream.request(seen.call);
    await until(() => requests.length === 3);
    const id = requests[2]?.json.id;
    open.write(
      `data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${id},"progress":1}}\n\n`,
    );
    await until(() => seen.events.length === 1);
    body.write(`data: ${rpcResult(id, {})}\n\n`);
    await reply;
    expect(seen.events).toMatchObject([{ params: { progressToken: "mine" } }]);
  });

  it.each([
    ["405", () => new Response(null, { status: 405 })],
    ["404", () => new Response(null, { status: 404 })],
    ["406", () => json("{}", { status: 406 })],
    ["400", () => json("{}", { status: 400 })],
    ["401", () => new Response(null, { status: 401 })],
    ["403", () => new Response(null, { status: 403 })],
    ["a 200 that is no event stream", () => json("{}")],
  ])("is not asked for again where the server says %s, and costs no call", async (_what, standing) => {
    const { upstream, stands, clock } = createBench({ handler: echo, standing });
    for (let count = 0; count < 3; count += 1) {
      expect((await upstream.request(call().call)).kind).toBe("result");
      clock.advance(60_000);
      await turns();
    }
    expect(stands).toHaveLength(1);
  });

  it("that opens and ends without a word is opened a few times only", async () => {
    const { upstream, stands, clock } = createBench({ handler: echo, standing: () => stream("") });
    await upstream.request(call().call);
    for (let turn = 0; turn < 100; turn += 1) {
      await turns(3);
      clock.advance(1_000);
    }
    expect(stands.length).toBeGreaterThan(1);
    expect(stands.length).toBeLessThanOrEqual(6);
  });

  it("goes on after its last event, after the time the server named", async () => {
    const last = createOpenBody();
    const { upstream, requests, clock, unsolicited } = createBench({
      handler: (seen) => (seen.method === "GET" ? stream(last.body) : echo(seen)),
      standing: () => stream(`id: 7\nretry: 250\ndata: ${LIST_CHANGED}\n\n`),
    });
    await upstream.request(call().call);
    await until(() => unsolicited.length === 1);
    await turns();
    clock.advance(249);
    await turns();
    expect(requests.some(({ method }) => method === "GET")).toBe(false);
    clock.advance(1);
    await until(() => requests.some(({ method }) => method === "GET"));
    expect(requests.at(-1)?.headers).toMatchObject({ "Last-Event-ID": "7" });
  });

  it("is closed when nobody listens, and opened with the next request", async () => {
    const bodies = [createOpenBody(), createOpenBody()];
    const { upstream, stands } = createBench({
      handler: echo,
      standing: () => stream(bodies[stands.length - 1]?.body ?? ""),
    });
    await upstream.request(call().call);
    await until(() => stands.length === 1);
    await turns();
    upstream.attend(AGENT, false);
    await until(() => bodies[0]?.cancelled() === true);
    await upstream.request(call().call);
    expect(stands).toHaveLength(2);
  });

  it("is not opened while nobody looks, and opened without a request when somebody does again", async () => {
    let looks = false;
    const { upstream, stands } = createBench({
      handler: echo,
      standing: () => stream(createOpenBody().body),
      attended: () => looks,
    });
    upstream.attend(AGENT, true);
    for (let count = 0; count < 3; count += 1) await upstream.request(call().call);
    expect(stands).toHaveLength(0);
    looks = true;
    upstream.attend(AGENT, true);
    await until(() => stands.length === 1);
    await upstream.request(call().call);
    await turns();
    expect(stands).toHaveLength(1);
  });

  it("is taken up again after the worker's death in the session that stood, and begins none", async () => {
    const tables = createFakeTables();
    await createBench({ handler: echo, tables }).upstream.request(call().call);
    const open = createOpenBody();
    const { upstream, stands, requests } = createBench({ handler: echo, standing: () => stream(open.body), tables });
    upstream.stand({ principalKey: OTHER, revision: "2025-11-25" });
    upstream.stand({ principalKey: AGENT, revision: "2025-11-25" });
    await until(() => stands.length === 1);
    await turns();
    expect(stands[0]?.headers).toMatchObject({ "Mcp-Session-Id": "session-1" });
    expect([stands.length, requests.length]).toEqual([1, 0]);
  });

  it("of a session that the server forgot stands in a new one, without a request of the agent's", async () => {
    let session = "session-1";
    const server = (): Handler => legacyServer(({ json: { id } }) => json(rpcResult(id, {})), { session });
    const knows: Handler = (seen) => {
      const named = seen.headers["Mcp-Session-Id"];
      return named === undefined || named === session ? server()(seen) : new Response(null, { status: 404 });
    };
    const { upstream, stands, requests, begun, clock } = createBench({
      handler: knows,
      standing: ({ headers }) =>
        headers["Mcp-Session-Id"] === session ? stream(createOpenBody().body) : new Response(null, { status: 404 }),
    });
    await upstream.request(call().call);
    await until(() => stands.length === 1);
    upstream.attend(AGENT, false);
    session = "session-2";
    clock.advance(1_000);
    upstream.attend(AGENT, true);
    await until(() => stands.length === 3);
    expect(stands[2]?.headers).toHaveProperty("Mcp-Session-Id", "session-2");
    expect(methods(requests).filter((method) => method === "initialize")).toHaveLength(2);
    expect(begun).toEqual([AGENT, AGENT]);
    clock.advance(120_000);
    await turns();
    expect(stands).toHaveLength(3);
  });

  it("of a server that was restarted stands again in a new session, while somebody looks", async () => {
    let session = "session-1";
    const streams: ReturnType<typeof createOpenBody>[] = [];
    const { upstream, stands, clock } = createBench({
      handler: (seen) => {
        const named = seen.headers["Mcp-Session-Id"];
        if (named !== undefined && named !== session) return new Response(null, { status: 404 });
        return legacyServer(({ json: { id } }) => json(rpcResult(id, {})), { session })(seen);
      },
      standing({ headers }) {
        if (headers["Mcp-Session-Id"] !== session) return new Response(null, { status: 404 });
        const open = createOpenBody();
        streams.push(open);
        return stream(open.body);
      },
    });
    await upstream.request(call().call);
    await until(() => streams.length === 1);
    session = "session-2";
    streams[0]?.end();
    await turns();
    clock.advance(1_000);
    await until(() => streams.length === 2);
    expect(stands.at(-1)?.headers).toHaveProperty("Mcp-Session-Id", "session-2");
  });

  it("that the server does not have, whatever it says, costs one question each time somebody looks again", async () => {
    const { upstream, stands, requests } = createBench({
      handler: echo,
      standing: () => new Response(null, { status: 404 }),
    });
    await upstream.request(call().call);
    for (let count = 1; count <= 3; count += 1) {
      upstream.attend(AGENT, false);
      upstream.attend(AGENT, true);
      await until(() => stands.length === 1 + count);
      await turns();
    }
    expect(methods(requests).filter((method) => method === "ping")).toHaveLength(3);
    expect(methods(requests).filter((method) => method === "initialize")).toHaveLength(1);
  });

  it("is not asked for without end of a server that forgets each session at once", async () => {
    let count = 0;
    const forgets: Handler = (seen) => {
      if (seen.json.method !== "initialize") {
        return new Response(null, { status: seen.json.id === undefined && seen.method === "POST" ? 202 : 404 });
      }
      count += 1;
      return legacyServer(() => json("{}"), { session: `session-${count}` })(seen);
    };
    const { upstream, clock } = createBench({ handler: forgets, standing: () => new Response(null, { status: 404 }) });
    await upstream.request(call().call).catch(() => undefined);
    upstream.attend(AGENT, false);
    upstream.attend(AGENT, true);
    for (let turn = 0; turn < 50; turn += 1) {
      await turns(3);
      clock.advance(1_000);
    }
    expect(count).toBeLessThan(8);
  });

  it("that could not be reached for a while is opened with the next request", async () => {
    let down = true;
    const { upstream, stands, clock } = createBench({
      handler: echo,
      standing: () => {
        if (down) throw new TypeError("Failed to fetch");
        return stream(createOpenBody().body);
      },
    });
    await upstream.request(call().call);
    for (let turn = 0; turn < 100; turn += 1) {
      await turns(3);
      clock.advance(1_000);
    }
    const before = stands.length;
    down = false;
    await upstream.request(call().call);
    await until(() => stands.length === before + 1);
  });

  it("is for agents: navra's own session has none, nor has 2026-07-28", async () => {
    const old = createBench({ handler: echo });
    await old.upstream.probe(new AbortController().signal);
    expect(old.stands).toHaveLength(0);
    const { upstream, stands } = createBench({
      handler: modernServer(({ json: { id } }) => json(rpcResult(id, { resultType: "complete" }))),
    });
    await upstream.request(call(CALL, MODERN).call);
    expect(stands).toHaveLength(0);
  });
});
