/** Times in the person's language: relative in the view, exact on hover. */
import { language } from "../../platform/i18n.ts";
import { t } from "./text.ts";

/** "40 s ago", "2 min ago", "3 days ago", "in 5 min". */
export function relative(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1000);
  const size = Math.abs(seconds);
  if (size < 3) return t("shared_now");
  const format = new Intl.RelativeTimeFormat(language(), { style: "narrow", numeric: "always" });
  if (size < 60) return format.format(seconds, "second");
  if (size < 3600) return format.format(Math.trunc(seconds / 60), "minute");
  if (size < 86_400) return format.format(Math.trunc(seconds / 3600), "hour");
  return format.format(Math.trunc(seconds / 86_400), "day");
}

/** Date and time to the second. */
export function exact(at: number): string {
  return new Intl.DateTimeFormat(language(), { dateStyle: "medium", timeStyle: "medium" }).format(at);
}

/** "15:30", with the day when it is not today. */
export function clockTime(at: number, now: number): string {
  const today = new Date(at).toDateString() === new Date(now).toDateString();
  const style = today ? ({ timeStyle: "short" } as const) : ({ dateStyle: "medium", timeStyle: "short" } as const);
  return new Intl.DateTimeFormat(language(), style).format(at);
}

/** "1:46" until something ends by itself; never below "0:00". */
export function countdown(until: number, now: number): string {
  const seconds = Math.max(0, Math.ceil((until - now) / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** "12 ms", "2.4 s". */
export function duration(ms: number): string {
  const unit = ms < 1000 ? "millisecond" : "second";
  const value = ms < 1000 ? Math.round(ms) : ms / 1000;
  return new Intl.NumberFormat(language(), { style: "unit", unit, maximumFractionDigits: 1 }).format(value);
}
