import { describe, expect, it, vi } from "vitest";
import { connectServers, findNavra, listServers, NavraTransport } from "../../src/agent/transport.ts";
import { ANNOUNCE_EVENT, MAX_FRAME_UNITS, REQUEST_EVENT } from "../../src/bridge/handshake.ts";
import { type FakeNavra, fakeNavra, type WorkerSide } from "./fake-navra.ts";

interface Rpc {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
}

const read = (frame: string) => JSON.parse(frame) as Rpc;
const reply = (id: unknown, body: object) => JSON.stringify({ jsonrpc: "2.0", id, ...body });
const call = (id: number | string, params: object = {}) => ({ jsonrpc: "2.0", id, method: "tools/call", params });

/** A worker that answers what was open when its port was lost, as the journal lets it. */
const journal = (unanswered: (frame: string) => boolean = () => true): WorkerSide => ({
  opened(channel, time) {
    if (time === 1) return;
    for (const frame of channel.frames.splice(0)) {
      const { id } = read(frame);
      if (id !== undefined) channel.post(reply(id, { error: { code: -31007, message: "It may have happened." } }));
    }
  },
  frame(channel, frame) {
    if (unanswered(frame)) return;
    channel.frames.splice(channel.frames.indexOf(frame), 1);
    channel.post(reply(read(frame).id, { result: {} }));
  },
});

/** Everything that was posted has been carried. */
const carried = async () => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
};

async function started(navra: FakeNavra) {
  const transport = new NavraTransport({ server: "mail", window: navra.target });
  const heard: Rpc[] = [];
  const events: string[] = [];
  transport.onmessage = (message) => heard.push(message as Rpc);
  transport.onclose = () => events.push("close");
  transport.onerror = (error) => events.push(error.message);
  await transport.start();
  return { transport, heard, events };
}

describe("findNavra", () => {
  it("finds navra at once where it is", async () => {
    expect(await findNavra({ window: fakeNavra({}).target })).toMatchObject({ name: "navra", version: 1 });
  });

  it("finds nothing where it is not", async () => {
    expect(await findNavra({ window: new EventTarget() })).toBeUndefined();
  });

  it.each([
    ["no detail", undefined],
    ["a stranger", { provider: { name: "other", version: 1, open() {} } }],
    ["a later contract", { provider: { name: "navra", version: 2, open() {} } }],
    ["nothing to open", { provider: { name: "navra", version: 1 } }],
  ])("does not take %s for navra", async (_what, detail) => {
    const target = new EventTarget();
    target.addEventListener(REQUEST_EVENT, () => target.dispatchEvent(new CustomEvent(ANNOUNCE_EVENT, { detail })));
    expect(await findNavra({ window: target })).toBeUndefined();
  });

  it("goes on asking for as long as it is told", async () => {
    vi.useFakeTimers();
    const target = new EventTarget();
    let asked = 0;
    target.addEventListener(REQUEST_EVENT, () => {
      asked += 1;
    });
    const found = findNavra({ window: target, timeoutMs: 200 });
    await vi.advanceTimersByTimeAsync(1000);
    vi.useRealTimers();
    expect([await found, asked]).toEqual([undefined, 5]);
  });
});

