/** Keys of a list with one stop: arrows, Home and End choose, Page Up and Down take ten. Ids in the order shown. */
export function chooseByKey(key: string, ids: readonly string[], chosen: string | undefined): string | undefined {
  const step = STEPS[key];
  if (step === undefined || ids.length === 0) return undefined;
  const at = chosen === undefined ? -1 : ids.indexOf(chosen);
  // Nothing chosen yet: down begins at the first, up at the last.
  if (at < 0) return step > 0 && step !== Number.POSITIVE_INFINITY ? ids[0] : ids[step === FIRST ? 0 : ids.length - 1];
  const next = Math.min(ids.length - 1, Math.max(0, at + step));
  return ids[next];
}

/** Whether a single letter may act: not while somebody types. */
export function typing(event: KeyboardEvent): boolean {
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches("input, textarea, select");
}

const FIRST = Number.NEGATIVE_INFINITY;
const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: FIRST,
  End: Number.POSITIVE_INFINITY,
};
