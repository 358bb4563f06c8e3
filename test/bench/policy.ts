/**
 * What a decision costs, by the number of rules, beside Cedar (its policies parsed before, in WebAssembly) and a CEL engine
 * (one parsed expression for each rule, looked at one by one). All three hold the same rules and judge the same calls, and
 * where their verdicts differ the benchmark stops.
 */

import { compile } from "../../src/core/policy/compile.ts";
import { decide } from "../../src/core/policy/decide.ts";
import type { Facts, Rule, Verdict } from "../../src/core/policy/policy.ts";
import { simulate } from "../../src/core/policy/simulate.ts";
import type { RecordEntry } from "../../src/core/recorder/entry.ts";
import type { OtherEngine } from "../cedar/engines.ts";
import { loadEngines } from "../cedar/engines.ts";
import { type BenchRow, benchRow } from "./rows.ts";

const SIZES = [10, 100, 1_000, 10_000] as const;
/** One sample of ours is the mean of so many calls. */
const CALLS = 500;
const SAMPLES = 200;
/** The others are given so long for each row; a slow one is asked three times at least, whatever that takes. */
const BUDGET_MS = 400;
const FEWEST_SAMPLES = 3;
const DENY = { read: "deny", other: "deny" } as const;

export async function policyRows(): Promise<readonly BenchRow[]> {
  const engines = await loadEngines();
  const others = [
    { name: "", against: "Cedar", make: engines.cedar },
    { name: " (CEL)", against: "CEL, one expression a rule", make: engines.cel },
  ] as const;
  const rows: BenchRow[] = [];
  /** What reading the largest policy cost the others; it takes Cedar long, so it is done once. */
  const making = new Map<string, number>();
  const calls = madeCalls(CALLS);
  for (const size of SIZES) {
    const rules = madeRules(size);
    const policy = compile(rules, { default: DENY });
    const ours = meansOf(() => {
      for (const call of calls) decide(policy, call);
    });
    for (const { name, against, make } of others) {
      const begun = performance.now();
      const other = make(rules);
      making.set(name, performance.now() - begun);
      const few = size > 1_000;
      agree((call) => decide(policy, call).verdict, other, calls.slice(0, few ? 3 : 20));
      const theirs = withinBudget(other, calls, few ? 1 : 5);
      rows.push(benchRow({ name: `decide/${size}${name}`, unit: "µs", against }, { ours, against: theirs }));
    }
  }

  const many = madeRules(10_000);
  const compiling = Array.from({ length: 20 }, () => milliseconds(() => compile(many, { default: DENY })));
  const policy = compile(madeRules(100), { default: DENY });
  const records = madeCalls(10_000).map(recordOf);
  const simulating = Array.from({ length: 10 }, () => milliseconds(() => simulate(policy, records)));
  for (const { name, against, make } of others) {
    rows.push(
      benchRow(
        { name: `compile/10000${name}`, unit: "ms", against },
        { ours: compiling, against: [making.get(name) ?? Number.NaN] },
      ),
    );
    const engine = make(madeRules(100));
    const each = withinBudget(engine, calls, 5);
    rows.push(
      benchRow(
        { name: `simulate/10000${name}`, unit: "ms", against },
        { ours: simulating, against: each.map((microseconds) => (microseconds * records.length) / 1_000) },
      ),
    );
  }
  return rows;
}

/** Microseconds a call, each sample over all calls; the first ones warm up and do not count. */
function meansOf(run: () => void): readonly number[] {
  for (let warm = 0; warm < 20; warm++) run();
  return Array.from({ length: SAMPLES }, () => (milliseconds(run) * 1_000) / CALLS);
}

/** Microseconds a call, each sample the mean of a batch. */
function withinBudget(engine: OtherEngine, calls: readonly Facts[], batch: number): readonly number[] {
  const samples: number[] = [];
  const end = performance.now() + BUDGET_MS;
  for (let at = 0; samples.length < FEWEST_SAMPLES || performance.now() < end; at += batch) {
    const some = Array.from({ length: batch }, (_, next) => calls[(at + next) % calls.length] as Facts);
    samples.push(
      (milliseconds(() => {
        for (const call of some) engine.decide(call);
      }) *
        1_000) /
        some.length,
    );
  }
  return samples;
}

function agree(ours: (call: Facts) => Verdict, theirs: OtherEngine, calls: readonly Facts[]): void {
  for (const call of calls) {
    if (ours(call) !== theirs.decide(call)) throw new Error("The engines do not agree, so their speed says nothing.");
  }
}

