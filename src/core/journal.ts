/**
 * The journal of open calls. What it holds after a worker's death decides how each call ends: `not-sent` when only its
 * admission is there, `unknown` when its send was. Private windows are never journalled.
 *
 * Writing costs as much as a call's own way through the worker, so the usual call writes once: at its send. An admission
 * is written when the call waits, or has not been sent after a moment; rows of ended calls go together, a little later.
 *
 * INVARIANT: `sent` issues its write in the task that hands over the bytes; `settled` awaits it with the reply.
 */
import type { Call, MutableCall } from "./call.ts";
import { GatewayError } from "./errors.ts";
import type { JournalEntry, Ports, Table } from "./ports.ts";
import { draftOf } from "./recorder/from-call.ts";

export interface Journal {
  /** Takes note of the call; nothing was sent yet. A second time brings the entry up to date. */
  admitted(call: MutableCall): void;
  /** The call is about to wait for a person: its entry is issued now. */
  waits(call: MutableCall): void;
  sent(call: Call): void;
  /** Waits until the send's entry is durable. Never rejects: a full disk must not lose a reply. */
  settled(call: Call): Promise<void>;
  /** The call's record is written; its entry may go. */
  done(callId: string): void;
  /** The same, but its answer reached nobody: the row stays for the next worker, which may be asked for it. */
  leave(callId: string): void;
}

export interface JournalOptions {
  readonly table: Table<JournalEntry>;
  readonly ports: Pick<Ports, "clock" | "digest">;
}

/** A call that takes longer than this is written down, in milliseconds. */
const MOMENT_MS = 50;
/** A call that was sent so long ago, in milliseconds, gets its digest written too. */
const LASTING_MS = 2_000;
/** Rows of ended calls are gathered this long, in milliseconds; fewer than what `restore` compares with records. */
const SWEEP_MS = 500;
const SWEEP_AT = 50;

interface Noted {
  entry: JournalEntry;
  /** Whether the table has, or is getting, a row of it. */
  issued: boolean;
  write: Promise<void>;
  stopTimer: () => void;
}

export function createJournal({ table, ports }: JournalOptions): Journal {
  const { clock, digest } = ports;
  const noted = new Map<string, Noted>();
  let ended: string[] = [];

  const issue = (note: Noted): void => {
    note.issued = true;
    note.write = table.put(note.entry.callId, note.entry).catch(() => undefined);
  };

  const fillIn = async (call: MutableCall): Promise<void> => {
    const known = await digest(call.request.text);
    const note = noted.get(call.callId);
    if (!note) return;
    const { record } = note.entry;
    note.entry = { ...note.entry, record: { ...record, request: { ...record.request, digest: known } } };
    issue(note);
  };

  /** The call is still open after a moment: what is known of it by now is written, its digest too. */
  const writeOpen = (call: MutableCall): void => {
    const note = noted.get(call.callId);
    if (!note) return;
    const complete = (): void => void fillIn(call).catch(() => undefined);
    if (note.issued) {
      // Its send is on record; the digest can wait for calls that last, so that many at once are not written twice.
      note.stopTimer = clock.after(LASTING_MS, complete);
      return;
    }
    issue(note);
    complete();
  };

  const note = (call: MutableCall): Noted | undefined => {
    if (call.principal.private) return undefined;
    const { callId, place, channel, message, arrivedAt } = call;
    const record = draftOf(call, { kind: "fault", name: "not-sent", stage: "forward" }, clock);
    const entry: JournalEntry = {
      callId,
      documentId: place.documentId,
      channel,
      rpcId: message.id,
      phase: "admitted",
      at: arrivedAt,
      record,
    };
    const before = noted.get(callId);
    before?.stopTimer();
    const stopTimer = clock.after(MOMENT_MS, () => writeOpen(call));
    const now: Noted = { entry, issued: before?.issued ?? false, write: before?.write ?? Promise.resolve(), stopTimer };
    noted.set(callId, now);
    return now;
  };

  const sweep = (): void => {
    const gone = ended;
    ended = [];
    if (gone.length > 0) table.remove(...gone).catch(() => undefined);
  };

  return {
    admitted: (call) => void note(call),
    waits(call) {
      const waiting = note(call);
      if (waiting) issue(waiting);
    },
    sent({ callId }) {
      const open = noted.get(callId);
      if (!open) return;
      open.entry = { ...open.entry, phase: "sent" };
      issue(open);
    },
    async settled({ callId }) {
      await noted.get(callId)?.write;
    },
    leave(callId) {
      noted.get(callId)?.stopTimer();
      noted.delete(callId);
    },
    done(callId) {
      const open = noted.get(callId);
      if (!open) return;
      noted.delete(callId);
      open.stopTimer();
      if (!open.issued) return;
      // In order behind the put, so that a late one cannot bring the row back.
      void open.write.then(() => {
        ended.push(callId);
        if (ended.length === 1) clock.after(SWEEP_MS, sweep);
        if (ended.length >= SWEEP_AT) sweep();
      });
    },
  };
}

/** Nothing may leave while what happened could not be written down and the backlog is full. */
export function storageFull(): GatewayError {
  return new GatewayError(
    "storage-full",
    "navra cannot write its records, so it lets nothing pass and this call was not sent. Ask the person to free disk space and to look at navra's overview, then try again.",
  );
}
