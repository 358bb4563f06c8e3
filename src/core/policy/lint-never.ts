/**
 * Rules that hold for no facts the gateway can ever give: clauses that exclude each other, and days that are over. Each is
 * a proof from how calls are made up: only `tools/call` and items of lists name a tool, only `prompts/get` and completions a
 * prompt, a tool is of class `read` only if it says so itself, and so on.
 */
import { AGENT_METHODS, SERVER_METHODS } from "../mcp/methods.ts";
import { LEGACY_REVISIONS, MODERN_REVISIONS, vocabularyOf } from "../mcp/revision.ts";
import { endOfDay } from "./calendar.ts";
import { globTest } from "./glob.ts";
import type { ArgumentCondition, Rule, When } from "./policy.ts";
import { below, type Complaint, quoted } from "./problem.ts";

export type Never = Complaint & { readonly path: string };

interface Now {
  readonly now?: number;
  readonly utcOffsetMinutes?: number;
}

export function neverMatches(rule: Rule, { now, utcOffsetMinutes = 0 }: Now): Never | undefined {
  const end = rule.expires === undefined ? undefined : endOfDay(rule.expires);
  if (end !== undefined && now !== undefined && now + utcOffsetMinutes * 60_000 >= end) {
    return {
      path: "/expires",
      message: "The rule's last day is over.",
      remedy: "Set a later day, or remove the rule.",
    };
  }
  for (const phase of rule.on) if (!excluded(rule.when, phase)) return undefined;
  const [phase = "request"] = rule.on;
  return excluded(rule.when, phase);
}

function excluded(when: When, phase: Rule["on"][number]): Never | undefined {
  return (
    excludedMethod(when, phase) ?? excludedDirection(when) ?? excludedClass(when) ?? excludedArguments(when.args ?? {})
  );
}

const NAMED_BY = [
  ["tool", ["tools/call"], "tools/list"],
  ["class", ["tools/call"], "tools/list"],
  ["annotations", ["tools/call"], "tools/list"],
  ["prompt", ["prompts/get", "completion/complete"], "prompts/list"],
  ["uri", ["resources/read", "resources/subscribe", "resources/unsubscribe", "completion/complete"], "resources/list"],
] as const satisfies readonly (readonly [keyof When, readonly string[], string])[];

function excludedMethod(when: When, phase: Rule["on"][number]): Never | undefined {
  const { method } = when;
  const may = (name: string): boolean => method?.some((glob) => globTest(glob)(name)) ?? true;
  for (const [clause, methods, list] of NAMED_BY) {
    if (when[clause] === undefined) continue;
    if (phase === "list" ? may(list) || (clause === "uri" && may("resources/templates/list")) : methods.some(may))
      continue;
    return never(below("/when", clause), `No call of these methods has “${clause}”.`, "Leave “method” out.");
  }
  if (when.era !== undefined && method && phase === "request" && when.direction !== "back") {
    const known = [...AGENT_METHODS].filter(([name]) => may(name));
    const back = [...SERVER_METHODS].some(may);
    if (!back && known.length > 0 && known.every(([name]) => !isIn(when.era ?? "legacy", name))) {
      return never("/when/era", "These methods are not in protocols of that era.", "Leave “era” out.");
    }
  }
  return undefined;
}

function isIn(era: "legacy" | "modern", method: string): boolean {
  const revisions = era === "legacy" ? LEGACY_REVISIONS : MODERN_REVISIONS;
  return revisions.some((revision) => vocabularyOf(revision).requests.has(method));
}

/** What a server asks of an agent names no tool, prompt or resource, and comes with no class. */
function excludedDirection(when: When): Never | undefined {
  if (when.direction !== "back") return undefined;
  const clause = (["tool", "prompt", "uri", "class", "annotations"] as const).find((name) => when[name] !== undefined);
  return clause && never("/when/direction", `What a server asks has no “${clause}”.`, "Leave one of them out.");
}

function excludedClass(when: When): Never | undefined {
  const { class: classes, annotations, pin, tool } = when;
  const onlyReads = classes?.every((one) => one === "read") ?? false;
  if (onlyReads && annotations?.readOnlyHint === false) {
    return never("/when/annotations", "A tool of class “read” says that it only reads.", "Leave one of them out.");
  }
  if (onlyReads && pin && !pin.includes("approved")) {
    return never("/when/pin", "A tool is of class “read” only as you approved it.", "Leave one of them out.");
  }
  if (classes?.every((one) => one === "write") && annotations?.openWorldHint === true) {
    return never("/when/annotations", "A tool of class “write” says that it stays inside.", "Leave one of them out.");
  }
  if (classes?.every((one) => one === "external") && annotations?.openWorldHint === false) {
    return never(
      "/when/annotations",
      "A tool of class “external” does not say that it stays inside.",
      "Leave one of them out.",
    );
  }
  if ((tool || classes || annotations) && pin?.every((one) => one === "none")) {
    return never("/when/pin", "A tool is never “none”.", "Name approved, changed or new.");
  }
  return undefined;
}

/** A pointer that must be there below one that must not. */
function excludedArguments(args: Readonly<Record<string, ArgumentCondition>>): Never | undefined {
  const absent = Object.keys(args).filter((pointer) => isAbsent(args[pointer]));
  for (const [pointer, condition] of Object.entries(args)) {
    if (!needsValue(condition)) continue;
    const above = absent.find((one) => pointer === one || pointer.startsWith(`${one}/`));
    if (above === undefined) continue;
    return never(
      below("/when/args", pointer),
      `This needs a value where ${quoted(above)} must not be.`,
      "Leave one of them out.",
    );
  }
  return undefined;
}

function isAbsent(condition: ArgumentCondition | undefined): boolean {
  if (!condition) return false;
  if ("not" in condition) return "exists" in condition.not && condition.not.exists;
  return "exists" in condition && !condition.exists;
}

function needsValue(condition: ArgumentCondition): boolean {
  if ("not" in condition) return "exists" in condition.not && !condition.not.exists;
  return !("exists" in condition) || condition.exists;
}

function never(path: string, why: string, remedy: string): Never {
  return { path, message: `This rule can never match. ${why}`, remedy };
}
