import { describe, expect, it } from "vitest";
import { createSseChannel } from "../../../src/core/transports/http-sse.ts";
import { DEFAULT_LIMITS } from "../../../src/core/wire/json.ts";
import { type FarSide, keepsTheChannelContract } from "./contract.ts";
import { createFakeFetch, createOpenBody, type FakeRequest, stream, turns, until } from "./fakes.ts";

const URL = "https://tools.example/sse";

function setUp({ endpoint = "/messages?s=1", post = (): Response => new Response(null, { status: 202 }) } = {}) {
  const bodies: ReturnType<typeof createOpenBody>[] = [];
  const arrived: string[] = [];
  const closed: string[] = [];
  const { fetch, requests } = createFakeFetch((seen) => {
    if (seen.method !== "GET") return post();
    const open = createOpenBody();
    bodies.push(open);
    open.write(`event: endpoint\ndata: ${endpoint}\n\n`);
    return stream(open.body);
  });
  const channel = createSseChannel({
    url: URL,
    fetch,
    limits: DEFAULT_LIMITS,
    events: { unsolicited: (text) => arrived.push(text), closed: (reason) => closed.push(reason) },
  });
  const send = (text = "{}", signal = new AbortController().signal): Promise<void> =>
    channel.send({ text, headers: {}, kind: "request" }, { signal, sent() {}, frame() {} });
  return { channel, requests, bodies, arrived, closed, send };
}

const posts = (requests: readonly FakeRequest[]) => requests.filter(({ method }) => method === "POST");

function farSide(): FarSide {
  const received: string[] = [];
  const arrived: string[] = [];
  let next: readonly string[] = [];
  const open = createOpenBody();
  open.write("event: endpoint\ndata: /messages\n\n");
  const { fetch } = createFakeFetch((seen) => {
    if (seen.method === "GET") return stream(open.body);
    received.push(seen.body ?? "");
    for (const frame of next) open.write(`event: message\ndata: ${frame}\n\n`);
    return new Response(null, { status: 202 });
  });
  const events = { unsolicited: (text: string) => arrived.push(text), closed() {} };
  return {
    channel: createSseChannel({ url: URL, fetch, limits: DEFAULT_LIMITS, events }),
    received,
    arrived,
    answer: (frames) => {
      next = frames;
    },
  };
}

describe("the channel contract over HTTP with SSE", () => {
  keepsTheChannelContract(farSide);
});

describe("a channel over the two endpoints of 2024-11-05", () => {
  it("posts to the address that the stream names, over one stream for all frames", async () => {
    const { send, requests } = setUp();
    await send("1");
    await send("2");
    expect(requests.map(({ method, url }) => [method, url])).toEqual([
      ["GET", URL],
      ["POST", "https://tools.example/messages?s=1"],
      ["POST", "https://tools.example/messages?s=1"],
    ]);
    expect(requests[0]?.headers).toEqual({ Accept: "text/event-stream" });
  });

  it.each([
    "https://evil.example/messages",
    "//evil.example/x",
    "http://tools.example/x",
    "https://u:p@tools.example/x",
  ])("sends nothing to an address of another origin: %s", async (endpoint) => {
    const { send, requests } = setUp({ endpoint });
    await expect(send()).rejects.toMatchObject({ fault: "upstream-broken" });
    expect(posts(requests)).toEqual([]);
  });

  it("keeps the first address, whatever the stream names later", async () => {
    const { send, requests, bodies } = setUp();
    await send();
    bodies[0]?.write("event: endpoint\ndata: /other\n\n");
    await turns();
    await send();
    expect(new Set(posts(requests).map(({ url }) => url)).size).toBe(1);
  });

  it("says once that it is closed when the stream ends, and opens a new one with the next frame", async () => {
    const { send, bodies, closed } = setUp();
    await send();
    bodies[0]?.end();
    await until(() => closed.length === 1);
    await send();
    expect([bodies.length, closed.length]).toEqual([2, 1]);
  });

  it("is closed by a 404 to a POST: the session is gone", async () => {
    const { send, closed } = setUp({ post: () => new Response(null, { status: 404 }) });
    await expect(send()).rejects.toMatchObject({ fault: "upstream-broken" });
    expect(closed).toHaveLength(1);
  });

  it("gives up the stream when it is closed", async () => {
    const { channel, send, bodies, closed } = setUp();
    await send();
    channel.close();
    await until(() => bodies[0]?.cancelled() === true);
    expect(closed).toEqual([]);
  });

  it("lets one caller give up while others wait for the stream", async () => {
    const stop = new AbortController();
    const { send, requests } = setUp();
    const first = send("1", stop.signal);
    const second = send("2");
    stop.abort();
    await expect(first).rejects.toMatchObject({ fault: "cancelled" });
    await second;
    expect(posts(requests).map(({ body }) => body)).toEqual(["2"]);
  });
});
