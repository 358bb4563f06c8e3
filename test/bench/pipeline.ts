/**
 * One tool call through the whole gateway with nothing behind its ports: a 1 KB request, a reply of the size under test,
 * all stages, the record queued. The server is a socket that answers in the same turn, so what is measured is ours alone.
 * Against: parsing and writing the same two texts once each, which nobody can do without.
 */
import { createGateway } from "../../src/core/gateway.ts";
import type { Ports, SocketEvents } from "../../src/core/ports.ts";
import { digest } from "../../src/platform/worker/ports.ts";
import { createFakeSites } from "../fakes/sites.ts";
import { createFakeTables } from "../fakes/tables.ts";

export interface PipelineBench {
  readonly name: string;
  readonly run: () => Promise<void>;
  readonly against: () => void;
  /** The record is sealed and put away after the call was answered. */
  readonly settle: () => Promise<void>;
}

const SITE = {
  origin: "https://chat.example",
  topSite: "https://chat.example",
  cookieStore: "default",
  private: false,
};
const TOOL = {
  name: "read",
  description: "Reads.",
  inputSchema: { type: "object", properties: { text: { type: "string" } } },
  annotations: { readOnlyHint: true },
};

export async function pipelineBench(): Promise<PipelineBench[]> {
  return [
    await bench("pipeline/1KB", { content: [{ type: "text", text: prose(1_000) }] }),
    await bench("pipeline/10KB", { content: [{ type: "text", text: prose(10_000) }] }),
    await bench("pipeline/10KBdense", { content: [], structuredContent: { rows: rows(10_000) } }),
  ];
}

async function bench(name: string, result: unknown): Promise<PipelineBench> {
  const resultText = JSON.stringify(result);
  const gateway = createGateway(ports(resultText));
  await gateway.restore();
  const server = await gateway.registry.add({ name: "bench", url: "ws://127.0.0.1:1/", trust: "trusted" });
  await gateway.registry.refresh(server.id, new AbortController().signal);
  await gateway.connector.connect(SITE, server.id, [TOOL.name]);

  let arrived = (): void => undefined;
  let last = "";
  const channel = gateway.open({
    principal: SITE,
    place: { tabId: 1, frameId: 0, documentId: "d" },
    channel: "c",
    server: "bench",
    act: true,
    post(frame) {
      last = frame;
      arrived();
    },
  });
  let id = 0;
  const ask = (method: string, params: unknown): Promise<void> =>
    new Promise((resolve) => {
      arrived = resolve;
      channel.receive(`{"jsonrpc":"2.0","id":${++id},"method":"${method}","params":${JSON.stringify(params)}}`);
    });
  await ask("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  });
  const params = { name: TOOL.name, arguments: { text: prose(900) } };
  await ask("tools/call", params);
  if (!last.includes(resultText.slice(0, 40)))
    throw new Error(`The bench's call was not answered: ${last.slice(0, 200)}`);

  const settle = async (): Promise<void> => {
    // Two turns: the record is drawn up, then queued.
    await new Promise((resolve) => setTimeout(resolve));
    await gateway.records.flush();
  };
  const request = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const reply = `{"jsonrpc":"2.0","id":1,"result":${resultText}}`;
  return {
    name,
    run: () => ask("tools/call", params),
    settle,
    against: () => void [JSON.stringify(JSON.parse(request)), JSON.stringify(JSON.parse(reply))],
  };
}

function ports(resultText: string): Ports {
  const tables = createFakeTables();
  return {
    clock: {
      now: () => Date.now(),
      monotonic: () => performance.now(),
      after(ms, run) {
        const timer = setTimeout(run, ms);
        return () => clearTimeout(timer);
      },
      utcOffsetMinutes: () => 0,
    },
    randomId: () => crypto.randomUUID().replaceAll("-", ""),
    digest,
    fetch: () => Promise.reject(new Error("The bench has no network.")),
    socket: (_url, _protocols, events) => serverSocket(events, resultText),
    local: () => {
      throw new Error("The bench runs no programs.");
    },
    // Writes cost nothing here: the database has rows of its own.
    sites: createFakeSites(),
    tables: {
      ...tables,
      journal: { ...tables.journal, put: async () => undefined, remove: async () => undefined },
      records: NOWHERE,
    },
    changed: () => undefined,
    showApprovals: () => undefined,
    busy: () => undefined,
  };
}

const NOWHERE: Ports["tables"]["records"] = {
  append: async () => undefined,
  last: async () => undefined,
  page: async () => [],
  range: async () => [],
};

function serverSocket(events: SocketEvents, resultText: string): ReturnType<Ports["socket"]> {
  queueMicrotask(events.open);
  return {
    close: () => undefined,
    send(text) {
      const { id, method } = JSON.parse(text) as { id?: number; method: string };
      if (id === undefined) return;
      queueMicrotask(() => events.text(answer(id, method, resultText)));
    },
  };
}

function answer(id: number, method: string, resultText: string): string {
  if (method === "server/discover")
    return `{"jsonrpc":"2.0","id":${id},"error":{"code":-32601,"message":"Method not found"}}`;
  return `{"jsonrpc":"2.0","id":${id},"result":${resultOf(method, resultText)}}`;
}

function resultOf(method: string, resultText: string): string {
  if (method === "tools/list") return JSON.stringify({ tools: [TOOL] });
  if (method !== "initialize") return resultText;
  return '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"bench","version":"1"}}';
}

function prose(length: number): string {
  const sentence = "The quick brown fox jumps over the lazy dog while the printer waits for paper. ";
  return sentence.repeat(Math.ceil(length / sentence.length)).slice(0, length);
}

function rows(bytes: number): unknown[] {
  const made: unknown[] = [];
  for (let size = 0, id = 1000; size < bytes; id++) {
    const row = { id, name: `item-${id}`, price: id / 8, stock: id % 13, active: id % 3 === 0, tags: ["a", "b"] };
    size += JSON.stringify(row).length + 1;
    made.push(row);
  }
  return made;
}
