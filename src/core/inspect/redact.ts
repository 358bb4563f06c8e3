/**
 * Carries out an obligation to redact. A secret is replaced by a fixed, visible mask wherever its text occurs in the
 * message, also where no detector would find it; hidden text is taken out. Everything else keeps its value and place.
 *
 * The value is looked at afresh and in full, because a list of findings is bounded and a sender could fill it with
 * decoys. A member name is changed like any string: leaving it would let out what the policy holds back, and an
 * argument that no longer has the name the tool expects is refused by its schema. Two names never become one.
 *
 * INVARIANT: afterwards `inspect` finds nothing that was wanted; should it, the caller gets an exception, which denies.
 */
import { GatewayError } from "../errors.ts";
import { isObject, type JsonValue } from "../wire/json.ts";
import type { Finding } from "./finding.ts";
import { inspectAll, isOverflow, spotsOf } from "./inspect.ts";
import { type Known, knownValues } from "./known.ts";
import { joined } from "./spot.ts";

export const SECRET_MASK = "[secret removed by navra]";

export interface Redacted {
  readonly value: JsonValue;
  /** Places that were changed. */
  readonly replaced: number;
}

export function redact(value: JsonValue, findings: readonly Finding[], wanted: readonly string[]): Redacted {
  if (wanted.length === 0) return { value, replaced: 0 };
  let current: Redacted = { value, replaced: 0 };
  let left = [...inspectAll(value), ...findings].filter((finding) => isWanted(finding, wanted) && !isOverflow(finding));
  for (let round = 0; left.length > 0; round += 1) {
    if (round === ROUNDS) throw new GatewayError("internal-error", STUBBORN);
    const work: Work = { wanted, known: knownValues(current.value, left), replaced: 0 };
    const next = rewrite(current.value, work);
    current = { value: next, replaced: current.replaced + work.replaced };
    left = inspectAll(next).filter((finding) => isWanted(finding, wanted));
  }
  return current;
}

export function isWanted(finding: Pick<Finding, "kind" | "type">, wanted: readonly string[]): boolean {
  return wanted.includes(finding.kind) || wanted.includes(finding.type);
}

/** Taking something out can make what is left stand out; twice is enough for all that was ever seen. */
const ROUNDS = 4;
const STUBBORN =
  "The policy wants something removed from this message, and it could not be removed for certain. The message was held back. Send it without the secret or the hidden text.";

interface Work {
  readonly wanted: readonly string[];
  readonly known: Known;
  replaced: number;
}

function rewrite(value: JsonValue, work: Work): JsonValue {
  if (typeof value === "string") return rewriteText(value, work);
  if (typeof value !== "object" || value === null) return value;
  if (!isObject(value)) return value.map((item) => rewrite(item, work));
  const names = Object.keys(value);
  const clean = names.map((name) => rewriteText(name, work));
  const taken = new Set(names.filter((name, at) => clean[at] === name));
  const members = names.map((name, at): [string, JsonValue] => {
    const changed = clean[at] ?? name;
    return [changed === name ? name : unused(changed, taken), rewrite(value[name] as JsonValue, work)];
  });
  return Object.fromEntries(members);
}

/** A name that was changed must not take another member's place, nor reach an object's prototype. */
function unused(name: string, taken: Set<string>): string {
  let free = name;
  for (let number = 2; taken.has(free) || free === "__proto__"; number += 1) free = `${name} (${number})`;
  taken.add(free);
  return free;
}

function rewriteText(text: string, work: Work): string {
  const secrets = work.known.placesIn(text);
  const hidden: { start: number; end: number }[] = [];
  for (const spot of spotsOf(text) ?? []) {
    if (isWanted(spot, work.wanted)) (spot.kind === "secret" ? secrets : hidden).push(spot);
  }
  if (secrets.length === 0 && hidden.length === 0) return text;
  let result = "";
  let from = 0;
  const masked = joined(secrets);
  for (const span of joined([...masked, ...hidden])) {
    const holdsSecret = masked.some(({ start, end }) => start < span.end && end > span.start);
    result += text.slice(from, span.start) + (holdsSecret ? SECRET_MASK : "");
    from = span.end;
    work.replaced += 1;
  }
  return result + text.slice(from);
}
