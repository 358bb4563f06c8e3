/**
 * Runs in the worker of an extension that has nothing but this: navra's core and the official client in one bundle, one
 * after the other against the same server. Whoever drives the worker asks for one row on one side, and gets one figure.
 */
import { openOurs } from "./ours.ts";
import type { ClientRow, Side } from "./side.ts";
import { openTheirs } from "./theirs.ts";

const sides = new Map<string, Promise<Side>>();

globalThis.benchRun = async (name, row, url) => {
  const key = `${name} ${url}`;
  const opening = sides.get(key) ?? (name === "ours" ? openOurs(url) : openTheirs(url));
  sides.set(key, opening);
  return RUNS[row](await opening);
};

/** Each gives milliseconds. */
const RUNS: Readonly<Record<ClientRow, (side: Side) => Promise<number>>> = {
  "stream/10MB": (side) =>
    timed(async () => {
      let seen = 0;
      side.hear(() => {
        seen += 1;
      });
      await side.call("stream", { events: 10_000, size: 900 });
      side.hear(undefined);
      expect(seen, 10_000);
    }),

  /** From the server's word to the agent, in the middle of all. */
  async "notifications/2000ps"(side) {
    const delays: number[] = [];
    const all = new Promise<void>((resolve) => {
      side.hear((data) => {
        delays.push(now() - (data as { at: number }).at);
        if (delays.length === 4_000) resolve();
      });
    });
    await side.call("burst", { perSecond: 2_000, seconds: 2 });
    await all;
    side.hear(undefined);
    return delays.sort((a, b) => a - b)[2_000] ?? Number.NaN;
  },

  async "list/1000tools"(side) {
    const lists = 10;
    const ms = await timed(async () => {
      for (let list = 0; list < lists; list++) expect(await side.list(), 1_000 + 3);
    });
    return ms / lists;
  },

  async "concurrent/1000"(side) {
    const text = "x".repeat(900);
    return timed(async () => {
      const parts = await Promise.all(Array.from({ length: 1_000 }, () => side.call("echo", { text })));
      expect(
        parts.reduce((sum, one) => sum + one, 0),
        1_000,
      );
    });
  },
};

async function timed(run: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await run();
  return performance.now() - began;
}

function now(): number {
  return performance.timeOrigin + performance.now();
}

function expect(seen: number, wanted: number): void {
  if (seen !== wanted) throw new Error(`The bench saw ${seen} instead of ${wanted}.`);
}
