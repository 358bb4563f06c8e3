/**
 * What agents of older revisions want to hear from a newer server. To them a session hears of changes by itself, and of the
 * resources they subscribed to; such a server tells only who listens. So navra listens for each site, with one request that
 * says what its agents want together. When that changes a new request takes over, and the old one ends only then, so that
 * nothing is missed between; what both tell is told once. What comes goes the way of everything a server says by itself.
 *
 * @see MCP 2026-07-28 · Patterns · Subscriptions
 * @see MCP 2025-11-25 · Resources · Subscriptions, List changed notification
 */
import { META_SUBSCRIPTION, metaOf } from "../mcp/meta.ts";
import { NEWEST_MODERN } from "../mcp/revision.ts";
import type { Ports } from "../ports.ts";
import { type Backoff, backoffMs, randomFraction } from "../transports/backoff.ts";
import { encodeRequest } from "../wire/encode.ts";
import { isObject, type JsonObject, type JsonValue } from "../wire/json.ts";
import type { NotificationMessage, RequestMessage } from "../wire/message.ts";
import { splice } from "../wire/splice.ts";
import { createDeadline } from "./deadline.ts";
import { isTransient } from "./resume.ts";
import type { Upstream } from "./upstream.ts";

/** A site at a server. */
export interface Listener {
  readonly serverId: string;
  readonly principalKey: string;
}

export interface OlderSubscriptions {
  /** Sees to it that these resources are heard of; gives those that the server agreed to. */
  follow(listener: Listener, uris: readonly string[]): Promise<ReadonlySet<unknown>>;
  /** Nobody of the site listens any more. */
  rest(listener: Listener): void;
}

export interface OlderSubscriptionsOptions {
  readonly upstream: (serverId: string) => Upstream | undefined;
  /** Resources that the site's agents want to hear of; nothing where none that can be seen may hear of the server. */
  readonly sought: (listener: Listener) => readonly string[] | undefined;
  readonly heard: (listener: Listener, message: NotificationMessage) => void;
  readonly ports: Pick<Ports, "clock" | "randomId">;
}

interface Listen {
  readonly uris: readonly string[];
  readonly controller: AbortController;
  /** What the server agreed to; rejects where it did not. */
  readonly agreed: Promise<JsonObject>;
}

const AGREE_MS = 10_000;
const AGAIN: Backoff = { firstMs: 1_000, mostMs: 60_000 };
const MOST_LOSSES = 8;
const LONG_MS = 30_000;

