/**
 * The journal of open calls. What it holds after a worker's death decides how each call ends: `not-sent` when only its
 * admission is there, `unknown` when its send was. Private windows are never journalled.
 *
 * INVARIANT: `sent` issues its write in the task that hands over the bytes; `settled` awaits it with the reply.
 */
import type { Call, MutableCall } from "./call.ts";
import { GatewayError } from "./errors.ts";
import type { JournalEntry, Table } from "./ports.ts";
import type { RecordBody } from "./recorder/entry.ts";

export interface Journal {
  /** Resolves when the entry is issued, not when it is durable: nothing was sent yet. */
  admitted(call: MutableCall): Promise<void>;
  sent(call: Call): void;
  /** Waits until the send's entry is durable. Never rejects: a full disk must not lose a reply. */
  settled(call: Call): Promise<void>;
  /** The call's record is written; its entry may go. */
  done(callId: string): void;
  /** What an earlier worker left behind. */
  left(): Promise<readonly JournalEntry[]>;
}

export interface JournalOptions {
  readonly table: Table<JournalEntry>;
  /** The record of the call as far as it is known. */
  readonly draft: (call: Call) => Promise<RecordBody>;
}

export function createJournal({ table, draft }: JournalOptions): Journal {
  const entries = new Map<string, JournalEntry>();
  const writes = new Map<string, Promise<unknown>>();
  const put = (entry: JournalEntry): Promise<void> => {
    entries.set(entry.callId, entry);
    const write = table.put(entry.callId, entry);
    writes.set(
      entry.callId,
      write.catch(() => undefined),
    );
    return write;
  };
  return {
    async admitted(call) {
      if (call.principal.private) return;
      const record = await draft(call);
      put({
        callId: call.callId,
        documentId: call.place.documentId,
        channel: call.channel,
        rpcId: call.message.id,
        phase: "admitted",
        at: call.arrivedAt,
        record,
      }).catch(() => undefined);
    },
    sent(call) {
      const entry = entries.get(call.callId);
      if (entry) put({ ...entry, phase: "sent" }).catch(() => undefined);
    },
    async settled(call) {
      await writes.get(call.callId);
    },
    done(callId) {
      if (!entries.delete(callId)) return;
      // In order behind the puts, so that a late put cannot resurrect the row.
      const last = writes.get(callId) ?? Promise.resolve();
      writes.delete(callId);
      void last.then(() => table.remove(callId)).catch(() => undefined);
    },
    left: () => table.all(),
  };
}

/** Nothing may leave while what happened could not be written down and the backlog is full. */
export function storageFull(): GatewayError {
  return new GatewayError(
    "storage-full",
    "navra cannot write its records, so it lets nothing pass. Ask the person to free disk space and look at navra's overview.",
  );
}
