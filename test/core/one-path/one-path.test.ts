/**
 * One path: whatever carries a server, the same frames give the same answers, decisions and records. The kinds of transport
 * are read from the source, so that one which is added without being carried here makes this fail.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Approval } from "../../../src/core/consent/approval.ts";
import { createGateway } from "../../../src/core/gateway.ts";
import type { Revision } from "../../../src/core/mcp/revision.ts";
import type { Rule } from "../../../src/core/policy/policy.ts";
import type { RecordEntry } from "../../../src/core/recorder/entry.ts";
import type { ServerEntry } from "../../../src/core/servers/server.ts";
import { createFakeClock } from "../../fakes/clock.ts";
import { PLACE, SITE } from "../../fakes/gateway.ts";
import { createFakeSites } from "../../fakes/sites.ts";
import { createFakeTables } from "../../fakes/tables.ts";
import { CARRIERS, type Carrier } from "./carriers.ts";
import { COUNT, frameAt } from "./frames.ts";

const RULES: readonly Rule[] = [
  rule("never-burn", { verdict: "deny", when: { tool: ["file_burn"] } }),
  rule("no-keys", { verdict: "allow", when: { tool: ["file_read"] }, do: { redact: ["secret"] } }),
  rule("hold-hidden", { verdict: "deny", on: ["reply"], when: { findings: ["hidden-text"] } }),
  rule("mask-replies", { verdict: "allow", on: ["reply"], when: { tool: ["leaky"] }, do: { redact: ["secret"] } }),
];

interface Run {
  readonly replies: readonly string[];
  readonly events: readonly string[];
  readonly records: readonly unknown[];
}

describe("the same frames over every transport", () => {
  it("cover every kind of transport that the source has", () => {
    const folder = join(import.meta.dirname, "../../../src/core/transports");
    const kinds = readdirSync(folder)
      .map((file) => readFileSync(join(folder, file), "utf8"))
      .flatMap((source) => [...source.matchAll(/\bkind: "([a-z-]+)"[,;]/g)].map(([, kind]) => kind))
      .filter((kind) => kind !== "request" && kind !== "notification" && kind !== "reply");
    expect(kinds.length).toBeGreaterThan(3);
    expect(new Set(Object.values(CARRIERS).map(({ kind }) => kind))).toEqual(new Set(kinds));
  });

  for (const revision of ["2025-11-25", "2026-07-28"] as const) {
    it(`give the same answers and records, but for transport and time, in ${revision}`, async () => {
      const modern = revision === "2026-07-28";
      const carriers = Object.entries(CARRIERS).filter(([, carrier]) => carrier.modern || !modern);
      const [first, ...others] = carriers;
      if (!first) throw new Error("There are no transports.");
      const expected = await drive(first[1], revision);
      expect(expected.replies).toHaveLength(COUNT);
      expect(
        new Set(expected.records.map((record) => JSON.stringify((record as RecordEntry).outcome))).size,
      ).toBeGreaterThan(6);
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
  let ids = 0;
  const gateway = createGateway({
    clock: createFakeClock(),
    randomId: () => String(++ids).padStart(7, "0").padEnd(32, "0"),
    digest: async (text) => createHash("sha256").update(text).digest("hex"),
    fetch: () => Promise.reject(new Error("no network")),
    socket: () => {
      throw new Error("no sockets");
    },
    local: () => {
      throw new Error("no programs");
    },
    ...carrier.ports(modern),
    tables,
    sites: createFakeSites(),
    changed: () => undefined,
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
      if (frame.method === undefined) replies.push(text);
      else if (frame.id === undefined) events.push(text);
      else channel.receive(JSON.stringify({ jsonrpc: "2.0", id: frame.id, result: { action: "accept", content: {} } }));
    },
  });
  if (!modern) {
    const params = { protocolVersion: revision, capabilities: { elicitation: {} }, clientInfo: { name: "one" } };
    channel.receive(JSON.stringify({ jsonrpc: "2.0", id: "i", method: "initialize", params }));
    await until(() => replies.length === 1);
    replies.length = 0;
  }
  for (let at = 0; at < COUNT; at += 1) {
    channel.receive(frameAt(at, modern).text);
    await until(() => replies.length === at + 1);
  }
  await gateway.records.flush();
  await until(() => tables.records.entries.length >= COUNT);
  return { replies, events, records: tables.records.entries.map(plain) };
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
