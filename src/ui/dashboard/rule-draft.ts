/**
 * The rules as the person is typing them, seen as a list that a form can change. The text stays the truth: a form changes
 * one member of one rule in it, and steps aside while the text is not JSON, or holds a number that would not survive.
 */
export type DraftRule = Readonly<Record<string, unknown>>;

/** The rules of the text, or nothing where a form may not touch it. */
export function readDraft(text: string): readonly DraftRule[] | undefined {
  const whole = parse(text);
  const rules = listOf(whole);
  if (!rules?.every(isRecord) || losesNumbers(text)) return undefined;
  return rules;
}

/** The same text with that rule in its place; `undefined` removes it, a place past the end adds it. */
export function writeDraft(text: string, place: number, rule: DraftRule | undefined): string {
  const whole = parse(text);
  const rules = [...(listOf(whole) ?? [])];
  rules.splice(place, 1, ...(rule === undefined ? [] : [rule]));
  return JSON.stringify(isRecord(whole) ? { ...whole, rules } : rules, null, 2);
}

/** A member of a member, such as `when.tool`, as a list of texts. */
export function wordsAt(rule: DraftRule, path: readonly [string, string]): string {
  const inner = rule[path[0]];
  const value = isRecord(inner) ? inner[path[1]] : undefined;
  return Array.isArray(value) ? value.filter((one) => typeof one === "string").join(", ") : "";
}

/** The rule with that list; an empty one takes the member away, and its parent when it was the last. */
export function withWords(rule: DraftRule, path: readonly [string, string], words: string): DraftRule {
  const [outer, name] = path;
  const { [name]: _old, ...rest } = isRecord(rule[outer]) ? rule[outer] : {};
  const list = words
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
  const inner = list.length > 0 ? { ...rest, [name]: list } : rest;
  if (outer !== "when" && Object.keys(inner).length === 0) return without(rule, outer);
  return { ...rule, [outer]: inner };
}

export function without(rule: DraftRule, name: string): DraftRule {
  const { [name]: _gone, ...rest } = rule;
  return rest;
}

/** The clauses the form has no field for. */
export function otherClauses(rule: DraftRule): readonly string[] {
  const when = isRecord(rule.when) ? Object.keys(rule.when) : [];
  return when.filter((clause) => !FIELDS.has(clause));
}

/** Where a rule begins in the text, counted in lines from 1. */
export function lineOfRule(text: string, rule: DraftRule): number | undefined {
  const mark = `"id": ${JSON.stringify(rule.id)}`;
  const at = text.indexOf(mark);
  return at < 0 ? undefined : text.slice(0, at).split("\n").length;
}

const FIELDS = new Set(["origin", "server", "tool", "findings"]);

function listOf(whole: unknown): readonly unknown[] | undefined {
  const list = isRecord(whole) ? whole.rules : whole;
  return Array.isArray(list) ? list : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Sixteen digits may be more than a number of the language holds. */
function losesNumbers(text: string): boolean {
  return /[:[,]\s*-?[0-9.]{16,}/.test(text);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
