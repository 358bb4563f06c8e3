/** Messages of a server's that belong to nothing and were thrown away, counted so that a person can see that it happens. */

export interface Drops {
  /** Replies to an id we never gave out. */
  readonly foreign: number;
  /** Replies to a request that already has its reply, or was given up. */
  readonly late: number;
  /** Progress of no open call, and requests where the revision forbids them. */
  readonly stray: number;
}

type DropKind = keyof Drops;

export interface DropCounter {
  add(kind: DropKind): void;
  read(): Drops;
}

export function createDropCounter(): DropCounter {
  const counts = { foreign: 0, late: 0, stray: 0 };
  return {
    add: (kind) => {
      counts[kind] += 1;
    },
    read: () => ({ ...counts }),
  };
}
