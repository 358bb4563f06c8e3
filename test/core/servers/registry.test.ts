import { describe, expect, it } from "vitest";
import { USUAL_LIMITS } from "../../../src/core/limits.ts";
import type { Ports, Topic } from "../../../src/core/ports.ts";
import { LocalNetworkRefused } from "../../../src/core/servers/hint.ts";
import { createRegistry } from "../../../src/core/servers/registry.ts";
import { createFakeClock } from "../../fakes/clock.ts";
import { createFakeSites } from "../../fakes/sites.ts";
import { createFakeTables } from "../../fakes/tables.ts";
import {
  createFakeFetch,
  createFakeLocals,
  createFakeSockets,
  type Handler,
  json,
  turns,
} from "../transports/fakes.ts";
import { AGENT, legacyServer, methods, modernServer, rpcResult } from "./fakes.ts";

const live = () => new AbortController().signal;
const DRAFT = { name: "mail", url: "https://mail.example/mcp", trust: "untrusted" } as const;
const listing = legacyServer(({ json: { id } }) => json(rpcResult(id, { tools: [{ name: "send" }] })));

function setUp(handler: Handler = listing, tables = createFakeTables()) {
  const clock = createFakeClock();
  const { fetch, requests } = createFakeFetch(handler);
  const topics: Topic[] = [];
  let ids = 0;
  const ports: Ports = {
    clock,
    randomId: () => String(++ids).padEnd(32, "0"),
    digest: async (text) => text,
    fetch,
    socket: createFakeSockets().socket,
    local: createFakeLocals().local,
    tables,
    sites: createFakeSites(),
    changed: (topic) => topics.push(topic),
    showApprovals() {},
    busy() {},
  };
  const registry = createRegistry({
    ports,
    limits: USUAL_LIMITS,
    attended: () => true,
    begun() {},
    unsolicited() {},
    unsolicitedBack: async () => "",
  });
  return { registry, clock, tables, topics, requests };
}

