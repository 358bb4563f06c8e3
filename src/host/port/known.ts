/**
 * What one port remembers of each server: its crashes, its last words, its open runs. Names come from the extension, so the
 * memory of those that run nothing is dropped before it grows.
 */
import { type Crashes, createCrashes } from "../run/crashes.ts";
import { createRing, type Ring } from "../run/ring.ts";
import type { RunLane } from "./lane.ts";

export interface Known {
  readonly crashes: Crashes;
  readonly ring: Ring;
  /** Lines of no JSON on its output. */
  noise: number;
  /** Runs with a process, until nothing of it is left. */
  readonly open: Set<RunLane>;
}

export interface KnownServers {
  of(server: string): Known;
  peek(server: string): Known | undefined;
  all(): Iterable<Known>;
}

export function createKnown(): KnownServers {
  const known = new Map<string, Known>();
  return {
    of(server) {
      const found = known.get(server);
      if (found) return found;
      if (known.size >= MOST_KNOWN) for (const [name, about] of known) if (about.open.size === 0) known.delete(name);
      const made: Known = { crashes: createCrashes(), ring: createRing(), noise: 0, open: new Set() };
      known.set(server, made);
      return made;
    },
    peek: (server) => known.get(server),
    all: () => known.values(),
  };
}

const MOST_KNOWN = 256;
