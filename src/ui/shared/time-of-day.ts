/** "14:44:27": the time of day to the second, in the person's way of writing it. */
import { language } from "../../platform/i18n.ts";

export function timeOfDay(at: number): string {
  return new Intl.DateTimeFormat(language(), {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  }).format(at);
}
