/**
 * The last lines a server wrote to its error output. Bounded in lines and in the length of each, because a server may write
 * for ever, and what it writes is its own: it is shown to the person as it is, never to an agent.
 */

export interface Ring {
  /** Returns the whole lines that these bytes completed. */
  push(bytes: Buffer): readonly string[];
  readonly lines: readonly string[];
}

export const RING_LINES = 200;
export const LINE_UNITS = 2000;

export function createRing(most = RING_LINES): Ring {
  let lines: string[] = [];
  let rest = "";
  const decoder = new TextDecoder();
  return {
    push(bytes) {
      const parts = (rest + decoder.decode(bytes, { stream: true })).split(/\r?\n/);
      rest = (parts.pop() ?? "").slice(0, LINE_UNITS);
      const fresh = parts.filter((line) => line !== "").map((line) => line.slice(0, LINE_UNITS));
      if (fresh.length > 0) lines = lines.concat(fresh).slice(-most);
      return fresh.slice(-most);
    },
    get lines() {
      return rest === "" ? lines : lines.concat(rest).slice(-most);
    },
  };
}
