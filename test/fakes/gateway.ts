/**
 * A whole gateway over fake ports, with one server registered and one page connected to it. Tests speak to it as a page
 * does, in frames, and read what came back, what the server received, and what was recorded.
 */
import { createHash, randomUUID } from "node:crypto";
import type { Approval } from "../../src/core/consent/approval.ts";
import { createGateway, type Gateway } from "../../src/core/gateway.ts";
import type { SetLimits } from "../../src/core/limits.ts";
import type { Revision } from "../../src/core/mcp/revision.ts";
import type { Ports } from "../../src/core/ports.ts";
import type { Place, Principal } from "../../src/core/principal.ts";
import type { ServerEntry, TransportKind } from "../../src/core/servers/server.ts";
import { carried, urlOf } from "./carried.ts";
import { createFakeClock, type FakeClock } from "./clock.ts";
import { createFakeServer, type FakeServer } from "./server.ts";
import { createFakeSites, type FakeSites } from "./sites.ts";
import { createFakeSocket } from "./socket-server.ts";
import { createFakePrivateTables, createFakeTables, type FakePrivateTables, type FakeTables } from "./tables.ts";

export const SITE: Principal = {
  origin: "https://chat.example",
  topSite: "https://chat.example",
  cookieStore: "default",
  private: false,
};
export const PLACE: Place = { tabId: 7, frameId: 0, documentId: "doc-1" };

export interface FakeWorld {
  readonly gateway: Gateway;
  readonly clock: FakeClock;
  readonly tables: FakeTables;
  /** Of private windows; they live as long as the browser. */
  readonly privateTables: FakePrivateTables;
  readonly sites: FakeSites;
  readonly upstream: FakeServer;
  readonly server: ServerEntry;
  /** What the person would be shown now. */
  approvals(): readonly Approval[];
  /** How much the worker is kept alive for. */
  reasons(): number;
  /** Opens a page channel. */
  page(options?: PageOptions): FakePage;
  /** The worker dies: a new gateway over the same tables and server. */
  reborn(): Promise<FakeWorld>;
}

export interface PageOptions {
  readonly channel?: string;
  readonly principal?: Principal;
  readonly place?: Place;
  readonly server?: string;
  readonly act?: boolean;
}

export interface FakePage {
  /** Sends text as it is, or a value as JSON. */
  send(frame: unknown): void;
  /** Everything the page got, parsed, in order. */
  readonly got: Record<string, unknown>[];
  readonly gotText: string[];
  /** Resolves with the frame that answers the id. */
  reply(id: unknown): Promise<Record<string, unknown>>;
  /** Opens a session of the era, as a client would. */
  initialize(revision: Revision): Promise<void>;
  /** The document goes out of sight, or comes back. */
  show(visible: boolean): void;
  close(): void;
}

export interface WorldOptions {
  readonly revision?: Revision;
  readonly upstream?: FakeServer;
  readonly trust?: "trusted" | "untrusted";
  readonly limits?: SetLimits;
  readonly tables?: FakeTables;
  readonly privateTables?: FakePrivateTables;
  readonly sites?: FakeSites;
  readonly clock?: FakeClock;
  /** Programs of this machine; with it the server is the local one of that name. */
  readonly local?: Ports["local"];
  /** Tools to tick; all by default. */
  readonly ticked?: readonly string[];
  /** Where the server is; `ws:` speaks to the same server over a fake socket. */
  readonly url?: string;
  readonly busy?: (open: number) => void;
  /** What carries the server; Streamable HTTP by default. */
  readonly transport?: TransportKind;
}

export async function createWorld(options: WorldOptions = {}): Promise<FakeWorld> {
  const { revision = "2025-11-25", trust = "trusted", transport = "streamable-http" } = options;
  const upstream = options.upstream ?? createFakeServer(revision);
  const tables = options.tables ?? createFakeTables();
  const privateTables = options.privateTables ?? createFakePrivateTables();
  const sites = options.sites ?? createFakeSites();
  const clock = options.clock ?? createFakeClock();
  const fresh = tables.servers.rows.size === 0;
  let waiting: readonly Approval[] = [];
  let reasons = 0;

  const gateway = createGateway(
    {
      clock,
      randomId: () => randomUUID().replaceAll("-", ""),
      digest: async (text) => createHash("sha256").update(text).digest("hex"),
      fetch: upstream.fetch,
      socket: createFakeSocket(upstream),
      local:
        options.local ??
        (() => {
          throw new Error("No programs here.");
        }),
      ...carried(upstream, transport),
      tables,
      privateTables,
      sites,
      changed: () => undefined,
      showApprovals: (next) => {
        waiting = next;
      },
      busy(now) {
        reasons = now;
        options.busy?.(now);
      },
    },
    options.limits,
  );
  if (fresh && transport === "pair") {
    const entry = { id: "s1", name: "files", url: urlOf(transport), transport, trust, enabled: true, addedAt: 0 };
    tables.servers.rows.set(entry.id, entry);
  }
  await gateway.restore();
  if (fresh) {
    const [hosted] = gateway.registry.list();
    const url = options.local ? "local:files" : (options.url ?? urlOf(transport));
    const added = hosted ?? (await gateway.registry.add({ name: "files", url, trust }));
    const catalogue = await gateway.registry.refresh(added.id, new AbortController().signal);
    await gateway.connector.connect(SITE, added.id, options.ticked ?? catalogue.tools.map(({ name }) => name));
    upstream.received.length = 0;
  }
  const [server] = gateway.registry.list();
  if (!server) throw new Error("The fake world has no server.");

  return {
    gateway,
    clock,
    tables,
    privateTables,
    sites,
    upstream,
    server,
    approvals: () => waiting,
    reasons: () => reasons,
    page: (page = {}) => openPage(gateway, page),
    reborn: () => createWorld({ ...options, upstream, tables, privateTables, sites, clock }),
  };
}

function openPage(gateway: Gateway, options: PageOptions): FakePage {
  const got: Record<string, unknown>[] = [];
  const gotText: string[] = [];
  const waiters = new Set<() => void>();
  const channel = gateway.open({
    principal: options.principal ?? SITE,
    place: options.place ?? PLACE,
    channel: options.channel ?? "c1",
    server: options.server ?? "files",
    act: options.act ?? true,
    post(frame) {
      gotText.push(frame);
      const value = JSON.parse(frame);
      got.push(...(Array.isArray(value) ? value : [value]));
      for (const wake of waiters) wake();
    },
  });
  const page: FakePage = {
    got,
    gotText,
    send: (frame) => channel.receive(typeof frame === "string" ? frame : JSON.stringify(frame)),
    reply: (id) =>
      new Promise((resolve) => {
        const look = (): void => {
          const frame = got.find((value) => !("method" in value) && value.id === id);
          if (!frame) return;
          waiters.delete(look);
          resolve(frame);
        };
        waiters.add(look);
        look();
      }),
    async initialize(revision) {
      if (revision === "2026-07-28") return;
      const params = { protocolVersion: revision, capabilities: {}, clientInfo: { name: "test", version: "1" } };
      page.send({ jsonrpc: "2.0", id: "init", method: "initialize", params });
      await page.reply("init");
      page.send({ jsonrpc: "2.0", method: "notifications/initialized" });
      got.length = 0;
      gotText.length = 0;
    },
    show: (visible) => channel.show(visible),
    close: () => channel.close(),
  };
  return page;
}

/** The protocol keys a request of 2026-07-28 carries. */
export const MODERN_META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
