/**
 * Request ids of our own towards one server. Agents choose theirs freely and two may choose the same, so each request is
 * numbered anew; the number also serves as its progress token. Numbering starts at a random place because a session can
 * outlive the worker, and an id must not be used twice in a session.
 *
 * @see MCP 2025-11-25 · Base protocol · Requests (ids are never reused within a session)
 */
import type { Id } from "../wire/message.ts";

export interface Ids {
  next(): Id;
  /** Whether this id was ever given out: a reply to one that is no longer open is late, any other is foreign. */
  issued(id: Id): boolean;
}

export function createIds(randomId: () => string): Ids {
  // 28 bits: some servers read ids into 32-bit integers.
  const first = Number.parseInt(randomId().slice(0, 7), 16);
  let last = first;
  return {
    next: () => String(++last),
    issued: (id) => INTEGER.test(id) && Number(id) > first && Number(id) <= last,
  };
}

const INTEGER = /^[1-9][0-9]{0,15}$/;
