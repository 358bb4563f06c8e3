import { describe, expect, it } from "vitest";
import { createHttpChannel } from "../../../src/core/transports/streamable-http.ts";
import { DEFAULT_LIMITS } from "../../../src/core/wire/json.ts";
import { type FarSide, keepsTheChannelContract } from "./contract.ts";
import { createFakeFetch, createOpenBody, events, type Handler, json, stream, turns, until } from "./fakes.ts";

const URL_TEXT = "https://tools.example/mcp";
const REPLY = '{"jsonrpc":"2.0","id":1,"result":{}}';

function farSide(respond: (frames: readonly string[]) => Response): FarSide {
  const received: string[] = [];
  let next: readonly string[] = [];
  const { fetch } = createFakeFetch(({ body }) => {
    received.push(body ?? "");
    return next.length > 0 ? respond(next) : new Response(null, { status: 202 });
  });
  const channel = createHttpChannel({ url: URL_TEXT, fetch, limits: DEFAULT_LIMITS });
  return {
    channel,
    received,
    arrived: [],
    answer: (frames) => {
      next = frames;
    },
  };
}

describe("the channel contract over HTTP with event streams", () => {
  keepsTheChannelContract(() => farSide((frames) => events(...frames)));
});

describe("the channel contract over HTTP with JSON", () => {
  // One response is one document, so the far side's frames are carried as one.
  keepsTheChannelContract(() => {
    const far = farSide((frames) => json(JSON.stringify(frames)));
    return {
      ...far,
      arrived: new Proxy([] as string[], {
        get: (list, member) =>
          member === "push"
            ? (text: string) => list.push(...(JSON.parse(text) as string[]))
            : Reflect.get(list, member),
      }),
    };
  });
});

/** Sends one request and gives what arrived, or the fault. */
async function ask(handler: Handler, limits = DEFAULT_LIMITS, signal = new AbortController().signal) {
  const { fetch, requests } = createFakeFetch(handler);
  const channel = createHttpChannel({ url: URL_TEXT, fetch, limits });
  const frames: string[] = [];
  const statuses: number[] = [];
  const outcome = await channel
    .send(
      { text: '{"jsonrpc":"2.0","id":1,"method":"ping"}', headers: { "Mcp-Session-Id": "s" }, kind: "request" },
      { signal, sent() {}, frame: (text) => frames.push(text), head: (_get, status) => statuses.push(status) },
    )
    .then(
      () => "done",
      (problem: unknown) => problem,
    );
  return { frames, statuses, outcome, requests };
}

describe("a request over Streamable HTTP", () => {
  it("accepts both kinds of answer and carries the given headers", async () => {
    const { requests } = await ask(() => json(REPLY));
    expect(requests[0]).toMatchObject({
      method: "POST",
      url: URL_TEXT,
      headers: {
        Accept: "application/json, text/event-stream",
        "Content-Type": "application/json",
        "Mcp-Session-Id": "s",
      },
    });
  });

  it("says that it is sent before the fetch begins, in the same task", () => {
    const order: string[] = [];
    const fetch = () => {
      order.push("fetch");
      return Promise.resolve(json(REPLY));
    };
    const channel = createHttpChannel({ url: URL_TEXT, fetch, limits: DEFAULT_LIMITS });
    const signal = new AbortController().signal;
    void channel.send(
      { text: "{}", headers: {}, kind: "request" },
      { signal, sent: () => order.push("sent"), frame() {} },
    );
    expect(order).toEqual(["sent", "fetch"]);
  });

  it("reads events however they are cut, and skips priming events, comments and other events", async () => {
    const bytes = new TextEncoder().encode(
      `id: 1\ndata:\n\n: keep-alive\n\nevent: ping\ndata: x\n\ndata: {"a":\r\ndata: "😀"}\r\n\r\nevent: message\ndata: ${REPLY}\n\n`,
    );
    const cut = createOpenBody();
    const answer = ask(() => stream(cut.body));
    for (const byte of bytes) cut.write(new Uint8Array([byte]));
    cut.end();
    expect((await answer).frames).toEqual(['{"a":\n"😀"}', REPLY]);
  });

  it("hands each event on as it arrives", async () => {
    const open = createOpenBody();
    const { fetch } = createFakeFetch(() => stream(open.body));
    const channel = createHttpChannel({ url: URL_TEXT, fetch, limits: DEFAULT_LIMITS });
    const frames: string[] = [];
    const signal = new AbortController().signal;
    const sending = channel.send(
      { text: "{}", headers: {}, kind: "request" },
      { signal, sent() {}, frame: (text) => frames.push(text) },
    );
    open.write("data: 1\n\n");
    await until(() => frames.length === 1);
    open.end();
    await sending;
  });

  it("ends at once and closes the response when it is aborted", async () => {
    const open = createOpenBody();
    const stop = new AbortController();
    const answer = ask(() => stream(open.body), DEFAULT_LIMITS, stop.signal);
    await turns();
    stop.abort();
    expect((await answer).outcome).toMatchObject({ fault: "cancelled" });
    expect(open.cancelled()).toBe(true);
  });

  it("ends at once when it is aborted before the server answered", async () => {
    const stop = new AbortController();
    const answer = ask(() => new Promise<Response>(() => undefined), DEFAULT_LIMITS, stop.signal);
    await turns();
    stop.abort();
    expect((await answer).outcome).toMatchObject({ fault: "cancelled" });
  });
});

