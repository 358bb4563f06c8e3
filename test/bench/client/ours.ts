/**
 * The gateway with the extension's own network, clock and tables, and an agent that reads each frame once with `JSON.parse`:
 * everything between a page's port and the server, all stages, journal and record included.
 */
import { createGateway, type Gateway } from "../../../src/core/gateway.ts";
import type { Ports } from "../../../src/core/ports.ts";
import { openDatabase } from "../../../src/platform/worker/database.ts";
import { browserClock, browserPorts } from "../../../src/platform/worker/ports.ts";
import { openTables } from "../../../src/platform/worker/tables.ts";
import type { Side } from "./side.ts";

const SITE = {
  origin: "https://chat.example",
  topSite: "https://chat.example",
  cookieStore: "default",
  private: false,
};
/** So many calls one agent has open at once; the gateway takes 256. */
const AT_ONCE = 250;

export async function openOurs(url: string): Promise<Side> {
  const gateway = createGateway(ports());
  await gateway.restore();
  const server = await gateway.registry.add({ name: "bench", url, trust: "trusted" });
  const { tools } = await gateway.registry.refresh(server.id, new AbortController().signal);
  const names = tools.map(({ name }) => name);
  await gateway.connector.connect(SITE, server.id, names);
  let listener: ((data: unknown) => void) | undefined;
  const agents: Agent[] = [];
  /** More than one only where more is called at once than one may. */
  const free = (): Agent => {
    const found = agents.find((agent) => agent.open() < AT_ONCE);
    if (found) return found;
    const hear = agents.length === 0 ? (data: unknown) => listener?.(data) : () => undefined;
    const made = startAgent(gateway, `c${agents.length}`, hear);
    agents.push(made);
    return made;
  };
  return {
    async call(name, args) {
      const { content } = (await free().request("tools/call", { name, arguments: args })) as Called;
      return content.length;
    },
    async list() {
      const { tools } = (await free().request("tools/list", {})) as { readonly tools: readonly unknown[] };
      return tools.length;
    },
    hear(given) {
      listener = given;
    },
  };
}

interface Called {
  readonly content: readonly unknown[];
}

interface Agent {
  open(): number;
  request(method: string, params: object): Promise<unknown>;
}

interface Frame {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly data?: unknown };
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (problem: Error) => void;
}

function startAgent(gateway: Gateway, name: string, hear: (data: unknown) => void): Agent {
  const waiting = new Map<number, Waiting>();
  let last = 0;
  const channel = gateway.open({
    principal: SITE,
    place: { tabId: 1, frameId: 0, documentId: "d" },
    channel: name,
    server: "bench",
    act: true,
    post(text) {
      const { id, method, params, result, error } = JSON.parse(text) as Frame;
      if (method === "notifications/message") hear(params?.data);
      if (id === undefined || method !== undefined) return;
      const asked = waiting.get(id);
      waiting.delete(id);
      if (error) asked?.reject(new Error(error.message));
      else asked?.resolve(result);
    },
  });
  const send = (method: string, params: object): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = ++last;
      waiting.set(id, { resolve, reject });
      channel.receive(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    });
  const session = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1" } };
  const ready = send("initialize", session).then(() =>
    channel.receive('{"jsonrpc":"2.0","method":"notifications/initialized"}'),
  );
  let asked = 0;
  return {
    open: () => asked,
    async request(method, params) {
      asked += 1;
      try {
        await ready;
        return await send(method, params);
      } finally {
        asked -= 1;
      }
    },
  };
}

function ports(): Ports {
  const nothing = () => undefined;
  return browserPorts({
    sites: { isOpen: async () => true, browserStarted: async () => false, watch: nothing },
    tables: openTables(openDatabase({ name: "bench", patienceMs: 5_000, after: browserClock.after })),
    local: () => {
      throw new Error("The bench runs no programs.");
    },
    allows: () => true,
    changed: nothing,
    showApprovals: nothing,
    busy: nothing,
  });
}
