/**
 * Pages that an older server wants opened before it works. It refuses the call with an error that names them (−32042), did
 * nothing, and says later, by a notification, that the person is through. For an agent of a newer revision each page is
 * asked like anything else a server asks; then the call is made again, when the server has said so or after a while. Where
 * navra's own window answers such questions the person is asked there, whatever the agent speaks; to an agent of the
 * server's era the error itself is the question otherwise.
 *
 * Decided: a call that was refused with this code did not run, so making it again is no second run.
 *
 * @see MCP 2025-11-25 · Elicitation · URL mode · URL elicitation required error
 */
import { GatewayError } from "../errors.ts";
import type { Clock } from "../ports.ts";
import { isObject, type JsonValue } from "../wire/json.ts";
import type { NotificationMessage, Reply, RequestMessage } from "../wire/message.ts";
import { itemsAt, sliceAt, splice } from "../wire/splice.ts";
import { asRequest } from "./input-required.ts";
import type { Run } from "./parked.ts";

export interface Pages {
  /** A server said that the person is through. */
  heard(serverId: string, message: NotificationMessage): void;
  /** Resolves when the server said so of all of them, or after this time. */
  through(serverId: string, ids: readonly string[], ms: number): Promise<void>;
}

export function createPages(clock: Clock): Pages {
  const waiting = new Map<string, Set<() => void>>();
  const until = (key: string, done: () => void): void => {
    waiting.set(key, (waiting.get(key) ?? new Set()).add(done));
  };
  return {
    heard(serverId, { params }) {
      const key = JSON.stringify([serverId, params?.elicitationId]);
      const done = waiting.get(key);
      waiting.delete(key);
      for (const tell of done ?? []) tell();
    },
    through(serverId, ids, ms) {
      return new Promise((resolve) => {
        const open = new Set(ids);
        const stop = clock.after(ms, resolve);
        for (const id of ids) {
          until(JSON.stringify([serverId, id]), () => {
            open.delete(id);
            if (open.size > 0) return;
            stop();
            resolve();
          });
        }
      });
    },
  };
}

/** How often a call is made again; the pauses between grow to this length, in milliseconds. */
const MOST_TRIES = 8;
const FIRST_MS = 2_000;
const LONGEST_MS = 30_000;

export interface ThroughPages {
  readonly serverId: string;
  readonly pages: Pages;
  /** Asks in navra's own window, where that is whose the question is. */
  readonly own: Parameters<Run>[0]["back"] | undefined;
}

/** Runs a call until the server has what it wants, or the answer is no. */
export function throughPages(run: Run, { serverId, pages, own }: ThroughPages): Run {
  return async (hooks) => {
    const opened = new Set<string>();
    for (let tries = 0; ; tries += 1) {
      const reply = await run(hooks);
      const demanded = demandedBy(reply);
      if (demanded.length === 0 || tries >= MOST_TRIES || hooks.signal.aborted) return reply;
      const fresh = demanded.filter(({ id }) => !opened.has(id));
      const frames = await Promise.all(
        fresh.map(({ message, older }) => (own ? own(older, hooks.signal) : hooks.back(message, hooks.signal))),
      );
      if (frames.some((frame) => sliceAt(frame, ["result", "action"]) !== '"accept"')) {
        if (own) throw new GatewayError("denied", NOT_OPENED);
        return reply;
      }
      for (const { id } of fresh) opened.add(id);
      await pages.through(serverId, [...opened], Math.min(FIRST_MS * 2 ** tries, LONGEST_MS));
    }
  };
}

const PAGE_DEMANDED = -32042;
const NOT_OPENED =
  "The server needs the person to open a page first, and they did not. It did nothing. Do not try again unless they want it.";

/** Any page that a server wants opened: who answers for one answers for all. */
export const A_PAGE = { method: "elicitation/create", params: { mode: "url" } } as const;

interface Page {
  readonly id: string;
  /** As a newer revision asks it: there it has no identifier. */
  readonly message: RequestMessage;
  /** As the server's own revision asks it. */
  readonly older: RequestMessage;
}

function demandedBy(reply: Reply): readonly Page[] {
  if (reply.kind !== "error" || reply.error.code !== PAGE_DEMANDED || !isObject(reply.error.data)) return [];
  const values: JsonValue | undefined = reply.error.data.elicitations;
  const texts = itemsAt(reply.text, ["error", "data", "elicitations"]) ?? [];
  if (!Array.isArray(values)) return [];
  return values.slice(0, MOST_PAGES).flatMap((value, at) => {
    if (!isObject(value) || value.mode !== "url" || typeof value.elicitationId !== "string") return [];
    const text = texts[at] ?? "{}";
    const plain = splice(text, [{ path: ["elicitationId"], value: null }]);
    const older = asRequest({ ...A_PAGE, params: value }, text);
    const message = asRequest({ ...A_PAGE, params: JSON.parse(plain) }, plain);
    return message && older ? [{ id: value.elicitationId, message, older }] : [];
  });
}

const MOST_PAGES = 8;