describe("a bad server over Streamable HTTP", () => {
  const small = { ...DEFAULT_LIMITS, bytes: 100 };
  const long = "x".repeat(101);
  const invalid = new Uint8Array([0x64, 0x61, 0x74, 0x61, 0x3a, 0xff, 0xfe, 0x0a, 0x0a]);
  const broken = createOpenBody();
  const redirected = Object.defineProperties(json(REPLY), {
    redirected: { value: true },
    url: { value: "https://elsewhere.example/mcp" },
  });
  const within = Object.defineProperties(json(REPLY), {
    redirected: { value: true },
    url: { value: "https://tools.example/other" },
  });

  const faults: readonly [string, () => Response | Promise<Response>, string, RegExp][] = [
    [
      "a web page",
      () => new Response("<html>", { headers: { "content-type": "text/html; charset=utf-8" } }),
      "upstream-broken",
      /web page/,
    ],
    [
      "plain text",
      () => new Response("hi", { headers: { "content-type": "text/plain" } }),
      "upstream-broken",
      /neither JSON/,
    ],
    ["JSON over the limit", () => json(long), "too-large", /longer than the limit/],
    ["an event over the limit", () => stream(`data: ${long}\n\n`), "too-large", /longer than the limit/],
    ["an event over the limit that never ends", () => stream(`data: ${long}`), "too-large", /longer than the limit/],
    [
      "JSON that is not UTF-8",
      () => new Response(invalid, { headers: { "content-type": "application/json" } }),
      "upstream-broken",
      /not UTF-8/,
    ],
    [
      "JSON that ends within a character",
      () => new Response(new Uint8Array([0x22, 0xc3]), { headers: { "content-type": "application/json" } }),
      "upstream-broken",
      /not UTF-8/,
    ],
    ["an event that is not UTF-8", () => stream(invalid), "upstream-broken", /not UTF-8/],
    ["a redirect it followed elsewhere", () => redirected, "upstream-broken", /redirects/],
    [
      "a redirect it did not follow",
      () => new Response(null, { status: 307, headers: { location: "https://e.example" } }),
      "upstream-broken",
      /redirects/,
    ],
    [
      "a redirect it may not see",
      () => Object.defineProperty(new Response(null), "type", { value: "opaqueredirect" }),
      "upstream-broken",
      /redirects/,
    ],
    [
      "a connection that breaks",
      () => {
        broken.fail();
        return json(broken.body as never);
      },
      "upstream-broken",
      /broke while/,
    ],
    [
      "no connection",
      () => {
        throw new TypeError("fetch failed");
      },
      "upstream-unreachable",
      /could not be reached/,
    ],
    ["401", () => json(REPLY.replace("result", "error"), { status: 401 }), "upstream-broken", /sign-in/],
    [
      "403",
      () => json('{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":""}}', { status: 403 }),
      "upstream-broken",
      /Origin header/,
    ],
    ["404", () => new Response("nothing here", { status: 404 }), "upstream-broken", /no MCP endpoint/],
    ["500", () => new Response("oops", { status: 500 }), "upstream-broken", /HTTP 500/],
    ["503", () => new Response("", { status: 503 }), "upstream-unreachable", /not available/],
    ["a 400 whose JSON is no JSON-RPC", () => json('{"error":"no"}', { status: 400 }), "upstream-broken", /HTTP 400/],
  ];

  it.each(faults)("with %s is a named fault", async (_what, handler, fault, sentence) => {
    const { outcome, frames } = await ask(handler, small);
    expect(outcome).toMatchObject({ fault, message: expect.stringMatching(sentence) });
    expect(frames).toEqual([]);
  });

  it("may redirect within its own origin", async () => {
    expect((await ask(() => within)).frames).toEqual([REPLY]);
  });

  it.each([400, 404, 500])("that refuses with %i and a JSON-RPC error is heard", async (status) => {
    const frame = '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}';
    const { frames, statuses, outcome } = await ask(() => json(frame, { status }));
    expect({ frames, statuses, outcome }).toEqual({ frames: [frame], statuses: [status], outcome: "done" });
  });

  it("that takes a request with 202 and no answer ends the exchange without a frame", async () => {
    expect(await ask(() => new Response("", { status: 202 }))).toMatchObject({ outcome: "done", frames: [] });
  });

  it("is not read further than the limit", async () => {
    const endless = createOpenBody();
    const answer = ask(() => stream(endless.body), small);
    endless.write(`data: ${long}`);
    expect((await answer).outcome).toMatchObject({ fault: "too-large" });
    expect(endless.cancelled()).toBe(true);
  });

  it("may send more than the limit in many events", async () => {
    const { frames } = await ask(() => stream(`data: ${"y".repeat(60)}\n\n`.repeat(5)), small);
    expect(frames).toHaveLength(5);
  });
});

describe("a refusal with 403", () => {
  it.each([
    ["Invalid Origin", true],
    ['{"error":"origin not allowed"}', true],
    ["You have no right to this.", false],
    ["original", false],
    ["", false],
    [`${"x".repeat(20_000)} origin`, false],
  ])("that says %j is about the Origin header: %s", async (body, ofOrigin) => {
    const { outcome } = await ask(() => new Response(body, { status: 403 }));
    const problem = await outcome;
    expect(problem).toMatchObject({ fault: "upstream-broken", status: 403, ofOrigin });
    expect(String((problem as Error).message)).toContain("Origin header");
  });
});
