/**
 * What is different since a call of the same tool was approved, argument by argument. It compares two texts as evidence
 * keeps them, secrets masked on both sides, so that nothing old is shown that was not kept.
 */
import { argumentMembers } from "./members.ts";

export interface ArgumentChange {
  readonly name: string;
  readonly kind: "new" | "gone" | "changed";
  /** Canonical text of the earlier value; absent for a new argument. */
  readonly was?: string;
}

/** In the order of the arguments now, those that are gone last. */
export function changesSince(before: string, now: string): readonly ArgumentChange[] {
  const old = argumentMembers(before);
  const fresh = argumentMembers(now);
  const changes: ArgumentChange[] = [];
  for (const [name, value] of fresh) {
    const was = old.get(name);
    if (was === undefined) changes.push({ name, kind: "new" });
    else if (was !== value) changes.push({ name, kind: "changed", was });
  }
  for (const [name, was] of old) if (!fresh.has(name)) changes.push({ name, kind: "gone", was });
  return changes;
}
