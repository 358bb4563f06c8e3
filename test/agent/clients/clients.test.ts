import { describe, expect, it } from "vitest";
import { NavraTransport } from "../../../src/agent/transport.ts";
import { type FakeChannel, type FakeNavra, fakeNavra } from "../fake-navra.ts";
import {
  type Caller,
  CLIENTS,
  type ClientKind,
  installed,
  type ServerTransport,
  serverPackage,
  type ToolContext,
} from "./load.ts";

/** Puts one official server behind each channel; what it sends goes to whichever port the channel has. */
async function navraWithServer() {
  const { McpServer, serveStdio } = await serverPackage();
  const sessions = new Map<FakeChannel, ServerTransport>();
  const waiting: { signal: AbortSignal }[] = [];
  let answerLost = true;

  const makeServer = () => {
    const server = new McpServer({ name: "an official server", version: "1.0.0" }, { capabilities: { tools: {} } });
    server.registerTool("hello", { description: "Says hello" }, async () => ({
      content: [{ type: "text", text: "hello é \u{1F30D}" }],
    }));
    server.registerTool("steps", { description: "Reports progress" }, async (...received: readonly unknown[]) => {
      const { mcpReq } = received.at(-1) as ToolContext;
      const progressToken = mcpReq._meta?.progressToken;
      for (const progress of [1, 2]) {
        await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: 2 } });
      }
      return { content: [{ type: "text", text: "done" }] };
    });
    server.registerTool("waits", { description: "Never answers" }, async (...received: readonly unknown[]) => {
      const { mcpReq } = received.at(-1) as ToolContext;
      waiting.push(mcpReq);
      return new Promise<never>(() => {});
    });
    return server;
  };

  const navra: FakeNavra = fakeNavra({
    opened(channel, time) {
      if (time > 1 && answerLost) answerOpen(channel);
      if (sessions.has(channel)) return;
      const transport: ServerTransport = {
        start: async () => {},
        send: async (message) => channel.post(JSON.stringify(message)),
        close: async () => {},
      };
      sessions.set(channel, transport);
      serveStdio(makeServer, { transport });
    },
    frame: (channel, frame) => sessions.get(channel)?.onmessage?.(JSON.parse(frame)),
  });
  return {
    navra,
    waiting,
    methods: () =>
      navra.channels.flatMap(({ frames }) => frames.map((frame) => (JSON.parse(frame) as { method?: string }).method)),
    keepSilent: () => {
      answerLost = false;
    },
  };
}

/** What the worker's journal makes it say of calls that were open when it was stopped. */
function answerOpen(channel: FakeChannel): void {
  const { id } = JSON.parse(channel.frames.at(-1) ?? "{}") as { id?: unknown };
  channel.post(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -31007, message: "It may have happened." } }));
}

async function connected(kind: ClientKind, navra: FakeNavra): Promise<Caller> {
  const client = await kind.make();
  await client.connect(new NavraTransport({ server: "official", window: navra.target }));
  return client;
}

const until = async (done: () => boolean) => {
  while (!done()) await new Promise((resolve) => setImmediate(resolve));
};

describe.runIf(installed).each(CLIENTS)("$title through the transport", (kind) => {
  it("connects, lists and calls", async () => {
    const { navra, methods } = await navraWithServer();
    const client = await connected(kind, navra);
    expect(methods()[0]).toBe(kind.opening);
    expect(methods().includes("initialize")).toBe(kind.opening === "initialize");
    expect(client.getServerVersion()?.name).toBe("an official server");
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["hello", "steps", "waits"]);
    expect((await kind.call(client, "hello")).content[0]?.text).toBe("hello é \u{1F30D}");
    await client.close();
  });

  it("delivers progress while a call is open", async () => {
    const { navra } = await navraWithServer();
    const client = await connected(kind, navra);
    const heard: number[] = [];
    const result = await kind.call(client, "steps", { onprogress: ({ progress }) => heard.push(progress) });
    expect([heard, result.content[0]?.text]).toEqual([[1, 2], "done"]);
    await client.close();
  });

  it("cancels by a notification", async () => {
    const { navra, waiting, methods } = await navraWithServer();
    const client = await connected(kind, navra);
    const controller = new AbortController();
    const call = kind.call(client, "waits", { signal: controller.signal });
    const failed = expect(call).rejects.toThrow();
    await until(() => waiting.length > 0);
    controller.abort(new Error("no more"));
    await failed;
    await until(() => waiting[0]?.signal.aborted === true);
    expect(methods().at(-1)).toBe("notifications/cancelled");
    await client.close();
  });

  it("ends an open call with navra's answer when the worker is stopped, and calls on", async () => {
    const { navra, waiting } = await navraWithServer();
    const client = await connected(kind, navra);
    const call = kind.call(client, "waits");
    const failed = expect(call).rejects.toMatchObject({ code: -31007 });
    await until(() => waiting.length > 0);
    navra.stopWorker();
    await failed;
    expect((await kind.call(client, "hello")).content[0]?.text).toContain("hello");
    await client.close();
  });

  it("keeps its session when the worker was stopped with nothing open", async () => {
    const { navra, methods, keepSilent } = await navraWithServer();
    const client = await connected(kind, navra);
    keepSilent();
    const before = methods().filter((method) => method === kind.opening).length;
    navra.stopWorker();
    expect((await kind.call(client, "hello")).content[0]?.text).toContain("hello");
    expect(methods().filter((method) => method === kind.opening).length).toBe(before);
    await client.close();
  });

  it("rejects what is open when navra is removed", async () => {
    const { navra, waiting } = await navraWithServer();
    const client = await connected(kind, navra);
    const failed = expect(kind.call(client, "waits")).rejects.toThrow(/closed/i);
    await until(() => waiting.length > 0);
    navra.remove();
    await failed;
  });
});
