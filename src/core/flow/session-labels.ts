/**
 * The labels of every principal's session: in memory for judging, in a table so that killing the worker does not launder what
 * an agent has read. They only rise; the one way down is `reset`, a person's act.
 *
 * INVARIANT: writes of one principal happen in the order they were asked for, so that no late write of an old, lower label
 * lands over a new one, or over a reset.
 */
import type { Tables } from "../ports.ts";
import { join } from "./join.ts";
import { CLEAN, CONFIDENTIALITY, INTEGRITY, type Labels } from "./labels.ts";

export interface SessionLabels {
  /** Takes in what the last worker left. Labels raised in the meantime stay. */
  restore(): Promise<void>;
  of(principalKey: string): Labels;
  raise(principalKey: string, labels: Labels): void;
  /** Back to clean: at once for judging; resolves when it is gone from the store. */
  reset(principalKey: string): Promise<void>;
}

export function createSessionLabels(table: Tables["labels"]): SessionLabels {
  const sessions = new Map<string, Labels>();
  const unsaved = new Set<string>();
  /** Reset by this worker: what the store still says of them when it is read is older than the reset. */
  const cleaned = new Set<string>();
  const tails = new Map<string, Promise<void>>();

  /** Runs after the principal's earlier writes, whether those succeeded or not. */
  function enqueue(key: string, write: () => Promise<void>): Promise<void> {
    const done = (tails.get(key) ?? Promise.resolve()).then(write);
    const tail = done
      .catch(() => undefined)
      .then(() => {
        if (tails.get(key) === tail) tails.delete(key);
      });
    tails.set(key, tail);
    return done;
  }

  async function save(key: string, labels: Labels): Promise<void> {
    try {
      await table.put(key, { principalKey: key, labels });
      unsaved.delete(key);
    } catch {
      // Memory keeps the label; the next raise tries to write again.
      unsaved.add(key);
    }
  }

  return {
    async restore() {
      for (const row of await table.all()) {
        if (cleaned.has(row.principalKey)) continue;
        sessions.set(row.principalKey, join(sessions.get(row.principalKey) ?? CLEAN, readable(row.labels)));
      }
    },
    of: (key) => sessions.get(key) ?? CLEAN,
    raise(key, labels) {
      const before = sessions.get(key) ?? CLEAN;
      const after = join(before, labels);
      if (after !== before) sessions.set(key, after);
      if (after !== before || unsaved.has(key)) void enqueue(key, () => save(key, after));
    },
    reset(key) {
      sessions.delete(key);
      unsaved.delete(key);
      cleaned.add(key);
      return enqueue(key, () => table.remove(key));
    },
  };
}

/** A damaged row says that something was read, not what: it counts as the highest label. */
function readable(labels: Labels): Labels {
  const whole =
    INTEGRITY.includes(labels?.integrity) &&
    CONFIDENTIALITY.includes(labels.confidentiality) &&
    Array.isArray(labels.sources) &&
    labels.sources.every((source) => typeof source === "string");
  return whole ? labels : { integrity: "untrusted", confidentiality: "secret", sources: [] };
}
