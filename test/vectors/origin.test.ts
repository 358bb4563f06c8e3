/**
 * The rules the project starts from, each row driven through the whole gateway in every era it names: agents' frames from
 * a page channel to a server and back, servers' frames from an upstream reply to the page.
 */
import { describe, expect, it } from "vitest";
import { LEGACY_REVISIONS, MODERN_REVISIONS, type Revision } from "../../src/core/mcp/revision.ts";
import type { TransportKind } from "../../src/core/servers/server.ts";
import { createWorld, type FakePage, type FakeWorld, MODERN_META } from "../fakes/gateway.ts";
import { createFakeServer, FILE_READ } from "../fakes/server.ts";
import { sharedData } from "../shared-data.ts";
import { frameText, loadOrigin, type Row } from "./expand.ts";

const SHARE = {
  name: "srift_quick_share",
  description: "Shares a file by link.",
  inputSchema: { type: "object", properties: { filePath: { type: "string" }, encrypt: { type: "boolean" } } },
  annotations: { readOnlyHint: true },
};

const KINDS = Object.keys({
  "streamable-http": true,
  websocket: true,
  "http-sse": true,
  native: true,
  pair: true,
} satisfies Record<TransportKind, true>) as readonly TransportKind[];

const CASES = loadOrigin().flatMap((row) =>
  erasOf(row).map((era) => ({ title: `${row.name} (${era})`, row, era, text: frameText(row) })),
);

describe.each(KINDS)("the origin vectors, through the gateway and %s", (kind) => {
  const CASES_HERE = CASES.filter(({ era }) => kind !== "http-sse" || era !== "2026-07-28");
  const where = (era: Revision): Where => ({ era, kind });

  it.each(CASES_HERE.filter(({ row }) => row.dir === "agent"))("$title", async ({ row, era, text }) => {
    await agentRow(row, where(era), text ?? "");
  });

  it.each(CASES_HERE.filter(({ row, text }) => row.dir === "server" && text))("$title", async ({ row, era, text }) => {
    for (const stream of [true, false]) await serverRow(row, where(era), { text: text ?? "", stream });
  });

  it.each(CASES_HERE.filter(({ row }) => row.dir === "gateway"))("$title", async ({ row, era }) => {
    const { expect: expected } = row;
    const cancelled = await cancelledCode(where(era));
    const large = await tooLargeCode(where(era));
    if (row.name.includes("cancelled")) expect(cancelled).toBe(expected.code);
    else if (row.name.includes("size limit")) expect(large).toBe(expected.code);
    else for (const code of [cancelled, large]) expectBetween(code, expected.codeBetween);
  });
});

const HANDED_OVER = sharedData("origin/vectors.json");

describe.runIf(HANDED_OVER !== undefined)("the origin vectors", () => {
  it("are the ones that were handed over, none left out", () => {
    expect({ rows: loadOrigin() }).toMatchObject({ rows: JSON.parse(HANDED_OVER ?? "{}").rows });
  });
});

/** The revision that is spoken, and what carries the server. */
interface Where {
  readonly era: Revision;
  readonly kind: TransportKind;
}

async function agentRow(row: Row, where: Where, text: string): Promise<void> {
  const { era, kind } = where;
  const { expect: expected } = row;
  const { world, page } = await open(where);
  if (expected.firstUnaffected) return inFlightRow(row, { era, world, page });

  const frame = era === "2026-07-28" ? withMeta(text) : text;
  page.send(frame);
  if (expected.reply === false) {
    await turn();
    expect(page.got).toEqual([]);
    return;
  }
  await until(() => page.got.length > 0);
  const [reply] = page.got;
  if (expected.code !== undefined) {
    expect(reply).toMatchObject({ error: { code: expected.code } });
    expect(world.upstream.received.some(({ frame: sent }) => sent.method === "tools/call")).toBe(false);
  }
  if (expected.id === null) expect(reply).toMatchObject({ id: null });
  for (const member of expected.data ?? []) expect(reply).toHaveProperty(["error", "data", member]);
  if (expected.replies !== undefined) {
    expect(page.gotText).toHaveLength(1);
    expect(new Set(page.got.map(({ id }) => id)).size).toBe(expected.replies);
  }
  if (expected.forwarded) {
    const sent = world.upstream.received.find(({ frame: got }) => got.method === "tools/call");
    expect(sent?.frame.params).toMatchObject({
      name: JSON.parse(text).params.name,
      arguments: JSON.parse(text).params.arguments,
    });
    expect(reply).toMatchObject({ result: {} });
    const headers = kind === "streamable-http" ? expected.headers : {};
    for (const [name, value] of Object.entries(headers ?? {})) {
      expect(sent?.headers[name.toLowerCase()]).toBe(value);
    }
  }
  if (expected.replyId !== undefined) expect(reply?.id).toBe(expected.replyId);
}