function milliseconds(run: () => unknown): number {
  const begun = performance.now();
  run();
  return performance.now() - begun;
}

const VERBS = ["read", "list", "send", "delete", "update", "search", "create", "move"] as const;
const THINGS = ["mail", "file", "issue", "page", "event", "order", "user", "note", "image", "task"] as const;

function pick<Item>(items: readonly Item[], at: number): Item {
  return items[at % items.length] as Item;
}

/** Rules as people and administrators write them: most for one tool of one server, some for families of tools or sites. */
function madeRules(count: number): readonly Rule[] {
  const servers = Math.max(4, Math.round(count / 25));
  return Array.from({ length: count }, (_, at): Rule => {
    const mixed = (at * 7_919) % 104_729;
    const server = `server-${mixed % servers}`;
    const tool = `${pick(VERBS, mixed)}_${pick(THINGS, mixed >> 3)}`;
    const verdict = pick(["ask", "deny", "allow", "ask", "deny"] as const, mixed);
    const shape = at % 10;
    return {
      id: `rule-${at}`,
      verdict,
      priority: 0,
      on: ["request"],
      mode: "enforce",
      when: whenOf(shape, { server, tool, at }),
    };
  });
}

function whenOf(shape: number, { server, tool, at }: { server: string; tool: string; at: number }): Rule["when"] {
  if (shape === 0) return { server: [server], tool: [`${tool.split("_")[0]}_*`], class: ["write"] };
  if (shape === 1) return { origin: [`https://site-${at % 997}.example`], tool: [tool] };
  if (shape === 2) return { origin: [`https://*.team-${at % 499}.example`], server: [server] };
  if (shape === 3) return { server: [server], tool: [tool], args: { "/to": { equals: "someone@example.org" } } };
  if (shape === 4) return { server: [server], tool: [tool], labels: { integrity: "untrusted" }, class: ["external"] };
  if (shape === 5) return { server: [server], tool: [tool], findings: ["secret"] };
  return { server: [server], tool: [tool, `${tool}_all`], class: ["read", "write"] };
}

function madeCalls(count: number): readonly Facts[] {
  return Array.from({ length: count }, (_, at): Facts => {
    const mixed = (at * 6_101) % 104_729;
    return {
      phase: "request",
      now: 1_796_000_000_000 + at * 1_000,
      direction: "out",
      origin: pick(["https://chat.example", "https://site-7.example", "https://a.team-5.example"], mixed),
      topSite: "https://chat.example",
      private: false,
      serverId: `server-${mixed % 4}`,
      method: "tools/call",
      era: "modern",
      tool: `${pick(VERBS, mixed)}_${pick(THINGS, mixed >> 3)}`,
      class: pick(["read", "write", "external"] as const, mixed),
      args: {
        to: pick(["someone@example.org", "else@example.org"], mixed),
        subject: "Lunch",
        body: "See you at noon.",
      },
      findings: [],
      labels: { integrity: pick(["trusted", "untrusted"] as const, mixed), confidentiality: "public", sources: [] },
      pin: "approved",
      bytes: 1_000,
    };
  });
}

function recordOf(fact: Facts, at: number): RecordEntry {
  const { origin, topSite, tool, serverId } = fact;
  const text = JSON.stringify({
    jsonrpc: "2.0",
    id: at,
    method: "tools/call",
    params: { name: tool, arguments: { ...(fact.args as object), notes: "x".repeat(800) } },
  });
  return {
    callId: `c${at}`,
    direction: "out",
    at: fact.now,
    ms: 1,
    principal: { origin, topSite, cookieStore: "default", private: false },
    place: { tabId: 1, frameId: 0, documentId: "d" },
    agent: "bench",
    serverId,
    serverName: serverId,
    revision: "2026-07-28",
    method: "tools/call",
    ...(tool === undefined ? {} : { tool }),
    ...(fact.class === undefined ? {} : { class: fact.class }),
    request: { text, cut: false, bytes: text.length, digest: "", findings: [] },
    decisions: [{ phase: "request", verdict: "allow", reasons: [], redact: [] }],
    ...(fact.labels ? { labels: fact.labels } : {}),
    pin: "approved",
    stages: [],
    outcome: { kind: "answered", error: false },
    count: 1,
    seq: at + 1,
    prev: "",
    hash: "",
  };
}