describe("the transport", () => {
  it("carries messages both ways as JSON text", async () => {
    const navra = fakeNavra(journal(() => false));
    const { transport, heard } = await started(navra);
    await transport.send(call(1, { name: "é" }));
    await carried();
    expect(heard).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }]);
    expect(navra.channels.map(({ server }) => server)).toEqual(["mail"]);
  });

  it("says what is missing where there is no navra", async () => {
    const transport = new NavraTransport({ server: "mail", window: new EventTarget() });
    vi.useFakeTimers();
    const failed = expect(transport.start()).rejects.toThrow("navra is not in this page");
    await vi.advanceTimersByTimeAsync(2000);
    vi.useRealTimers();
    await failed;
  });

  it("starts once, and sends only between start and close", async () => {
    const navra = fakeNavra({});
    const early = new NavraTransport({ server: "mail", window: navra.target });
    await expect(early.send(call(1))).rejects.toThrow("not open");
    const { transport } = await started(navra);
    await expect(transport.start()).rejects.toThrow("started before");
    await transport.close();
    await expect(transport.send(call(1))).rejects.toThrow("not open");
  });

  it("closes once and says so once", async () => {
    const { transport, events } = await started(fakeNavra({}));
    await transport.close();
    await transport.close();
    expect(events).toEqual(["close"]);
  });

  it("shows nothing that would make a client take it for another kind of transport", async () => {
    const { transport } = await started(fakeNavra({}));
    for (const member of ["stderr", "pid", "hasPerRequestStream"]) expect(member in transport).toBe(false);
    expect(transport.sessionId).toBeUndefined();
  });

  it("delivers each message of a batch", async () => {
    const navra = fakeNavra({});
    const { heard } = await started(navra);
    await carried();
    navra.channels[0]?.post('[{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","method":"b"}]');
    await carried();
    expect(heard.map(({ method }) => method)).toEqual(["a", "b"]);
  });

  it("reports a frame that is not JSON and goes on", async () => {
    const navra = fakeNavra({});
    const { heard, events } = await started(navra);
    await carried();
    for (const frame of ["<html>", "null", '{"jsonrpc":"2.0","method":"a"}']) navra.channels[0]?.post(frame);
    await carried();
    expect(events).toEqual(["navra delivered a frame that is not JSON."]);
    expect(heard.length).toBe(1);
  });

  it("refuses a message over the limit without losing the channel", async () => {
    const navra = fakeNavra(journal(() => false));
    const { transport, heard } = await started(navra);
    await expect(transport.send(call(1, { text: "x".repeat(MAX_FRAME_UNITS) }))).rejects.toThrow(RangeError);
    await transport.send(call(2));
    await carried();
    expect([heard.length, navra.connects()]).toEqual([1, 1]);
  });
});

