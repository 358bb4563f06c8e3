/**
 * Joining labels: the maximum of each axis, the union of sources. Commutative, associative and idempotent, so that it
 * does not matter in which order answers arrive or how often one is counted; and never lower than either side.
 */
import { CONFIDENTIALITY, INTEGRITY, type Labels } from "./labels.ts";

/** The labels of something made from both. Gives `a` itself back where `b` adds nothing. */
export function join(a: Labels, b: Labels): Labels {
  if (!raises(a, b)) return a;
  return {
    integrity: higher(INTEGRITY, a.integrity, b.integrity),
    confidentiality: higher(CONFIDENTIALITY, a.confidentiality, b.confidentiality),
    sources: [...new Set([...a.sources, ...b.sources])].sort(),
  };
}

/** Whether taking in `b` would change what holds `a`. */
export function raises(a: Labels, b: Labels): boolean {
  return (
    INTEGRITY.indexOf(b.integrity) > INTEGRITY.indexOf(a.integrity) ||
    CONFIDENTIALITY.indexOf(b.confidentiality) > CONFIDENTIALITY.indexOf(a.confidentiality) ||
    b.sources.some((source) => !a.sources.includes(source))
  );
}

function higher<Level extends string>(scale: readonly Level[], a: Level, b: Level): Level {
  return scale.indexOf(b) > scale.indexOf(a) ? b : a;
}
