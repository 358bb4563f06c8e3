/**
 * The arguments of a call, one by one: name to the canonical text of its value. Values are compared as text, so that two
 * numbers which only a rounding reader would call equal stay different.
 *
 * INVARIANT: the text has passed `scan`, so no name occurs twice.
 */
import { canonicalize } from "../wire/canonical.ts";
import { membersFrom } from "../wire/skip.ts";
import { afterSpace } from "../wire/tokens.ts";

/** Empty where the text is no object. */
export function argumentMembers(text: string): ReadonlyMap<string, string> {
  const members = new Map<string, string>();
  for (const { nameStart, nameEnd, valueStart, valueEnd } of membersFrom(text, afterSpace(text, 0))) {
    members.set(JSON.parse(text.slice(nameStart, nameEnd)) as string, canonicalize(text.slice(valueStart, valueEnd)));
  }
  return members;
}