describe("when the worker is stopped", () => {
  it("resumes at once where requests are open, and delivers what navra says of them", async () => {
    const navra = fakeNavra(journal());
    const { transport, heard } = await started(navra);
    await transport.send(call(1));
    await transport.send(call("two"));
    await carried();
    navra.stopWorker();
    await carried();
    expect(heard).toMatchObject([
      { id: 1, error: { code: -31007 } },
      { id: "two", error: { code: -31007 } },
    ]);
    expect(navra.connects()).toBe(2);
  });

  it("waits for the next message where none is open", async () => {
    const navra = fakeNavra(journal(() => false));
    const { transport, heard } = await started(navra);
    await transport.send(call(1));
    await carried();
    navra.stopWorker();
    await carried();
    expect(navra.connects()).toBe(1);
    await transport.send(call(2));
    await carried();
    expect([navra.connects(), heard.length]).toEqual([2, 2]);
  });

  it("resumes at once where the session subscribed to a resource, until it does no more", async () => {
    const navra = fakeNavra(journal(() => false));
    const { transport } = await started(navra);
    const resource = (id: number, method: string) => ({ jsonrpc: "2.0", id, method, params: { uri: "file:///a" } });
    await transport.send(resource(1, "resources/subscribe"));
    await carried();
    navra.stopWorker();
    await carried();
    expect(navra.connects()).toBe(2);
    await transport.send(resource(2, "resources/unsubscribe"));
    await carried();
    navra.stopWorker();
    await carried();
    expect(navra.connects()).toBe(2);
  });

  it("resumes when somebody looks at the page again", async () => {
    const navra = fakeNavra(journal(() => false));
    const { transport } = await started(navra);
    await transport.send(call(1));
    await carried();
    navra.stopWorker();
    await carried();
    navra.target.dispatchEvent(new Event("visibilitychange"));
    navra.target.dispatchEvent(new Event("visibilitychange"));
    await carried();
    expect(navra.connects()).toBe(2);
    navra.stopWorker();
    await transport.close();
    navra.target.dispatchEvent(new Event("visibilitychange"));
    expect(navra.connects()).toBe(2);
  });

  it("subscribes again without a word to the agent, and not while nobody sees the page", async () => {
    const sent: string[] = [];
    const died = (id: unknown) => reply(id, { error: { code: -31007, message: "", data: { name: "unknown" } } });
    const navra = fakeNavra({
      opened: (channel, time) => time > 1 && channel.post(died("s")),
      frame: (channel, frame) => {
        sent.push(frame);
        if (read(frame).method === "subscriptions/listen") channel.post(reply(undefined, { method: "agreed" }));
      },
    });
    const { transport, heard } = await started(navra);
    const listens = () => sent.filter((frame) => read(frame).method === "subscriptions/listen");
    const listen = { jsonrpc: "2.0", id: "s", method: "subscriptions/listen", params: { notifications: {} } };
    await transport.send(listen);
    await carried();
    navra.stopWorker();
    await carried();
    expect(listens()).toEqual([JSON.stringify(listen), JSON.stringify(listen)]);

    const sight = vi.fn(() => "hidden");
    vi.stubGlobal("document", Object.defineProperty({}, "visibilityState", { get: sight }));
    navra.stopWorker();
    await carried();
    expect(navra.connects()).toBe(2);
    sight.mockReturnValue("visible");
    navra.target.dispatchEvent(new Event("visibilitychange"));
    await carried();
    expect([navra.connects(), listens().length]).toEqual([3, 3]);
    vi.unstubAllGlobals();
    expect(heard.map(({ method }) => method)).toEqual(["agreed", "agreed", "agreed"]);
  });

  it("asks what became of a subscription when another message brings the worker back to a page that nobody sees", async () => {
    vi.stubGlobal("document", { visibilityState: "hidden" });
    const sent: string[] = [];
    const navra = fakeNavra({ frame: (_channel, frame) => sent.push(frame) });
    const { transport } = await started(navra);
    await transport.send({ jsonrpc: "2.0", id: "s", method: "subscriptions/listen", params: { notifications: {} } });
    await carried();
    navra.stopWorker();
    await carried();
    await transport.send(call(2));
    await carried();
    vi.unstubAllGlobals();
    expect(sent.slice(1).map(read)).toMatchObject([{ params: { requestIds: ["s"] } }, { id: 2 }]);
  });

  it("passes on what a server answers to a subscription, also when it names the same fault", async () => {
    const navra = fakeNavra({
      frame: (channel, frame) =>
        channel.post(reply(read(frame).id, { error: { code: -31007, message: "", data: { name: "unknown" } } })),
    });
    const { transport, heard } = await started(navra);
    await transport.send({ jsonrpc: "2.0", id: "s", method: "subscriptions/listen", params: { notifications: {} } });
    await carried();
    expect(heard).toMatchObject([{ id: "s", error: { data: { name: "unknown" } } }]);
  });

  it("does not resume for a request that the agent cancelled", async () => {
    const navra = fakeNavra(journal());
    const { transport } = await started(navra);
    await transport.send(call(1));
    await transport.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
    await carried();
    navra.stopWorker();
    await carried();
    expect(navra.connects()).toBe(1);
  });

  it("sends a message once more that certainly did not leave the page", async () => {
    const sent: string[] = [];
    const navra = fakeNavra({ frame: (_channel, frame) => sent.push(frame) });
    const { transport, events } = await started(navra);
    navra.breakPorts();
    await transport.send(call(1));
    await carried();
    expect([sent.length, navra.connects(), events]).toEqual([1, 2, []]);
  });

  it("never sends a request a second time", async () => {
    const sent: string[] = [];
    const navra = fakeNavra({ frame: (_channel, frame) => sent.push(frame) });
    const { transport } = await started(navra);
    await transport.send(call(1));
    await carried();
    navra.stopWorker();
    await carried();
    expect([sent.filter((frame) => frame.includes('"id"')).length, navra.connects()]).toEqual([1, 2]);
  });

  it("sends a request that reached nobody once more, and only once", async () => {
    const sent: string[] = [];
    const unheard = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      error: { code: -31006, message: "", data: { unheard: true } },
    });
    const navra = fakeNavra({
      frame: (channel, frame) => {
        sent.push(frame);
        if (frame.includes("resumed")) channel.post(unheard);
      },
    });
    const { transport, heard } = await started(navra);
    await transport.send(call(1));
    await carried();
    navra.stopWorker();
    await carried();
    expect(sent.filter((frame) => frame.includes('"id":1'))).toHaveLength(2);
    navra.stopWorker();
    await carried();
    expect(sent.filter((frame) => frame.includes('"id":1'))).toHaveLength(2);
    expect(heard).toMatchObject([{ id: 1, error: { data: { unheard: true } } }]);
  });

  it("says after a lost port what it still waits for", async () => {
    const sent: string[] = [];
    const navra = fakeNavra({ frame: (_channel, frame) => sent.push(frame) });
    const { transport } = await started(navra);
    await transport.send(call(1));
    await carried();
    navra.stopWorker();
    await carried();
    expect(JSON.parse(sent.at(-1) ?? "")).toMatchObject({
      method: "notifications/io.github.navra/resumed",
      params: { requestIds: [1] },
    });
  });

  it("fails a message that cannot be sent because navra is gone, and counts it as not open", async () => {
    const navra = fakeNavra(journal(() => false));
    const { transport, events } = await started(navra);
    navra.remove();
    await expect(transport.send(call(1))).rejects.toThrow("Reload the page");
    expect(events).toEqual([]);
  });

  it("gives up where every new port ends at once, and says why", async () => {
    const navra = fakeNavra({});
    const { transport, events } = await started(navra);
    await transport.send(call(1));
    await carried();
    navra.refuse();
    navra.stopWorker();
    await carried();
    expect(events).toEqual(["navra closed the connection.", "close"]);
    expect(navra.connects()).toBe(4);
  });

  it("does not give up for losses that lie far apart", async () => {
    vi.useFakeTimers();
    const navra = fakeNavra({});
    const { transport, events } = await started(navra);
    await transport.send(call(1));
    for (let stop = 0; stop < 10; stop++) {
      await vi.advanceTimersByTimeAsync(30_000);
      navra.stopWorker();
    }
    vi.useRealTimers();
    expect([events, navra.connects()]).toEqual([[], 11]);
  });

  it("ends at once, with open requests, where the extension was removed", async () => {
    const navra = fakeNavra({});
    const { transport, events } = await started(navra);
    await transport.send(call(1));
    await carried();
    navra.remove();
    await carried();
    expect(events).toEqual(["navra was updated or removed. Reload the page to use it again.", "close"]);
  });
});