async function inFlightRow(
  row: Row,
  { era, world, page }: { era: Revision; world: FakeWorld; page: FakePage },
): Promise<void> {
  let release = (): void => undefined;
  const answer = world.upstream.answer;
  world.upstream.answer = (request) =>
    new Promise((resolve) => {
      release = () => resolve(answer(request));
    });
  const text = frameText(row) ?? "";
  const frame = era === "2026-07-28" ? withMeta(text) : text;
  page.send(frame);
  await until(() => world.upstream.received.some(({ frame: sent }) => sent.method === "tools/call"));
  page.send(frame);
  await until(() => page.got.length === 1);
  expect(page.got[0]).toMatchObject({ error: { code: row.expect.code } });
  release();
  await until(() => page.got.length === 2);
  expect(page.got[1]).toMatchObject({ id: 42, result: { content: [{ type: "text" }] } });
}

/** The row's frame as what a server answers to an open call, whole or as one event of a stream. */
async function serverRow(row: Row, where: Where, { text, stream }: { text: string; stream: boolean }): Promise<void> {
  const { expect: expected } = row;
  const { era } = where;
  const { world, page } = await open(where);
  const isNotification = JSON.parse(text).id === undefined;
  world.upstream.answer = ({ frame }) => {
    const own = text.replace(/"id":\s*\d+/, `"id":${JSON.stringify(frame.id)}`);
    const reply = JSON.stringify({ jsonrpc: "2.0", id: frame.id, result: { content: [] } });
    if (isNotification) return { frames: [text, reply] };
    return stream ? { frames: [own] } : { status: 200, type: "application/json", body: own };
  };
  const params = {
    name: "file_read",
    arguments: { path: "/x" },
    ...(era === "2026-07-28" ? { _meta: MODERN_META } : {}),
  };
  page.send({ jsonrpc: "2.0", id: 42, method: "tools/call", params });
  const reply = await page.reply(42);
  if (expected.delivered) expect(page.got.some(({ method }) => method === JSON.parse(text).method)).toBe(true);
  if (expected.accepted === false) expect(reply).toMatchObject({ error: { data: { name: "upstream-broken" } } });
  if (expected.accepted && expected.code !== undefined) expect(reply).toMatchObject({ error: { code: expected.code } });
  if (expected.accepted && expected.code === undefined)
    expect(reply).toMatchObject({ result: JSON.parse(text).result });
  if (expected.byteExact) expect(page.gotText.at(-1)).toBe(text.replace(/"id":\s*\d+/, '"id":42'));
}

async function cancelledCode(where: Where): Promise<unknown> {
  const { era } = where;
  const { world, page } = await open(where);
  world.upstream.answer = () => new Promise(() => undefined);
  page.send(callFrame(era));
  await until(() => world.upstream.received.some(({ frame }) => frame.method === "tools/call"));
  await world.gateway.setPause({ until: null });
  return codeOf(await page.reply(1));
}

async function tooLargeCode(where: Where): Promise<unknown> {
  const { era } = where;
  const { world, page } = await open(where, { bytes: 100_000 });
  world.upstream.answer = () => ({ result: { content: [{ type: "text", text: "x".repeat(200_000) }] } });
  page.send(callFrame(era));
  const fromServer = codeOf(await page.reply(1));
  page.send(callFrame(era).replace("/x", "x".repeat(200_000)));
  await until(() => page.got.length === 2);
  expect(codeOf(page.got[1] ?? {})).toBe(fromServer);
  return fromServer;
}

async function open({ era, kind }: Where, limits = {}): Promise<{ world: FakeWorld; page: FakePage }> {
  const upstream = createFakeServer(era, [FILE_READ, SHARE]);
  const world = await createWorld({ revision: era, upstream, limits, transport: kind });
  const page = world.page();
  await page.initialize(era);
  return { world, page };
}

function erasOf(row: Row): readonly Revision[] {
  const all: readonly Revision[] = [...LEGACY_REVISIONS, ...MODERN_REVISIONS];
  return all.filter((era) => row.era.includes("*") || row.era.includes(era));
}

function callFrame(era: Revision): string {
  const params = {
    name: "file_read",
    arguments: { path: "/x" },
    ...(era === "2026-07-28" ? { _meta: MODERN_META } : {}),
  };
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
}

/** Adds the protocol's `_meta` to a request that brings none. */
function withMeta(text: string): string {
  let frame: { params?: { _meta?: unknown } };
  try {
    frame = JSON.parse(text);
  } catch {
    return text;
  }
  if (Array.isArray(frame) || frame.params?._meta) return text;
  return JSON.stringify({ ...frame, params: { ...frame.params, _meta: MODERN_META } });
}

function codeOf(frame: Record<string, unknown>): unknown {
  return (frame.error as { code?: unknown } | undefined)?.code;
}

function expectBetween(code: unknown, range: readonly [number, number] | undefined): void {
  expect(code).toBeGreaterThanOrEqual(range?.[0] ?? 0);
  expect(code).toBeLessThanOrEqual(range?.[1] ?? 0);
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}

async function until(holds: () => boolean): Promise<void> {
  for (let count = 0; count < 500 && !holds(); count++) await turn();
  expect(holds()).toBe(true);
}
