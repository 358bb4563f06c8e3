/**
 * Whether one rule holds wherever another does. Sound, not complete: where this says yes it is so, for all facts; where it
 * says no, nobody knows. Everything that claims a rule is shadowed, or a policy narrower, rests on it.
 */
import { GRANT_SCOPES } from "../consent/approval.ts";
import { CONFIDENTIALITY } from "../flow/labels.ts";
import type { JsonValue } from "../wire/json.ts";
import { equal } from "./equal.ts";
import { globTest } from "./glob.ts";
import { originCovers } from "./origin.ts";
import type { ArgumentCondition, LabelsClause, Obligations, Range, Rule, When } from "./policy.ts";

/** Whether `wide` holds for all facts for which `narrow` holds, in every phase `narrow` is for. */
export function covers(wide: Rule, narrow: Rule): boolean {
  if (!narrow.on.every((phase) => wide.on.includes(phase))) return false;
  if (wide.expires !== undefined && (narrow.expires === undefined || narrow.expires > wide.expires)) return false;
  const readings = { wide: wide.verdict === "allow", narrow: narrow.verdict === "allow" };
  return CLAUSES.every((clause) => {
    const wanted = wide.when[clause];
    if (wanted === undefined) return true;
    const given = narrow.when[clause];
    return given !== undefined && COVERS[clause](wanted as never, given as never, readings);
  });
}

/** Whether what one rule obliges to is at least what another does. */
export function obliges(more: Obligations = {}, less: Obligations = {}): boolean {
  if (!(less.redact ?? []).every((kind) => listCovers(more.redact ?? [], [kind], findingCovers))) return false;
  if (less.rate !== undefined && less.rate !== more.rate) return false;
  if (less.timeout !== undefined && (more.timeout === undefined || more.timeout > less.timeout)) return false;
  return (
    less.grant === undefined ||
    (more.grant !== undefined && GRANT_SCOPES.indexOf(more.grant) <= GRANT_SCOPES.indexOf(less.grant))
  );
}

/** Who reads generously: a rule that allows reads every text strictly, the others take what may be for what is. */
interface Readings {
  readonly wide: boolean;
  readonly narrow: boolean;
}

type Covers<Clause extends keyof When> = (
  wide: NonNullable<When[Clause]>,
  narrow: NonNullable<When[Clause]>,
  allows: Readings,
) => boolean;

const COVERS: { readonly [Clause in keyof When]-?: Covers<Clause> } = {
  origin: (wide, narrow) => listCovers(wide, narrow, originCovers),
  topSite: (wide, narrow) => listCovers(wide, narrow, originCovers),
  frame: same,
  private: same,
  direction: same,
  era: same,
  server: subset,
  tool: (wide, narrow) => listCovers(wide, narrow, globCovers),
  prompt: (wide, narrow) => listCovers(wide, narrow, globCovers),
  uri: (wide, narrow, allows) => isReadable(allows) && listCovers(wide, narrow, globCovers),
  method: (wide, narrow) => listCovers(wide, narrow, globCovers),
  class: subset,
  annotations: (wide, narrow) =>
    Object.entries(wide).every(([hint, value]) => narrow[hint as keyof typeof narrow] === value),
  pin: subset,
  args: (wide, narrow, allows) =>
    Object.entries(wide).every(([pointer, condition]) => {
      const given = Object.hasOwn(narrow, pointer) ? narrow[pointer] : undefined;
      return given !== undefined && conditionCovers(condition, given, allows);
    }),
  labels: labelsCover,
  findings: (wide, narrow) => listCovers(wide, narrow, findingCovers),
  size: (wide, narrow) =>
    (wide.over === undefined || (narrow.over !== undefined && narrow.over >= wide.over)) &&
    (wide.under === undefined || (narrow.under !== undefined && narrow.under <= wide.under)),
  time: same,
  rate: same,
  after: (wide, narrow, allows) => isReadable(allows) && same(wide, narrow),
  inARow: (wide, narrow) => narrow >= wide,
  refusals: (wide, narrow, allows) =>
    isReadable(allows) && wide.within === narrow.within && narrow.atLeast >= wide.atLeast,
};