describe("the directory", () => {
  const servers: WorkerSide = {
    frame(channel, frame) {
      const { id, method, params } = read(frame);
      if (method === "io.github.navra/servers") channel.post(reply(id, { result: { servers: [{ name: "mail" }] } }));
      else if (channel.act)
        channel.post(reply(id, { result: { servers: [{ name: "mail" }, { name: JSON.stringify(params) }] } }));
      else
        channel.post(
          reply(id, { error: { code: -31009, message: "Ask from a click.", data: { name: "not-connected" } } }),
        );
    },
  };
  const provide = async (navra: FakeNavra) => {
    const provider = await findNavra({ window: navra.target });
    if (!provider) throw new Error("no navra");
    return provider;
  };

  it("lists the servers of this site on a channel of its own, and closes it", async () => {
    const navra = fakeNavra(servers);
    expect(await listServers(await provide(navra))).toEqual([{ name: "mail" }]);
    expect(navra.channels.map(({ server }) => server)).toEqual([""]);
  });

  it("asks the person to connect the named servers", async () => {
    const navra = fakeNavra(servers, { act: true });
    expect(await connectServers(await provide(navra), ["files"])).toEqual([
      { name: "mail" },
      { name: '{"servers":["files"]}' },
    ]);
    expect((await connectServers(await provide(navra)))[1]).toEqual({ name: "{}" });
  });

  it("hands on what navra answered instead", async () => {
    const navra = fakeNavra(servers);
    await expect(connectServers(await provide(navra))).rejects.toMatchObject({
      name: "NavraError",
      code: -31009,
      message: "Ask from a click.",
      data: { name: "not-connected" },
    });
  });

  it("refuses an answer that is no list", async () => {
    const navra = fakeNavra({ frame: (channel, frame) => channel.post(reply(read(frame).id, { result: {} })) });
    await expect(listServers(await provide(navra))).rejects.toThrow("does not know");
  });

  it("waits for the person across a stopped worker", async () => {
    const navra = fakeNavra({
      opened: (channel, time) => {
        if (time === 2) channel.post(reply(1, { result: { servers: [] } }));
      },
    });
    const asked = connectServers(await provide(navra));
    await carried();
    navra.stopWorker();
    expect(await asked).toEqual([]);
  });

  it("stops waiting when it is told to", async () => {
    const navra = fakeNavra({});
    const controller = new AbortController();
    const asked = connectServers(await provide(navra), undefined, { signal: controller.signal });
    await carried();
    controller.abort(new Error("enough"));
    await expect(asked).rejects.toThrow("enough");
    await expect(listServers(await provide(navra), { signal: controller.signal })).rejects.toThrow("enough");
  });

  it("fails where navra is gone", async () => {
    const navra = fakeNavra(servers);
    const provider = await provide(navra);
    navra.remove();
    await expect(listServers(provider)).rejects.toThrow("Reload the page");
  });
});
