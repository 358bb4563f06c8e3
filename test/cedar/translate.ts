/**
 * Rules in the words of other engines, for the part of our language that these can say: every clause about names, labels,
 * findings, sizes and scalar arguments, at one priority, over a default that denies.
 */
import { CONFIDENTIALITY } from "../../src/core/flow/labels.ts";
import type { ArgumentCondition, Facts, Rule, When } from "../../src/core/policy/policy.ts";
import type { JsonValue } from "../../src/core/wire/json.ts";

export function cedarPolicies(rules: readonly Rule[]): string {
  return rules
    .flatMap((rule) => STATEMENTS[rule.verdict].map((head) => `${head} when { ${conditions(rule, CEDAR)} };`))
    .join("\n");
}

export function celCondition(rule: Rule): string {
  return conditions(rule, CEL);
}

/** The facts as both engines see them. */
export function cedarContext(facts: Facts): Readonly<Record<string, unknown>> {
  const { origin, topSite, serverId, method, tool = "", labels, args } = facts;
  return {
    origin,
    topSite,
    embedded: origin !== topSite,
    private: facts.private,
    server: serverId,
    method,
    tool,
    class: facts.class ?? "",
    era: facts.era ?? "",
    pin: facts.pin,
    integrity: labels?.integrity ?? "trusted",
    level: CONFIDENTIALITY.indexOf(labels?.confidentiality ?? "public"),
    sources: labels?.sources ?? [],
    findings: (facts.findings ?? []).flatMap(({ kind, type }) => [kind, type]),
    size: facts.bytes,
    destructive: facts.annotations?.destructiveHint ?? true,
    args: args ?? {},
  };
}

const STATEMENTS = {
  allow: [`permit (principal, action in [Action::"asked", Action::"unasked"], resource)`],
  ask: [
    `permit (principal, action == Action::"asked", resource)`,
    `forbid (principal, action == Action::"unasked", resource)`,
  ],
  deny: ["forbid (principal, action, resource)"],
} as const;

interface Dialect {
  readonly like: (subject: string, pattern: string) => string;
  readonly isIn: (item: string, list: string) => string;
  readonly has: (name: string) => string;
}

const CEDAR: Dialect = {
  like: (subject, pattern) => `${subject} like ${JSON.stringify(pattern)}`,
  isIn: (item, list) => `${list}.contains(${item})`,
  has: (name) => `context.args has ${name}`,
};

const CEL: Dialect = {
  like(subject, pattern) {
    const [start = "", end = ""] = pattern.split("*");
    return `${subject}.startsWith(${JSON.stringify(start)}) && ${subject}.endsWith(${JSON.stringify(end)}) && size(${subject}) >= ${start.length + end.length}`;
  },
  isIn: (item, list) => `${item} in ${list}`,
  has: (name) => `has(context.args.${name})`,
};

function conditions({ when, verdict }: Rule, dialect: Dialect): string {
  const parts = Object.entries(when).map(([clause, value]) => {
    const make = CLAUSES[clause as keyof When];
    if (!make) throw new Error(`There is no “${clause}” in the shared part of the language.`);
    return `(${make(value as never, dialect, verdict === "allow")})`;
  });
  return parts.length === 0 ? "true" : parts.join(" && ");
}

type Make<Clause extends keyof When> = (value: NonNullable<When[Clause]>, dialect: Dialect, allows: boolean) => string;

const CLAUSES: { readonly [Clause in keyof When]?: Make<Clause> } = {
  origin: (list, dialect) => names("context.origin", list, dialect),
  topSite: (list, dialect) => names("context.topSite", list, dialect),
  frame: (kind) => (kind === "embedded" ? "context.embedded" : "!context.embedded"),
  private: (flag) => `context.private == ${flag}`,
  era: (era) => `context.era == "${era}"`,
  server: (list, dialect) => names("context.server", list, dialect),
  tool: (list, dialect) => names("context.tool", list, dialect),
  method: (list, dialect) => names("context.method", list, dialect),
  class: (list, dialect) => names("context.class", list, dialect),
  pin: (list, dialect) => names("context.pin", list, dialect),
  annotations: ({ destructiveHint }) => `context.destructive == ${destructiveHint}`,
  labels({ integrity, confidentiality, sources }, dialect, allows) {
    const parts: string[] = [];
    if (integrity) parts.push(`context.integrity == "${integrity}"`);
    if (confidentiality)
      parts.push(`context.level ${allows ? "<=" : ">="} ${CONFIDENTIALITY.indexOf(confidentiality)}`);
    if (Array.isArray(sources))
      parts.push(`(${sources.map((id) => dialect.isIn(JSON.stringify(id), "context.sources")).join(" || ")})`);
    return parts.join(" && ");
  },
  findings: (list, dialect) => list.map((name) => dialect.isIn(JSON.stringify(name), "context.findings")).join(" || "),
  size({ over, under }) {
    const parts = [
      over === undefined ? "" : `context.size > ${over}`,
      under === undefined ? "" : `context.size < ${under}`,
    ];
    return parts.filter(Boolean).join(" && ");
  },
  args: (args, dialect) =>
    Object.entries(args)
      .map(([pointer, condition]) => `(${argument(pointer.slice(1), condition, dialect)})`)
      .join(" && "),
};

function names(subject: string, list: readonly string[], dialect: Dialect): string {
  return list
    .map((name) => (name.includes("*") ? `(${dialect.like(subject, name)})` : `${subject} == ${JSON.stringify(name)}`))
    .join(" || ");
}

function argument(name: string, condition: ArgumentCondition, dialect: Dialect): string {
  if ("not" in condition) return `!(${argument(name, condition.not, dialect)})`;
  const there = dialect.has(name);
  if ("exists" in condition) return condition.exists ? there : `!(${there})`;
  if ("equals" in condition) return `${there} && context.args.${name} == ${scalar(condition.equals)}`;
  if (!("range" in condition)) throw new Error("This condition is not in the shared part of the language.");
  const { atLeast, above, atMost, below } = condition.range;
  const bounds = [
    ["<=", atMost],
    [">=", atLeast],
    ["<", below],
    [">", above],
  ] as const;
  const parts = bounds.flatMap(([sign, bound]) =>
    bound === undefined ? [] : [`context.args.${name} ${sign} ${bound}`],
  );
  return [there, ...parts].join(" && ");
}

function scalar(value: JsonValue): string {
  if (typeof value === "object") throw new Error("Only scalars are in the shared part of the language.");
  return JSON.stringify(value);
}
