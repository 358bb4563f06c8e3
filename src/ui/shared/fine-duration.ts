/** A duration that may be far below a millisecond: "<0.1 ms", "0.4 ms", "231 ms", "4.12 s". */
import { language } from "../../platform/i18n.ts";
import { duration } from "./time.ts";

export function fineDuration(ms: number): string {
  if (ms >= 10) return duration(ms);
  const format = new Intl.NumberFormat(language(), { style: "unit", unit: "millisecond", maximumFractionDigits: 1 });
  return ms < 0.05 ? `<${format.format(0.1)}` : format.format(ms);
}
