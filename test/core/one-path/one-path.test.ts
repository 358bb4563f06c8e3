/**
 * One path: whatever carries a server, the same frames give the same answers, ledgers and records, and the same frames reach
 * the server. The kinds of transport are read from the source, so that one which is added without being carried here makes
 * this fail.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BURST_MS } from "../../../src/core/bursts.ts";
import type { Call } from "../../../src/core/call.ts";
import type { Approval } from "../../../src/core/consent/approval.ts";
import { createGateway, type Gateway } from "../../../src/core/gateway.ts";
import { type Revision, vocabularyOf } from "../../../src/core/mcp/revision.ts";
import type { LedgerFacts } from "../../../src/core/pipeline/ledger.ts";
import type { Rule } from "../../../src/core/policy/policy.ts";
import type { RecordEntry } from "../../../src/core/recorder/entry.ts";
import type { ServerEntry } from "../../../src/core/servers/server.ts";
import { createFakeClock } from "../../fakes/clock.ts";
import { PLACE, SITE } from "../../fakes/gateway.ts";
import { createFakeSites } from "../../fakes/sites.ts";
import { createFakeTables } from "../../fakes/tables.ts";
import { type Frame, TOOL_NAMES } from "./brain.ts";
import { CARRIERS, type Carrier } from "./carriers.ts";
import { framesOf } from "./frames.ts";

const SERVER_SOURCE = join(import.meta.dirname, "../../../src/core/servers/server.ts");

const RULES: readonly Rule[] = [
  rule("never-burn", { verdict: "deny", when: { tool: ["file_burn"] } }),
  rule("no-keys", { verdict: "allow", when: { tool: ["file_read"] }, do: { redact: ["secret"] } }),
  rule("hold-hidden", { verdict: "deny", on: ["reply"], when: { findings: ["hidden-text"] } }),
  rule("mask-replies", { verdict: "allow", on: ["reply"], when: { tool: ["leaky"] }, do: { redact: ["secret"] } }),
];

interface Run {
  readonly replies: readonly string[];
  /** Notifications, and questions of the server's. */
  readonly events: readonly string[];
  readonly records: readonly unknown[];
  /** The facts of every call, by call. */
  readonly ledgers: readonly unknown[];
  /** What the server was asked, but for ids. */
  readonly heard: readonly unknown[];
}

/** Every fact there is; a new one is compared too. */
const FACTS: Readonly<Record<keyof LedgerFacts, true>> = {
  action: true,
  method: true,
  definition: true,
  class: true,
  pin: true,
  requestFindings: true,
  sessionLabels: true,
  digest: true,
  answered: true,
  sentAt: true,
  served: true,
  replyFindings: true,
  replyLabels: true,
  quarantined: true,
  hidden: true,
  released: true,
  typed: true,
};

describe("the same frames over every transport", () => {
  it("cover every kind of transport that the source has", () => {
    const folder = join(import.meta.dirname, "../../../src/core/transports");
    const kinds = readdirSync(folder)
      .map((file) => readFileSync(join(folder, file), "utf8"))
      .flatMap((source) => [...source.matchAll(/\bkind: "([a-z-]+)"[,;]/g)].map(([, kind]) => kind))
      .filter((kind) => kind !== "request" && kind !== "notification" && kind !== "reply");
    expect(kinds.length).toBeGreaterThan(3);
    expect(new Set(Object.values(CARRIERS).map(({ kind }) => kind))).toEqual(new Set(kinds));
    // Each of the channels is a kind that a server may be registered with, and the other way round.
    const [, union = ""] = /type TransportKind = ([^;]*);/.exec(readFileSync(SERVER_SOURCE, "utf8")) ?? [];
    expect(new Set([...union.matchAll(/"([a-z-]+)"/g)].map(([, kind]) => kind))).toEqual(new Set(kinds));
  });

  it.each([false, true])("are of every method and every kind of server (2026-07-28: %s)", (modern) => {
    const frames = framesOf(modern);
    expect(frames.length).toBeGreaterThanOrEqual(200);
    const text = frames.map((frame) => frame.text.replaceAll("\\/", "/")).join("\n");
    const methods = [...vocabularyOf(modern ? "2026-07-28" : "2025-11-25").requests];
    expect(methods.filter((method) => !text.includes(`"method":"${method}"`))).toEqual([]);
    expect(TOOL_NAMES.filter((name) => !text.includes(`"name":"${name}"`))).toEqual([]);
  });

  for (const revision of ["2025-11-25", "2026-07-28"] as const) {
    it(`give the same answers and records, but for transport and time, in ${revision}`, async () => {
      const modern = revision === "2026-07-28";
      const carriers = Object.entries(CARRIERS).filter(([, carrier]) => carrier.modern || !modern);
      const [first, ...others] = carriers;
      if (!first) throw new Error("There are no transports.");
      const expected = await drive(first[1], revision);
      const endings = expected.records.map((record) => JSON.stringify((record as RecordEntry).outcome));
      expect(new Set(endings).size).toBeGreaterThan(12);
      expect(expected.ledgers.length).toBeGreaterThan(150);
      for (const [name, carrier] of others) {
        const run = await drive(carrier, revision);
        expect({ name, ...run }).toEqual({ name, ...expected });
      }
    });
  }
});