describe("the registry", () => {
  it("adds a server under a random id and finds it by id and name", async () => {
    const { registry, topics, clock } = setUp();
    const entry = await registry.add(DRAFT);
    expect(entry).toEqual({
      id: expect.any(String),
      name: "mail",
      url: "https://mail.example/mcp",
      transport: "streamable-http",
      trust: "untrusted",
      enabled: true,
      addedAt: clock.now(),
    });
    expect([registry.byId(entry.id), registry.byName("mail"), ...registry.list()]).toEqual([entry, entry, entry]);
    expect(topics).toEqual(["servers"]);
  });

  it.each([
    ["an empty name", { name: "" }],
    ["a name with a space", { name: "my mail" }],
    ["a name that is too long", { name: "x".repeat(65) }],
    ["a name that is taken", { name: "taken" }],
    ["a name that differs from another in case only", { name: "TAKEN" }],
    ["an address without encryption", { url: "http://mail.example" }],
  ])("refuses %s with a sentence", async (_what, patch) => {
    const { registry } = setUp();
    await registry.add({ ...DRAFT, name: "taken" });
    await expect(registry.add({ ...DRAFT, ...patch })).rejects.toMatchObject({ fault: "invalid-params" });
    expect(registry.list()).toHaveLength(1);
  });

  it("lets only one of two drafts with the same name pass", async () => {
    const { registry } = setUp();
    const outcomes = await Promise.allSettled([registry.add(DRAFT), registry.add(DRAFT)]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  });

  it("adds nothing that could not be stored", async () => {
    const { registry, tables } = setUp();
    tables.servers.failure = new Error("full");
    await expect(registry.add(DRAFT)).rejects.toThrow("full");
    expect(registry.list()).toEqual([]);
  });

  it("is the same after the worker came back", async () => {
    const before = setUp();
    const entry = await before.registry.add(DRAFT);
    await before.registry.refresh(entry.id, live());
    await before.registry.update(entry.id, { trust: "trusted", enabled: false });
    const after = setUp(listing, before.tables);
    await after.registry.restore();
    expect(after.registry.list()).toEqual([{ ...entry, trust: "trusted", enabled: false }]);
    expect(after.registry.catalogue(entry.id)?.tools.map(({ name }) => name)).toEqual(["send"]);
    expect(after.registry.health(entry.id)).toEqual({ state: "unknown" });
  });

  it("forgets a server with its catalogue, its health and its sessions", async () => {
    const { registry, tables } = setUp();
    const { id } = await registry.add(DRAFT);
    await registry.refresh(id, live());
    await registry.upstream(id).open({ principalKey: AGENT, revision: "2025-11-25" }, live());
    expect(tables.upstreams.rows.size).toBe(2);
    await registry.remove(id);
    await turns();
    expect([registry.byId(id), registry.catalogue(id), registry.health(id)]).toEqual([
      undefined,
      undefined,
      { state: "unknown" },
    ]);
    expect([tables.servers.rows.size, tables.catalogues.rows.size, tables.upstreams.rows.size]).toEqual([0, 0, 0]);
    expect(() => registry.upstream(id)).toThrow(expect.objectContaining({ fault: "not-connected" }));
  });

  it("keeps no catalogue that comes after its server was removed", async () => {
    let answer: () => void = () => {};
    const { registry, tables } = setUp((seen) =>
      seen.json.method === "tools/list"
        ? new Promise((resolve) => {
            answer = () => resolve(listing(seen));
          })
        : listing(seen),
    );
    const { id } = await registry.add(DRAFT);
    const refreshed = registry.refresh(id, live()).catch(() => undefined);
    await turns();
    const removed = registry.remove(id);
    answer();
    await Promise.all([refreshed, removed]);
    expect([registry.catalogue(id), tables.catalogues.rows.size]).toEqual([undefined, 0]);
  });

  it("ends the sessions of a server that is switched off", async () => {
    const { registry, tables } = setUp();
    const { id } = await registry.add(DRAFT);
    await registry.upstream(id).open({ principalKey: AGENT, revision: "2025-11-25" }, live());
    await registry.update(id, { enabled: false });
    await turns();
    expect(tables.upstreams.rows.size).toBe(0);
  });

  it("learns a server's health by refreshing it", async () => {
    const { registry, clock, topics } = setUp();
    const { id } = await registry.add(DRAFT);
    const catalogue = await registry.refresh(id, live());
    expect(registry.catalogue(id)).toBe(catalogue);
    expect(registry.health(id)).toEqual({ state: "ok", at: clock.now(), revision: "2025-11-25", ms: 0 });
    expect(topics).toEqual(["servers", "servers"]);
  });

  it("keeps a sentence about a refresh that failed, and the old catalogue", async () => {
    let broken = false;
    const { registry } = setUp((seen) => (broken ? new Response("", { status: 503 }) : listing(seen)));
    const { id } = await registry.add(DRAFT);
    await registry.refresh(id, live());
    broken = true;
    await expect(registry.refresh(id, live())).rejects.toMatchObject({ fault: "upstream-unreachable" });
    expect(registry.health(id)).toMatchObject({ state: "failing", problem: expect.stringContaining("not available") });
    expect(registry.catalogue(id)?.tools).toHaveLength(1);
  });

  it("holds nothing against a server whose refresh a person stopped", async () => {
    const { registry } = setUp(() => new Promise<Response>(() => undefined));
    const { id } = await registry.add(DRAFT);
    const stop = new AbortController();
    const refreshed = registry.refresh(id, stop.signal);
    stop.abort();
    await expect(refreshed).rejects.toMatchObject({ fault: "cancelled" });
    expect(registry.health(id)).toEqual({ state: "unknown" });
  });

  it("looks at an old catalogue again in the background, once an hour at most and once however many ask", async () => {
    const { registry, clock, requests } = setUp(listing);
    const { id } = await registry.add(DRAFT);
    await registry.refresh(id, live());
    const before = requests.length;
    registry.freshen(id);
    clock.advance(60 * 60_000 - 1);
    registry.freshen(id);
    expect(requests).toHaveLength(before);
    clock.advance(1);
    for (let count = 0; count < 5; count += 1) registry.freshen(id);
    await turns();
    expect(methods(requests.slice(before)).filter((method) => method === "tools/list")).toHaveLength(1);
  });

  it("finds out that an older server was replaced by a newer one", async () => {
    let handler: Handler = legacyServer(({ json: { id } }) => json(rpcResult(id, { tools: [] })));
    const { registry, clock } = setUp((seen) => handler(seen));
    const { id } = await registry.add(DRAFT);
    expect((await registry.refresh(id, live())).revision).toBe("2025-11-25");
    handler = modernServer(({ json: { id } }) => json(rpcResult(id, { tools: [], ttlMs: 2 * 60 * 60_000 })));
    clock.advance(60 * 60_000);
    registry.freshen(id);
    await turns();
    expect(registry.catalogue(id)).toMatchObject({ revision: "2026-07-28", ttlMs: 2 * 60 * 60_000 });
  });

  it("leaves a list alone for as long as the server says that it holds", async () => {
    const { registry, clock, requests } = setUp(
      modernServer(({ json: { id } }) => json(rpcResult(id, { tools: [], ttlMs: 2 * 60 * 60_000 }))),
    );
    const { id } = await registry.add(DRAFT);
    await registry.refresh(id, live());
    const before = requests.length;
    clock.advance(2 * 60 * 60_000 - 1);
    registry.freshen(id);
    expect(requests).toHaveLength(before);
    clock.advance(1);
    registry.freshen(id);
    await turns();
    expect(requests.length).toBeGreaterThan(before);
  });

  it("says beside a failure what one press may put right", async () => {
    const { registry } = setUp(() => new Response("Forbidden: invalid Origin header", { status: 403 }));
    const { id } = await registry.add(DRAFT);
    await registry.refresh(id, live()).catch(() => undefined);
    expect(registry.health(id)).toMatchObject({ state: "failing", hint: "origin" });
    registry.noteFailure(id, new LocalNetworkRefused());
    expect(registry.health(id)).toMatchObject({ hint: "local-network" });
    registry.noteFailure(id, new Error("down"));
    expect(registry.health(id)).not.toHaveProperty("hint");
  });
});