const CLAUSES = Object.keys(COVERS) as readonly (keyof When)[];

function same(wide: unknown, narrow: unknown): boolean {
  return equal(wide as JsonValue, narrow as JsonValue);
}

function subset(wide: readonly string[], narrow: readonly string[]): boolean {
  return narrow.every((item) => wide.includes(item));
}

function listCovers(
  wide: readonly string[],
  narrow: readonly string[],
  covering: (wide: string, narrow: string) => boolean,
): boolean {
  return narrow.every((item) => wide.some((one) => covering(one, item)));
}

/** A star of the narrow one is a character like any other, which only a star of the wide one can take in. */
function globCovers(wide: string, narrow: string): boolean {
  return globTest(wide)(narrow);
}

function findingCovers(wide: string, narrow: string): boolean {
  return narrow === wide || narrow.startsWith(`${wide}.`);
}

/** What a strict reading takes in, a generous one does too, and never the other way round. */
function isReadable(allows: Readings): boolean {
  return !allows.wide || allows.narrow;
}

function conditionCovers(wide: ArgumentCondition, narrow: ArgumentCondition, allows: Readings): boolean {
  if (!isReadable(allows)) return false;
  if ("exists" in wide) return "exists" in narrow ? wide.exists === narrow.exists : wide.exists && isPositive(narrow);
  if (same(wide, narrow)) return true;
  if ("range" in wide && "range" in narrow) return rangeCovers(wide.range, narrow.range);
  if ("path" in wide && "path" in narrow) return subset(wide.path.inside, narrow.path.inside);
  return false;
}

/** Conditions that need a value to be there. */
function isPositive(condition: ArgumentCondition): boolean {
  return !("not" in condition) && !("exists" in condition);
}

function rangeCovers(wide: Range, narrow: Range): boolean {
  const low = bound(wide.atLeast, wide.above, Number.NEGATIVE_INFINITY);
  const lowest = bound(narrow.atLeast, narrow.above, Number.NEGATIVE_INFINITY);
  const high = bound(wide.atMost, wide.below, Number.POSITIVE_INFINITY);
  const highest = bound(narrow.atMost, narrow.below, Number.POSITIVE_INFINITY);
  const fits = (outer: number, inner: number, sign: 1 | -1): boolean => sign * (inner - outer) > 0;
  const lowFits =
    low.at === Number.NEGATIVE_INFINITY ||
    fits(low.at, lowest.at, 1) ||
    (low.at === lowest.at && (!low.open || lowest.open));
  const highFits =
    high.at === Number.POSITIVE_INFINITY ||
    fits(high.at, highest.at, -1) ||
    (high.at === highest.at && (!high.open || highest.open));
  return lowFits && highFits;
}

function bound(closed: number | undefined, open: number | undefined, none: number) {
  return open === undefined ? { at: closed ?? none, open: false } : { at: open, open: true };
}

function labelsCover(wide: LabelsClause, narrow: LabelsClause, allows: Readings): boolean {
  if (wide.integrity !== undefined && wide.integrity !== narrow.integrity) return false;
  if (wide.sources !== undefined && !sourcesCover(wide.sources, narrow.sources)) return false;
  if (wide.confidentiality === undefined) return true;
  if (narrow.confidentiality === undefined || allows.wide !== allows.narrow) return false;
  const outer = CONFIDENTIALITY.indexOf(wide.confidentiality);
  const inner = CONFIDENTIALITY.indexOf(narrow.confidentiality);
  return allows.wide ? inner <= outer : inner >= outer;
}

function sourcesCover(wide: NonNullable<LabelsClause["sources"]>, narrow: LabelsClause["sources"]): boolean {
  if (wide === "other" || narrow === "other" || narrow === undefined) return wide === narrow;
  return subset(wide, narrow);
}
