/**
 * How much of everything is taken at once, as the person may set it. Each limit has bounds: below the least navra would refuse
 * ordinary messages, above the most a page or a server could exhaust the browser. What is not set has its usual value.
 *
 * INVARIANT: the limits in force are one object for the life of the gateway, changed only here, so that every reader sees a
 * change with its next message and none pays for asking.
 */
import { GatewayError } from "./errors.ts";
import type { Table } from "./ports.ts";
import { DEFAULT_LIMITS, type Limits } from "./wire/json.ts";

export interface GatewayLimits extends Limits {
  /** Calls that one channel of a page may have open. */
  readonly openCalls: number;
  /** Questions of one site that may wait for the person. */
  readonly waiting: number;
  /** How long a question waits for the person. */
  readonly askSeconds: number;
  /** How long a server may be silent while it works on a call, and how long a call may take in all. */
  readonly callSeconds: number;
  readonly callMostSeconds: number;
}

export type LimitName = keyof GatewayLimits;

/** What the person set; the others have their usual values. */
export type SetLimits = { readonly [Name in LimitName]?: number };

export interface LimitBounds {
  readonly usual: number;
  readonly least: number;
  readonly most: number;
}

const MIB = 1024 * 1024;

/** In the order in which they are shown. */
export const LIMIT_BOUNDS: Readonly<Record<LimitName, LimitBounds>> = Object.freeze({
  callSeconds: { usual: 5 * 60, least: 5, most: 60 * 60 },
  callMostSeconds: { usual: 60 * 60, least: 60, most: 24 * 60 * 60 },
  askSeconds: { usual: 120, least: 10, most: 60 * 60 },
  openCalls: { usual: 256, least: 1, most: 4_096 },
  waiting: { usual: 200, least: 1, most: 1_000 },
  batch: { usual: DEFAULT_LIMITS.batch, least: 1, most: 1_000 },
  bytes: { usual: DEFAULT_LIMITS.bytes, least: 64 * 1024, most: 32 * MIB },
  string: { usual: DEFAULT_LIMITS.string, least: 1024, most: 32 * MIB },
  depth: { usual: DEFAULT_LIMITS.depth, least: 8, most: 512 },
  members: { usual: DEFAULT_LIMITS.members, least: 100, most: 1_000_000 },
  items: { usual: DEFAULT_LIMITS.items, least: 100, most: 10_000_000 },
  digits: { usual: DEFAULT_LIMITS.digits, least: 20, most: 10_000 },
});

export const LIMIT_NAMES = Object.keys(LIMIT_BOUNDS) as readonly LimitName[];

export const USUAL_LIMITS: GatewayLimits = Object.freeze(
  Object.fromEntries(LIMIT_NAMES.map((name) => [name, LIMIT_BOUNDS[name].usual])) as unknown as GatewayLimits,
);

export type ReadLimits =
  | { readonly limits: SetLimits }
  | { readonly problem: { readonly path: string; readonly message: string; readonly remedy: string } };

/** Reads limits from outside: known names, whole numbers within their bounds, and nothing else. */
export function readLimits(value: unknown): ReadLimits {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return bad("", "The limits are not an object.", 'Write an object such as {"callSeconds": 300}.');
  }
  for (const [name, set] of Object.entries(value)) {
    if (!isLimitName(name)) return bad(`/${name}`, "There is no such limit.", `Use one of ${LIMIT_NAMES.join(", ")}.`);
    const { least, most } = LIMIT_BOUNDS[name];
    if (!Number.isSafeInteger(set) || set < least || set > most) {
      return bad(
        `/${name}`,
        "This limit has another value than it may have.",
        `Write a whole number from ${least} to ${most}.`,
      );
    }
  }
  return { limits: value };
}

export interface LimitBook {
  /** The one object that everything reads. */
  readonly inForce: GatewayLimits;
  restore(): Promise<void>;
  /** What differs from the usual. */
  set(): SetLimits;
  /** Takes the place of all that was set before. @throws GatewayError `invalid-params` where a value is out of bounds */
  replace(next: unknown): Promise<void>;
}

/** One row. */
const KEY = "limits";

export function createLimitBook(table: Table<SetLimits>, given: SetLimits = {}): LimitBook {
  const inForce: { -readonly [Name in LimitName]: number } = { ...USUAL_LIMITS, ...given };
  let set: SetLimits = {};

  const become = (next: SetLimits): void => {
    set = Object.fromEntries(
      Object.entries(next).filter(([name, value]) => value !== LIMIT_BOUNDS[name as LimitName].usual),
    );
    Object.assign(inForce, USUAL_LIMITS, given, set);
  };

  return {
    inForce,
    async restore() {
      const [row] = await table.all();
      // A row that is damaged, or of another version with other bounds, sets nothing.
      const read = readLimits(row ?? {});
      become("limits" in read ? read.limits : {});
    },
    set: () => set,
    async replace(next) {
      const read = readLimits(next);
      if ("problem" in read) {
        const { path, message, remedy } = read.problem;
        throw new GatewayError("invalid-params", `${path.slice(1)}: ${message} ${remedy}`);
      }
      become(read.limits);
      await table.put(KEY, set);
    },
  };
}

function isLimitName(name: string): name is LimitName {
  return Object.hasOwn(LIMIT_BOUNDS, name);
}

function bad(path: string, message: string, remedy: string): ReadLimits {
  return { problem: { path, message, remedy } };
}