export function createOlderSubscriptions(options: OlderSubscriptionsOptions): OlderSubscriptions {
  const { upstream, sought, heard, ports } = options;
  const { clock, randomId } = ports;
  /** What is asked for now, and what is heard: the one before goes on until the next is agreed to. */
  const wanted = new Map<string, Listen>();
  const live = new Map<string, Listen>();
  const losses = new Map<string, number>();

  const follow: OlderSubscriptions["follow"] = async (listener, uris) => {
    const key = keyOf(listener);
    const sorted = [...new Set(uris)].sort();
    const before = wanted.get(key);
    const same = before?.uris.length === sorted.length && sorted.every((uri, at) => before.uris[at] === uri);
    const next = same && before ? before : begin(listener, sorted);
    wanted.set(key, next);
    try {
      const { resourceSubscriptions: honoured } = await agreedNow(listener, next);
      return new Set(Array.isArray(honoured) ? honoured : []);
    } catch {
      return new Set();
    }
  };

  /** What the server agreed to, by this request or by one that took its place meanwhile. */
  const agreedNow = async (listener: Listener, listen: Listen): Promise<JsonObject> => {
    const key = keyOf(listener);
    try {
      const agreed = await listen.agreed;
      if (wanted.get(key) === listen && live.get(key) !== listen) {
        live.get(key)?.controller.abort();
        live.set(key, listen);
      }
      return agreed;
    } catch (problem) {
      const later = wanted.get(key);
      if (later && later !== listen) return agreedNow(listener, later);
      const before = live.get(key);
      if (before) wanted.set(key, before);
      else if (wanted.delete(key) && isTransient(problem)) again(listener, 0);
      listen.controller.abort();
      throw problem;
    }
  };

  const begin = (listener: Listener, uris: readonly string[]): Listen => {
    const controller = new AbortController();
    const began = clock.monotonic();
    let agree = (_honoured: JsonObject): void => undefined;
    let refuse = (_problem: unknown): void => undefined;
    const agreed = new Promise<JsonObject>((resolve, reject) => {
      agree = resolve;
      refuse = reject;
    });
    const limit = createDeadline(clock, { ms: AGREE_MS });
    limit.signal.addEventListener("abort", () => refuse(limit.signal.reason), { once: true });
    const listen: Listen = { uris, controller, agreed };
    agreed.catch(() => undefined).finally(limit.stop);

    const event = (message: NotificationMessage): void => {
      if (message.method === AGREED) {
        const honoured = message.params?.notifications;
        agree(isObject(honoured) ? honoured : {});
      } else if (live.get(keyOf(listener)) === listen) heard(listener, untagged(message));
    };
    const server = upstream(listener.serverId);
    const { principalKey } = listener;
    const caller = { principalKey, revision: NEWEST_MODERN, capabilities: "{}" };
    const { signal } = controller;
    const done = server?.request({
      ...caller,
      message: listenRequest(uris),
      signal,
      sent: () => undefined,
      event,
      back: async () => "",
    });
    (done ?? Promise.reject(new Error("There is no such server.")))
      .then(
        (reply) => refuse(reply),
        (problem: unknown) => refuse(problem),
      )
      .then(() => {
        const key = keyOf(listener);
        if (live.get(key) !== listen) return;
        live.delete(key);
        if (wanted.get(key) !== listen) return;
        wanted.delete(key);
        again(listener, clock.monotonic() - began);
      });
    return listen;
  };

  /** A subscription that stood and ended is taken up again while somebody listens, a few times if it ends at once. */
  const again = (listener: Listener, lasted: number): void => {
    const key = keyOf(listener);
    const count = lasted >= LONG_MS ? 1 : (losses.get(key) ?? 0) + 1;
    losses.set(key, count);
    if (count > MOST_LOSSES) return;
    clock.after(backoffMs(count, AGAIN, randomFraction(randomId)), () => {
      const uris = wanted.has(key) ? undefined : sought(listener);
      if (uris) void follow(listener, uris);
    });
  };

  return {
    follow,
    rest(listener) {
      const key = keyOf(listener);
      const listens = [wanted.get(key), live.get(key)];
      wanted.delete(key);
      live.delete(key);
      losses.delete(key);
      for (const listen of listens) listen?.controller.abort();
    },
  };
}

const AGREED = "notifications/subscriptions/acknowledged";

function keyOf({ serverId, principalKey }: Listener): string {
  return `${serverId} ${principalKey}`;
}

function listenRequest(uris: readonly string[]): RequestMessage {
  const notifications: Record<string, JsonValue> = {
    toolsListChanged: true,
    promptsListChanged: true,
    resourcesListChanged: true,
    ...(uris.length === 0 ? {} : { resourceSubscriptions: [...uris] }),
  };
  const params = { notifications };
  const text = encodeRequest("1", "subscriptions/listen", JSON.stringify(params));
  return { kind: "request", id: "1", method: "subscriptions/listen", params, text };
}

/** An older session has no subscriptions that a message could belong to. */
function untagged(message: NotificationMessage): NotificationMessage {
  const meta = metaOf(message.params);
  if (!meta || !message.params || meta[META_SUBSCRIPTION] === undefined) return message;
  const { [META_SUBSCRIPTION]: _tag, ...rest } = meta;
  const alone = Object.keys(rest).length === 0;
  const path = alone ? ["params", "_meta"] : ["params", "_meta", META_SUBSCRIPTION];
  const { _meta, ...others } = message.params;
  return {
    ...message,
    params: alone ? others : { ...others, _meta: rest },
    text: splice(message.text, [{ path, value: null }]),
  };
}
