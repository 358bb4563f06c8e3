/**
 * What each tool looked like when the person approved it. A definition that differs is quarantined, everywhere and at
 * once, until the person has looked at the difference: a server that was honest on the day of consent may change what
 * its tool says to the model later.
 *
 * A definition that goes back to the approved text stays quarantined. A server that can show the honest text whenever it
 * is listed and another one in between would otherwise never be noticed; the person learns of the change and lifts it.
 *
 * INVARIANT: before `restore` has read the table nothing is known, so every question throws, which denies.
 */
import { GatewayError } from "../errors.ts";
import type { Clock, Table } from "../ports.ts";
import type { Pin } from "./pin.ts";

export type PinState = "approved" | "changed" | "new";

export interface Pins {
  restore(): Promise<void>;
  /** What a definition in hand is to the approved one. A change is remembered from here on. */
  state(serverId: string, tool: string, canonicalText: string): PinState;
  current(serverId: string, tool: string): Pin | undefined;
  quarantined(serverId: string, tool: string): boolean;
  approve(serverId: string, tool: string, canonicalText: string): Promise<void>;
  /**
   * Ends the quarantine with the text the person was shown: the changed one, or the approved one where the server went
   * back to it. False when that is no longer what the server offers or what waits.
   */
  approvePending(serverId: string, tool: string, pending: string): Promise<boolean>;
  list(serverId?: string): readonly Pin[];
  forget(serverId: string): Promise<void>;
}

const RETRY_MS = 5_000;

/** `changed` hears of each server of which a tool was quarantined or approved again. */
export function createPins(
  table: Table<Pin>,
  clock: Clock,
  changed: (serverId: string) => void = () => undefined,
): Pins {
  const pins = new Map<string, Pin>();
  /** The text last seen of each tool; what an approval must not run behind. */
  const offered = new Map<string, string>();
  let restored = false;

  function known(serverId: string, tool: string): Pin | undefined {
    if (!restored) throw new GatewayError("storage-full", UNREAD);
    return pins.get(keyOf(serverId, tool));
  }

  /** A quarantine holds at once in memory; storing it is tried until it succeeds or something newer took its place. */
  function keep(pin: Pin): void {
    const key = keyOf(pin.serverId, pin.tool);
    pins.set(key, pin);
    changed(pin.serverId);
    const store = (): void => {
      if (pins.get(key) !== pin) return;
      table.put(key, pin).catch(() => clock.after(RETRY_MS, store));
    };
    store();
  }

  /** An approval holds only once it is stored. */
  async function settle(pin: Pin): Promise<void> {
    const key = keyOf(pin.serverId, pin.tool);
    const text = offered.get(key) ?? pin.approved;
    const next = text === pin.approved ? pin : { ...pin, pending: text, pendingSince: clock.now() };
    await table.put(key, next);
    const lifted = pins.get(key)?.pending !== next.pending;
    pins.set(key, next);
    if (lifted) changed(pin.serverId);
    const latest = offered.get(key);
    if (latest !== undefined && latest !== text) quarantine(next, latest);
  }

  function quarantine(pin: Pin, text: string): void {
    if (text === pin.approved || text === pin.pending) return;
    keep({ ...pin, pending: text, pendingSince: pin.pendingSince ?? clock.now() });
  }

  return {
    async restore() {
      for (const pin of await table.all()) {
        // A row that is damaged is no approval.
        if (typeof pin?.approved === "string") pins.set(keyOf(pin.serverId, pin.tool), pin);
      }
      restored = true;
    },
    state(serverId, tool, canonicalText) {
      const pin = known(serverId, tool);
      if (pin === undefined) return "new";
      offered.set(keyOf(serverId, tool), canonicalText);
      quarantine(pin, canonicalText);
      return canonicalText === pin.approved && pin.pending === undefined ? "approved" : "changed";
    },
    current: known,
    quarantined: (serverId, tool) => known(serverId, tool)?.pending !== undefined,
    async approve(serverId, tool, canonicalText) {
      offered.set(keyOf(serverId, tool), canonicalText);
      await settle({ serverId, tool, approved: canonicalText, approvedAt: clock.now() });
    },
    async approvePending(serverId, tool, pending) {
      const pin = known(serverId, tool);
      if (pin?.pending === undefined) return false;
      const wentBack = pending === pin.approved && offered.get(keyOf(serverId, tool)) === pending;
      if (pending !== pin.pending && !wentBack) return false;
      await settle({ serverId, tool, approved: pending, approvedAt: clock.now() });
      return true;
    },
    list: (serverId) => [...pins.values()].filter((pin) => serverId === undefined || pin.serverId === serverId),
    async forget(serverId) {
      const gone = [...pins].filter(([, pin]) => pin.serverId === serverId).map(([key]) => key);
      for (const key of gone) {
        pins.delete(key);
        offered.delete(key);
      }
      await Promise.all(gone.map((key) => table.remove(key)));
    },
  };
}

const UNREAD =
  "navra could not read which tools were approved, so no tool may be called. Allow this extension to store data, then restart it.";

function keyOf(serverId: string, tool: string): string {
  return JSON.stringify([serverId, tool]);
}
