/** A row of the benchmark: two things measured in one run, and how they compare. */

export interface BenchRow {
  readonly name: string;
  readonly unit: "µs" | "ms" | "MB/s" | "MB";
  readonly p50: number;
  readonly p99: number;
  /** Samples of ours. */
  readonly n: number;
  /** What it is held against, in words. */
  readonly against: string;
  readonly againstP50: number;
  /** Ours over theirs. */
  readonly ratio: number;
  readonly memoryMB?: number;
}

/** Whether a row is asked for, by its name. */
export type Wanted = (name: string) => boolean;

export function benchRow(
  about: Pick<BenchRow, "name" | "unit" | "against">,
  samples: { readonly ours: readonly number[]; readonly against: readonly number[] },
): BenchRow {
  const p50 = percentile(samples.ours, 0.5);
  const againstP50 = percentile(samples.against, 0.5);
  return {
    ...about,
    p50: round(p50),
    p99: round(percentile(samples.ours, 0.99)),
    n: samples.ours.length,
    againstP50: round(againstP50),
    ratio: round(p50 / againstP50),
  };
}

export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

function round(value: number): number {
  return Number(value.toPrecision(4));
}
