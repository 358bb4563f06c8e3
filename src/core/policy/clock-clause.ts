/** The `time` clause, on the person's own clock as the facts give it. */
import type { Day, Facts, TimeClause } from "./policy.ts";

export const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const satisfies readonly Day[];

export function timeTest({ days, from, to }: TimeClause): (facts: Facts) => boolean {
  const begin = from === undefined ? 0 : minuteOf(from);
  const end = to === undefined ? MINUTES : minuteOf(to);
  if (begin === undefined || end === undefined) throw new Error("A time of this rule cannot be read.");
  const spansMidnight = begin >= end;
  return ({ now, utcOffsetMinutes = 0 }) => {
    const local = Math.floor(now / 60_000) + utcOffsetMinutes;
    const minute = ((local % MINUTES) + MINUTES) % MINUTES;
    const late = spansMidnight && minute < end;
    if (!late && (minute < begin || (!spansMidnight && minute >= end))) return false;
    return !days || days.includes(dayOf(Math.floor(local / MINUTES) - (late ? 1 : 0)));
  };
}

/** Minutes after midnight of `HH:MM`, or nothing. */
export function minuteOf(text: string): number | undefined {
  const match = /^([01][0-9]|2[0-3]):([0-5][0-9])$/.exec(text);
  return match ? Number(match[1]) * 60 + Number(match[2]) : undefined;
}

const MINUTES = 24 * 60;

/** Day 0, the first of January 1970, was a Thursday. */
function dayOf(day: number): Day {
  return DAYS[(((day + 3) % 7) + 7) % 7] ?? "mon";
}
