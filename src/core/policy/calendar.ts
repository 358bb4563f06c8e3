/** Days in rules. Plain arithmetic on the proleptic Gregorian calendar: a decision knows no clock but the one in its facts. */

const DAY = 86_400_000;
const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** The first millisecond after a day `YYYY-MM-DD`, as if local time were UTC; nothing for a day that does not exist. */
export function endOfDay(text: string): number | undefined {
  const match = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(text);
  if (!match) return undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const length = (LENGTHS[month - 1] ?? 0) + (month === 2 && isLeap(year) ? 1 : 0);
  if (year < 1970 || day < 1 || day > length) return undefined;
  let days = day + (month > 2 && isLeap(year) ? 1 : 0);
  for (const earlier of LENGTHS.slice(0, month - 1)) days += earlier;
  return (daysBefore(year) - daysBefore(1970) + days) * DAY;
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** Days from year 1 to the first of January of `year`. */
function daysBefore(year: number): number {
  const past = year - 1;
  return past * 365 + Math.floor(past / 4) - Math.floor(past / 100) + Math.floor(past / 400);
}
