/**
 * From which answer a value came. What was delivered to a session leaves its distinctive values behind as hashes; when an
 * argument holds one of them, the answer it stood in is named. A match says where the value stood before, never that it is
 * safe: where nothing matches, what the session has read as a whole stands, and a value that was rephrased, coded or
 * pushed out of memory by newer ones matches nothing.
 *
 * Bounded: two generations of values for each session, sessions least used forgotten first. One answer may fill half a
 * generation at most, so that no single answer pushes out all others. In memory only: after the worker's death what the
 * records still hold is read again, when it is first asked for.
 *
 * An answer is read a moment after it was delivered, so that no call waits for it; where more come than are read, the
 * oldest unread are passed over, and match nothing.
 */
import { isObject, type JsonValue } from "../wire/json.ts";
import { type Distinctive, scanDistinctive, type ValueKind } from "./distinctive.ts";

/** An answer that was delivered. */
export interface Origin {
  readonly serverId: string;
  /** The tool's own name, or the method where no tool was called. */
  readonly tool: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

export interface Match {
  readonly origin: Origin;
  readonly kinds: readonly ValueKind[];
  /** Whether the argument is nothing but a value of that answer. */
  readonly whole: boolean;
}

export interface Provenance {
  /** Something reached the agent. */
  learn(principalKey: string, value: JsonValue, origin: Origin): void;
  /** The answers in which parts of the value stood: of each server and tool the first, newest first. */
  match(principalKey: string, value: JsonValue): readonly Match[];
  forget(principalKey: string): void;
}

export interface Remembered {
  readonly principalKey: string;
  readonly value: JsonValue;
  readonly origin: Origin;
}

export interface ProvenanceOptions {
  readonly seed: number;
  /** What was delivered before this worker began, oldest first; read once, when it is first needed. */
  readonly earlier: () => readonly Remembered[];
  /** Runs something soon, when nothing else waits. */
  readonly later: (run: () => void) => void;
}

/** Characters of one answer, or of one argument, that are read. */
export const READ_LIMIT = 256 * 1024;
/** Values of one generation. */
export const GENERATION = 4_096;
const PER_ANSWER = GENERATION / 2;
/** Answers that wait to be read. */
const UNREAD = 64;
export const SESSIONS = 32;
const EVERY = 4;
/** Values inside values that are looked into. */
const DEPTH = 64;

export function createProvenance({ seed, earlier, later }: ProvenanceOptions): Provenance {
  const sessions = new Map<string, Session>();
  let unread: Remembered[] = [];
  let began = false;

  const sessionOf = (key: string): Session => {
    const session = sessions.get(key) ?? { young: new Map(), old: new Map() };
    sessions.delete(key);
    sessions.set(key, session);
    if (sessions.size > SESSIONS) {
      const [oldest] = sessions.keys();
      if (oldest !== undefined) sessions.delete(oldest);
    }
    return session;
  };
  const read = ({ principalKey, value, origin }: Remembered): void => {
    const session = sessionOf(principalKey);
    let room = PER_ANSWER;
    eachText(value, (text, limit) =>
      scanDistinctive(text, { seed, every: EVERY, limit }, ({ hash }) => {
        if (room > 0 && remember(session, hash, origin)) room -= 1;
      }),
    );
  };
  const readAll = (): void => {
    const now = unread;
    unread = [];
    now.forEach(read);
  };

  return {
    learn(principalKey, value, origin) {
      if (unread.length === 0) later(readAll);
      unread.push({ principalKey, value, origin });
      if (unread.length > UNREAD) unread.shift();
    },
    match(key, value) {
      if (!began) earlier().forEach(read);
      began = true;
      readAll();
      const session = sessions.get(key);
      if (!session) return [];
      const found = new Map<string, { origin: Origin; kinds: Set<ValueKind>; whole: boolean }>();
      const alone = typeof value !== "object" || value === null;
      const look = ({ hash, kind, whole }: Distinctive): void => {
        for (const origin of originsOf(session, hash)) {
          const id = `${origin.serverId} ${origin.tool}`;
          const match = found.get(id) ?? { origin, kinds: new Set<ValueKind>(), whole: false };
          if (origin.at < match.origin.at) match.origin = origin;
          match.kinds.add(kind);
          match.whole ||= alone && whole;
          found.set(id, match);
        }
      };
      eachText(value, (text, limit) => {
        scanDistinctive(text, { seed, every: 1, limit }, look);
        const decoded = text.includes("%") ? percentDecoded(text.slice(0, limit)) : text;
        if (decoded !== text) scanDistinctive(decoded, { seed, every: 1, limit }, look);
      });
      return [...found.values()]
        .map(({ origin, kinds, whole }) => ({ origin, kinds: [...kinds], whole }))
        .sort((a, b) => b.origin.at - a.origin.at);
    },
    forget(key) {
      sessions.delete(key);
      unread = unread.filter(({ principalKey }) => principalKey !== key);
    },
  };
}

type Generation = Map<number, Origin | readonly Origin[]>;

interface Session {
  young: Generation;
  old: Generation;
}

/** Of one value the first answer of each server is kept. Whether anything was added. */
function remember(session: Session, hash: number, origin: Origin): boolean {
  const known = session.young.get(hash) ?? session.old.get(hash);
  const origins = known === undefined ? [] : listed(known);
  const isNew = !origins.some(({ serverId }) => serverId === origin.serverId);
  if (!isNew && session.young.has(hash)) return false;
  const all = isNew ? [...origins, origin] : origins;
  session.young.set(hash, all.length === 1 ? (all[0] as Origin) : all);
  if (session.young.size >= GENERATION) {
    session.old = session.young;
    session.young = new Map();
  }
  return true;
}

function originsOf({ young, old }: Session, hash: number): readonly Origin[] {
  const known = young.get(hash) ?? old.get(hash);
  return known === undefined ? [] : listed(known);
}

function listed(known: Origin | readonly Origin[]): readonly Origin[] {
  return Array.isArray(known) ? (known as readonly Origin[]) : [known as Origin];
}

/** Every text and number of a value, while the limit lasts. */
function eachText(value: JsonValue, visit: (text: string, limit: number) => void): void {
  let left = READ_LIMIT;
  const walk = (at: JsonValue, depth: number): void => {
    if (left <= 0 || depth > DEPTH) return;
    if (typeof at === "string" || typeof at === "number") {
      const text = typeof at === "number" ? String(at) : at;
      visit(text, left);
      left -= text.length + 1;
      return;
    }
    if (typeof at !== "object" || at === null) return;
    for (const member of isObject(at) ? Object.values(at) : at) walk(member, depth + 1);
  };
  walk(value, 0);
}

/** `%40` and its like as what they stand for; the text itself where that is no text. */
function percentDecoded(text: string): string {
  return text.replace(/(?:%[0-9a-fA-F]{2})+/g, (coded) => {
    try {
      return decodeURIComponent(coded);
    } catch {
      return coded;
    }
  });
}
