/**
 * What the host keeps the worker alive for: calls that are open, and streams that stand open because a document in sight
 * listens. A stream that nobody in sight hears is no reason.
 */

export interface Busy {
  /** How many calls are open now. */
  calls(open: number): void;
  /** A stream stands; the returned function ends the reason, once. */
  stands(): () => void;
}

export function createBusy(tell: (reasons: number) => void): Busy {
  let open = 0;
  const streams = new Set<object>();
  const told = (): void => tell(open + streams.size);
  return {
    calls(now) {
      open = now;
      told();
    },
    stands() {
      const stream = {};
      streams.add(stream);
      told();
      return () => {
        if (streams.delete(stream)) told();
      };
    },
  };
}
