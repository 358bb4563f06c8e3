/** What a detector says of one string, before its place in the message is known. */
import type { Finding } from "./finding.ts";

export type Spot = Pick<Finding, "kind" | "type" | "start" | "end" | "confidence">;

/** Sorted by start, overlaps joined: what stands between two of these is untouched by any spot. */
export function joined(
  spans: readonly { readonly start: number; readonly end: number }[],
): { start: number; end: number }[] {
  const result: { start: number; end: number }[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last !== undefined && span.start < last.end) last.end = Math.max(last.end, span.end);
    else result.push({ start: span.start, end: span.end });
  }
  return result;
}
