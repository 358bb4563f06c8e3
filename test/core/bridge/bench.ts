/** An agent of one era in front of a server of the other, over fake ports: what reached each of them. */
import { expect } from "vitest";
import type { Revision } from "../../../src/core/mcp/revision.ts";
import { createWorld, type FakePage, type FakeWorld, MODERN_META, type WorldOptions } from "../../fakes/gateway.ts";
import { createFakeServer, type FakeServer } from "../../fakes/server.ts";

export const READ = { name: "file_read", arguments: { path: "/etc/hostname" } };
export const META = "io.modelcontextprotocol/";
export const SUBSCRIPTION = `${META}subscriptionId`;
export const FORM = { message: "Sure?", requestedSchema: { type: "object", properties: {} } };
export const ABLE = { ...MODERN_META, [`${META}clientCapabilities`]: { elicitation: {}, roots: {} } };
export const NAMED = { [`${META}serverInfo`]: { name: "fake", version: "1.0.0" } };

type Reply = Record<string, unknown>;

export interface Bench {
  readonly world: FakeWorld;
  readonly page: FakePage;
  ask(id: string, method: string, params?: object): Promise<Reply>;
  /** Params of what reached the server by this method, in order. */
  sent(method: string): Record<string, unknown>[];
}

export interface OlderBench extends Bench {
  /** The reply to `initialize`. */
  readonly opened: Reply;
}

export interface BenchOptions extends WorldOptions {
  readonly capabilities?: object;
  readonly version?: string;
  /** What the server declares, and does. */
  readonly upstream?: FakeServer;
}

export function serverOf(revision: Revision, more: Partial<FakeServer> = {}): FakeServer {
  return Object.assign(createFakeServer(revision, more.tools), more);
}

/** An agent with a session, in front of a server of 2026-07-28. */
export async function older(options: BenchOptions = {}): Promise<OlderBench> {
  const { capabilities = {}, version = "2025-11-25", ...rest } = options;
  const world = await createWorld({ revision: "2026-07-28", ...rest });
  newsIsOver(world);
  const page = world.page();
  const base = benchOf(world, page, {});
  const clientInfo = { name: "old", version: "1" };
  const opened = await base.ask("init", "initialize", { protocolVersion: version, capabilities, clientInfo });
  page.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  return { ...base, opened };
}

/** An agent of 2026-07-28 in front of a server with sessions. */
export async function newer(options: BenchOptions = {}): Promise<Bench> {
  const world = await createWorld({ revision: "2025-11-25", ...options });
  newsIsOver(world);
  return newerOf(world);
}

/** The site hears that its list changed when it is connected; here that was before. */
function newsIsOver(world: FakeWorld): void {
  world.clock.advance(1_000);
}

export function newerOf(world: FakeWorld): Bench {
  return benchOf(world, world.page(), { _meta: ABLE });
}

function benchOf(world: FakeWorld, page: FakePage, always: object): Bench {
  return {
    world,
    page,
    ask(id, method, params = {}) {
      page.send({ jsonrpc: "2.0", id, method, params: { ...always, ...params } });
      return page.reply(id);
    },
    sent: (method) =>
      world.upstream.received.filter(({ frame }) => frame.method === method).map(({ frame }) => frame.params ?? {}),
  };
}

export async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 500 && !holds(); turn++) await new Promise(setImmediate);
  expect(holds()).toBe(true);
}

/** Lets time pass in steps until it holds. */
export async function inTime(world: FakeWorld, ms: number, holds: () => boolean): Promise<void> {
  for (let step = 0; step < 200 && !holds(); step++) {
    for (let turn = 0; turn < 30; turn++) await new Promise(setImmediate);
    if (!holds()) world.clock.advance(ms);
  }
  expect(holds()).toBe(true);
}

export async function quiet(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
}

export function methods(page: FakePage): unknown[] {
  return page.got.map(({ method }) => method).filter((method) => method !== undefined);
}

/** Answers the first request of the server's that reaches the page and was not answered here. */
export async function answer(page: FakePage, method: string, outcome: object): Promise<Reply> {
  await until(() => page.got.some((frame) => frame.method === method));
  const at = page.got.findIndex((frame) => frame.method === method);
  const [asked = {}] = page.got.splice(at, 1);
  page.send({ jsonrpc: "2.0", id: asked.id, ...outcome });
  return asked;
}
