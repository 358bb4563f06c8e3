/**
 * The policy an organisation sets through the browser: one text under one name, read from managed storage, where neither
 * pages nor the person can write. What it says is judged elsewhere; this file only knows what there is.
 *
 * Managed storage may be empty for a moment after the browser or navra started, and a browser that drops a value which does
 * not fit the schema looks the same as one without any. So the last known policy is remembered: it rules until the first
 * read, and when that read comes back empty it goes on ruling until a second one, a little later, says the same. Only news of
 * a removal is believed at once.
 *
 * INVARIANT: reading that fails never ends a policy that is known.
 *
 * @see managed.md beside this file for what an administrator writes where
 */
import type { Storage } from "webextension-polyfill";
import type { ManagedPolicy } from "../../core/policy/managed.ts";
import type { Clock } from "../../core/ports.ts";

export interface ManagedSource {
  /** Call it in the worker's first turn: a change wakes the worker only when somebody listens by then. */
  listen(): void;
  /** Tells what was known, then what there is. Resolves when the first read has been heard; never rejects. */
  start(): Promise<void>;
}

export interface ManagedOptions {
  readonly managed: Pick<Storage.StorageArea, "get">;
  readonly local: Pick<Storage.StorageArea, "get" | "set" | "remove">;
  readonly onChanged: Storage.Static["onChanged"];
  readonly after: Clock["after"];
  /** Every time something is learned; null where no policy is set. */
  readonly tell: (policy: ManagedPolicy | null) => void;
}

const NAME = "policy";
/** In local storage. */
const REMEMBERED = "managedPolicy";
const DOUBT_MS = 10_000;

export function createManagedSource({ managed, local, onChanged, after, tell }: ManagedOptions): ManagedSource {
  let known: ManagedPolicy | null = null;
  let heard = false;

  /** What storage holds: a policy, null for none, nothing where reading failed. */
  async function read(): Promise<ManagedPolicy | null | undefined> {
    try {
      return policyOf((await managed.get(NAME))[NAME]);
    } catch (thrown) {
      return isAbsent(thrown) ? null : undefined;
    }
  }

  async function learn(policy: ManagedPolicy | null): Promise<void> {
    heard = true;
    known = policy;
    tell(policy);
    await (policy ? local.set({ [REMEMBERED]: policy }) : local.remove(REMEMBERED));
  }

  async function recall(): Promise<void> {
    const kept = (await local.get(REMEMBERED).catch((): Record<string, unknown> => ({})))[REMEMBERED];
    if (heard || !isPolicy(kept)) return;
    known = kept;
    tell(kept);
  }

  /** Believes an empty read only when nothing is known, or when it comes the second time. */
  async function look(before: "first" | "second", reading = read()): Promise<void> {
    const found = await reading;
    if (found === undefined || (found === null && known !== null && before === "first")) {
      if (before === "first") after(DOUBT_MS, () => void look("second").catch(() => undefined));
      return;
    }
    // It rules from here on; that it is remembered is waited for by nobody.
    void learn(found).catch(() => undefined);
  }

  return {
    listen() {
      onChanged.addListener((changes, area) => {
        const change = area === "managed" ? changes[NAME] : undefined;
        if (change) void learn(policyOf(change.newValue)).catch(() => undefined);
      });
    },
    async start() {
      const reading = read();
      await recall();
      await look("first", reading);
    },
  };
}

/** Anything but a text is a policy that nobody can read: it closes instead of counting as none. */
function policyOf(value: unknown): ManagedPolicy | null {
  if (value === undefined || value === null) return null;
  return typeof value === "string" ? { text: value } : { text: null };
}

function isPolicy(value: unknown): value is ManagedPolicy {
  if (typeof value !== "object" || value === null || !("text" in value)) return false;
  return typeof value.text === "string" || value.text === null;
}

/** Firefox rejects where no managed storage was set up for this extension. */
function isAbsent(thrown: unknown): boolean {
  return thrown instanceof Error && /manifest not found/i.test(thrown.message);
}
