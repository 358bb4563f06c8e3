/**
 * The formats that a form may ask for. Each is as strict as its RFC or stricter: what passes here is accepted by any
 * validator that follows it.
 *
 * @see RFC 3339 · 5.6 (date, date-time); RFC 5321 · 4.1.2 (mailbox); RFC 3986 · 3 (URI)
 */
import type { TextFormat } from "./form.ts";

export function hasFormat(text: string, format: TextFormat): boolean {
  return text.length <= LONGEST && CHECKS[format](text);
}

const LONGEST = 8_192;

const CHECKS: Readonly<Record<TextFormat, (text: string) => boolean>> = { email, uri, date, "date-time": dateTime };

const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

function email(text: string): boolean {
  const at = text.lastIndexOf("@");
  const local = text.slice(0, at);
  const host = text.slice(at + 1);
  if (at < 1 || local.length > 64 || host.length > 253) return false;
  const labels = host.split(".");
  return LOCAL_PART.test(local) && labels.length > 1 && labels.every((label) => LABEL.test(label));
}

const SCHEME = /^[a-z][a-z0-9+.-]*:[^\s]/i;
const URI_CHARACTERS = /^(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/;

function uri(text: string): boolean {
  // Brackets stand only around an address of six groups, and `#` once.
  if (!SCHEME.test(text) || !URI_CHARACTERS.test(text) || !URL.canParse(text)) return false;
  const rest = text.slice(text.indexOf(":") + 1);
  const [authority = ""] = rest.startsWith("//") ? rest.slice(2).split(/[/?#]/, 1) : [];
  const after = rest.slice(rest.startsWith("//") ? 2 + authority.length : 0);
  return !/[[\]]/.test(after) && after.split("#").length <= 2;
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^(\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(?:Z|[+-](\d{2}):(\d{2}))$/i;

function date(text: string): boolean {
  const [, year, month, day] = (DATE.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

function dateTime(text: string): boolean {
  const [day = "", time = ""] = [text.slice(0, 10), text.slice(11)];
  const [, hour, minute, second, offsetHour = "0", offsetMinute = "0"] = TIME.exec(time) ?? [];
  if (!date(day) || !/^t$/i.test(text.charAt(10)) || hour === undefined) return false;
  // A leap second is a moment that most programs cannot read.
  return (
    Number(hour) < 24 &&
    Number(minute) < 60 &&
    Number(second) < 60 &&
    Number(offsetHour) < 24 &&
    Number(offsetMinute) < 60
  );
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