async function drive(carrier: Carrier, revision: Revision): Promise<Run> {
  const modern = revision === "2026-07-28";
  const tables = createFakeTables();
  const clock = createFakeClock();
  const heard: Frame[] = [];
  /** Of what the server hears, what navra asks again because a connection broke: the agent says something else meanwhile. */
  const again = new Set<Frame>();
  let saying: string | undefined;
  const hear = (frame: Frame): void => {
    heard.push(frame);
    if (HELD_BY_SESSION.test(frame.method ?? "") && frame.method !== saying) again.add(frame);
  };
  const calls = new Map<string, Call>();
  let ids = 0;
  const gateway: Gateway = createGateway({
    clock,
    randomId: () => String(++ids).padStart(7, "0").padEnd(32, "0"),
    digest: async (text) => createHash("sha256").update(text).digest("hex"),
    fetch: () => Promise.reject(new Error("no network")),
    socket: () => {
      throw new Error("no sockets");
    },
    local: () => {
      throw new Error("no programs");
    },
    ...carrier.ports(modern, hear),
    tables,
    sites: createFakeSites(),
    changed(topic) {
      if (topic === "calls") for (const call of gateway.openCalls()) calls.set(call.callId, call);
    },
    showApprovals: (waiting) => void setImmediate(() => waiting.forEach(decide)),
    busy: () => undefined,
  });
  function decide(approval: Approval): void {
    const allows = !(approval.kind === "call" && approval.argumentsText.includes("/denied"));
    const { id, digest } = approval;
    void gateway.approvals.answer({ id, digest, answer: allows ? "allow" : "deny", scope: "once" });
  }

  // That a server has two endpoints is found out; nobody can register it so.
  const transport = carrier.kind === "http-sse" ? "streamable-http" : carrier.kind;
  const entry = { id: "s-1", name: "one", url: carrier.url, transport, trust: "trusted", enabled: true, addedAt: 0 };
  tables.servers.rows.set(entry.id, entry as ServerEntry);
  await gateway.restore();
  const server = gateway.registry.byName("one");
  if (!server) throw new Error("The server is not registered.");
  const { tools } = await gateway.registry.refresh(server.id, new AbortController().signal);
  await gateway.connector.connect(
    SITE,
    server.id,
    tools.map(({ name }) => name),
  );
  expect(gateway.registry.byId(server.id)?.transport).toBe(carrier.kind);
  for (const one of RULES) await gateway.rules.save(one);

  const replies: string[] = [];
  const events: string[] = [];
  const channel = gateway.open({
    principal: SITE,
    place: PLACE,
    channel: "c1",
    server: "one",
    act: true,
    post(text) {
      const frame = JSON.parse(text);
      if (Array.isArray(frame) || frame.method === undefined) replies.push(text);
      else events.push(frame.id === undefined ? text : JSON.stringify({ ...frame, id: "…" }));
      if (frame.method !== undefined && frame.id !== undefined) {
        channel.receive(JSON.stringify({ jsonrpc: "2.0", id: frame.id, result: { action: "accept", content: {} } }));
      }
    },
  });
  if (!modern) {
    const params = {
      protocolVersion: revision,
      capabilities: { elicitation: {}, roots: {} },
      clientInfo: { name: "one" },
    };
    channel.receive(JSON.stringify({ jsonrpc: "2.0", id: "i", method: "initialize", params }));
    await until(() => replies.length === 1);
    channel.receive('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  }
  for (const list of [replies, heard]) list.length = 0;
  calls.clear();
  let expected = 0;
  for (const { text, replies: answers, cancelled } of framesOf(modern)) {
    const before = heard.length;
    saying = /"method":\s*"([^"]*)"/.exec(text.replaceAll("\\/", "/"))?.[1];
    channel.receive(text);
    if (cancelled !== undefined) {
      await until(() => heard.length > before);
      channel.receive(
        JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: cancelled } }),
      );
    }
    expected += answers;
    await until(() => replies.length >= expected && gateway.openCalls().length === 0);
  }
  clock.advance(BURST_MS);
  await until(() => tables.records.entries.length >= calls.size);
  await gateway.records.flush();
  return {
    replies,
    events,
    records: tables.records.entries.map(plain),
    ledgers: [...calls.values()].map(factsOf),
    heard: heard
      .filter((frame) => !NEAR_THE_WIRE.test(frame.method ?? "") && !again.has(frame))
      .map(({ id: _id, ...rest }) => withoutToken(rest)),
  };
}

/** What opens a session again after a connection that broke, and how a call is taken back, is the transport's affair. */
const NEAR_THE_WIRE = /^(initialize|notifications\/(initialized|cancelled)|server\/discover)$/;

/** What a server keeps with a session, and has to be told anew in the next. */
const HELD_BY_SESSION = /^(logging\/setLevel|resources\/subscribe)$/;

function withoutToken(frame: object): unknown {
  return JSON.parse(
    JSON.stringify(frame, (key, value) => (key === "progressToken" || key.endsWith("subscriptionId") ? "…" : value)),
  );
}

function factsOf({ ledger, direction, message: { method }, request }: Call): unknown {
  const names = Object.keys(FACTS) as (keyof LedgerFacts)[];
  const facts = names.map((name) => [name, name === "sentAt" ? ledger.read(name) !== undefined : ledger.read(name)]);
  return { method, direction, facts: Object.fromEntries(facts), decisions: ledger.decisions, sent: request.text };
}

/** A record without what differs by nature: random ids, the chain over them, and the order in which two were written. */
function plain(record: RecordEntry): unknown {
  const { callId: _call, parent, seq: _seq, prev: _prev, hash: _hash, serverId: _server, stages, ...rest } = record;
  return { ...rest, hasParent: parent !== undefined, stages: stages.map(({ stage }) => stage) };
}

function rule(id: string, of: Pick<Rule, "verdict" | "when"> & Partial<Rule>): Rule {
  return { id, priority: 0, on: ["request"], mode: "enforce", ...of };
}

async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 2_000 && !holds(); turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(holds()).toBe(true);
}
