/**
 * What holds without any rule of the person's. *Floors* stand above their rules and can only deny: a changed tool is off
 * until somebody looked at it. *Rows* stand below: data from outside in a session makes changes a question, and the last of
 * them is the visible default row.
 *
 * Who decides on what follows the protocol: the model picks tools, so tools have the default row; the application picks
 * resources and the person picks prompts, so what a connected site asks for there passes. What a server asks of the agent
 * passes where the agent declared that it answers such things. Questions to the person are sampling, a form that asks for a
 * password, a code or card data (servers may not ask for these in one), and an app of a server's (`ui://`): it is no text but
 * a program that the page would run.
 *
 * @see MCP 2025-11-25 · Server features · Overview (control hierarchy)
 */
import { sentenceFor } from "./explain.ts";
import type { DefaultRow, Facts, Reason, Verdict } from "./policy.ts";

/** Connected and ticked tools that read are allowed, everything else is a question. */
export const DEFAULT_ROW: DefaultRow = Object.freeze({ read: "allow", other: "ask" });

/** What no rule can lift. */
export function floorOf(facts: Facts): Reason | undefined {
  if (facts.phase !== "request" && facts.phase !== "list") return undefined;
  return facts.pin === "changed" && facts.tool !== undefined ? CHANGED : undefined;
}

/** What decides when no enforced rule matches. */
export function baselineOf(facts: Facts, { read, other }: DefaultRow): Reason {
  if (facts.phase !== "request") return PHASE_ROWS[facts.phase];
  if (facts.direction === "back") return backRow(facts);
  if (facts.method === "resources/read" && facts.uri?.startsWith("ui://")) return APP;
  if (facts.method !== "tools/call") return METHOD_ROWS.get(facts.method) ?? METHOD;
  if (facts.class === "read") return READ[read];
  // A session that has read from outside never changes anything unasked, whatever the default row says.
  return facts.labels?.integrity === "untrusted" && other !== "deny" ? UNTRUSTED : OTHER[other];
}

function backRow({ method, asksSecret }: Facts): Reason {
  if (method === "sampling/createMessage") return SAMPLING;
  return asksSecret ? SECRET_FORM : BACK;
}

function row(rule: string, verdict: Verdict): Reason {
  return Object.freeze({
    rule,
    verdict,
    priority: 0,
    mode: "enforce",
    sentence: sentenceFor(rule, undefined, verdict),
  });
}

function rows(rule: string): Readonly<Record<Verdict, Reason>> {
  return { allow: row(rule, "allow"), ask: row(rule, "ask"), deny: row(rule, "deny") };
}

const CHANGED = row("pin:changed", "deny");
const BACK = row("default:back", "allow");
const SECRET_FORM = row("default:secret-form", "ask");
const SAMPLING = row("default:sampling", "ask");
const UNTRUSTED = row("flow:untrusted-write", "ask");
const READ = rows("default:read");
const OTHER = rows("default:other");
const APP = row("default:app", "ask");
const METHOD = row("default:method", "allow");
const METHOD_ROWS: ReadonlyMap<string, Reason> = new Map([
  ["resources/read", row("default:resource", "allow")],
  ["prompts/get", row("default:prompt", "allow")],
]);
const PHASE_ROWS: Readonly<Record<Exclude<Facts["phase"], "request">, Reason>> = {
  reply: row("default:reply", "allow"),
  event: row("default:event", "allow"),
  list: row("default:list", "allow"),
};
