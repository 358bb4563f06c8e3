/**
 * The journal of open calls. What it holds after a worker's death decides how each call ends: `not-sent` when only its
 * admission is there, `unknown` when its send was. Private windows are never journalled.
 *
 * INVARIANT: `sent` issues its write in the task that hands over the bytes; `settled` awaits it with the reply. Nothing
 * here makes a call wait before it is sent, not even for a digest: that one follows as soon as it is known.
 */
import type { Call, MutableCall } from "./call.ts";
import { GatewayError } from "./errors.ts";
import type { JournalEntry, Ports, Table } from "./ports.ts";
import { draftOf } from "./recorder/from-call.ts";

export interface Journal {
  /** Issues the entry; nothing was sent yet. A second time brings it up to date. */
  admitted(call: MutableCall): void;
  sent(call: Call): void;
  /** Waits until the send's entry is durable. Never rejects: a full disk must not lose a reply. */
  settled(call: Call): Promise<void>;
  /** The call's record is written; its entry may go. */
  done(callId: string): void;
}

export interface JournalOptions {
  readonly table: Table<JournalEntry>;
  readonly ports: Pick<Ports, "clock" | "digest">;
}

export function createJournal({ table, ports }: JournalOptions): Journal {
  const entries = new Map<string, JournalEntry>();
  const writes = new Map<string, Promise<void>>();

  const put = (entry: JournalEntry): void => {
    entries.set(entry.callId, entry);
    const write = table.put(entry.callId, entry).catch(() => undefined);
    writes.set(entry.callId, write);
  };

  const fillIn = async ({ callId, request }: MutableCall): Promise<void> => {
    const digest = await ports.digest(request.text);
    const entry = entries.get(callId);
    if (!entry) return;
    const { record } = entry;
    put({ ...entry, record: { ...record, request: { ...record.request, digest } } });
  };

  return {
    admitted(call) {
      if (call.principal.private) return;
      const { callId, place, channel, message, arrivedAt } = call;
      const record = draftOf(call, { kind: "fault", name: "not-sent", stage: "forward" }, ports.clock);
      const { documentId } = place;
      put({ callId, documentId, channel, rpcId: message.id, phase: "admitted", at: arrivedAt, record });
      void fillIn(call).catch(() => undefined);
    },
    sent({ callId }) {
      const entry = entries.get(callId);
      if (entry) put({ ...entry, phase: "sent" });
    },
    async settled({ callId }) {
      await writes.get(callId);
    },
    done(callId) {
      if (!entries.delete(callId)) return;
      // In order behind the puts, so that a late put cannot bring the row back.
      const last = writes.get(callId) ?? Promise.resolve();
      writes.delete(callId);
      void last.then(() => table.remove(callId)).catch(() => undefined);
    },
  };
}

/** Nothing may leave while what happened could not be written down and the backlog is full. */
export function storageFull(): GatewayError {
  return new GatewayError(
    "storage-full",
    "navra cannot write its records, so it lets nothing pass. Ask the person to free disk space and look at navra's overview.",
  );
}
