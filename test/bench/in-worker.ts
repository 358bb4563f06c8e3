/**
 * Runs in a worker of the browser, as the gateway does: every bench that the worker's name lists in turn, interleaved with
 * what it is held against.
 */
import { decodeBench } from "./decode.ts";
import { pipelineBench } from "./pipeline.ts";

export interface Samples {
  readonly name: string;
  /** Means over `CALLS` calls each, in microseconds. */
  readonly ours: readonly number[];
  readonly against: readonly number[];
}

/** The clock of a worker is coarse (5 µs where the page is isolated); one sample is the mean of this many calls. */
const CALLS = 200;
/** After so many calls what they left to be done is awaited. */
const BETWEEN = 20;
const ROUNDS = 60;
const WARM_UP = 5;

interface Bench {
  readonly name: string;
  readonly run: () => void | Promise<void>;
  readonly against: () => void;
  /** What a call leaves to be done after its answer, such as sealing its record; awaited outside the measured time. */
  readonly settle?: () => Promise<void>;
}

async function main(): Promise<void> {
  const wanted = JSON.parse(self.name) as readonly string[];
  const all: readonly Bench[] = [...decodeBench(), ...(await pipelineBench())];
  const benches = all.filter(({ name }) => wanted.includes(name));
  const results: Samples[] = [];
  for (const bench of benches) {
    const ours: number[] = [];
    const against: number[] = [];
    for (let round = 0; round < ROUNDS + WARM_UP; round++) {
      const one = await mean(bench.run, bench.settle);
      const other = await mean(bench.against);
      if (round < WARM_UP) continue;
      ours.push(one);
      against.push(other);
    }
    results.push({ name: bench.name, ours, against });
  }
  postMessage(results);
}

async function mean(run: Bench["run"], settle?: Bench["settle"]): Promise<number> {
  let total = 0;
  for (let call = 0; call < CALLS; call++) {
    const began = performance.now();
    const step = run();
    if (step) await step;
    total += performance.now() - began;
    if (settle && call % BETWEEN === BETWEEN - 1) await settle();
  }
  return (total * 1000) / CALLS;
}

void main().catch((thrown: unknown) => postMessage({ problem: String(thrown) }));
