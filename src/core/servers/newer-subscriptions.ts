/**
 * Subscriptions of newer agents at an older server. The agent's request stays open and says what it wants to hear; the
 * server tells a session by itself that a list changed, and of a resource that the session subscribed to. So navra
 * subscribes for its agents, once however many of them want a resource, passes on what each asked for under the tag of its
 * request, and leaves the resource with the last of them.
 *
 * @see MCP 2026-07-28 · Patterns · Subscriptions
 * @see MCP 2025-11-25 · Resources · Subscriptions
 */
import type { MutableCall } from "../call.ts";
import { META_SUBSCRIPTION, metaOf } from "../mcp/meta.ts";
import type { Clock } from "../ports.ts";
import { abortFault } from "../transports/abortable.ts";
import { encodeNotification } from "../wire/encode.ts";
import { isObject, type JsonObject, type JsonValue } from "../wire/json.ts";
import type { NotificationMessage, Reply } from "../wire/message.ts";
import { splice } from "../wire/splice.ts";
import { createDeadline } from "./deadline.ts";
import type { Opened } from "./handshake.ts";
import type { Caller } from "./upstream.ts";

export interface Listening {
  readonly caller: Caller;
  readonly opened: Opened;
  /** Asks the server on the session that these agents share. */
  readonly request: (method: string, uri: string, signal: AbortSignal) => Promise<Reply>;
  readonly event: (call: MutableCall, message: NotificationMessage) => void;
  /** Whether an agent with a session of its own wants the resource. */
  readonly wantedElsewhere: (call: MutableCall, uri: string) => boolean;
}

export interface NewerSubscriptions {
  /** Stays open until the call ends. */
  listen(call: MutableCall, listening: Listening): Promise<never>;
  /** Whether an open subscription of the site holds this resource. */
  wants(serverId: string, principalKey: string, uri: string): boolean;
  /** A server said this outside any call. */
  hear(serverId: string, principalKey: string, message: NotificationMessage): void;
  /** The session of these callers is another one, which has none of their subscriptions. */
  renew(serverId: string, principalKey: string, isOf: (caller: Caller) => boolean): void;
}

interface Subscription {
  readonly call: MutableCall;
  readonly wants: ReadonlySet<string>;
  readonly uris: ReadonlySet<string>;
  readonly listening: Listening;
}

const MOST_URIS = 1_000;
const LEAVE_MS = 10_000;
const UPDATED = "notifications/resources/updated";
/** The member of the request, the capability that allows it, and the notification it stands for. */
const LISTS = [
  ["toolsListChanged", "tools", "notifications/tools/list_changed"],
  ["promptsListChanged", "prompts", "notifications/prompts/list_changed"],
  ["resourcesListChanged", "resources", "notifications/resources/list_changed"],
] as const;

export function createNewerSubscriptions(clock: Clock): NewerSubscriptions {
  const open = new Set<Subscription>();
  /** How many agents want a resource of a session. */
  const counts = new Map<string, number>();

  const take = async (call: MutableCall, uri: string, { request }: Listening): Promise<boolean> => {
    const key = countKey(call, uri);
    const before = counts.get(key) ?? 0;
    counts.set(key, before + 1);
    if (before > 0) return true;
    const reply = await request("resources/subscribe", uri, call.signal).catch(() => undefined);
    if (reply?.kind === "result") return true;
    drop(key);
    return false;
  };

  const drop = (key: string): boolean => {
    const left = (counts.get(key) ?? 1) - 1;
    if (left > 0) counts.set(key, left);
    else counts.delete(key);
    return left <= 0;
  };

  const leave = (call: MutableCall, uris: Iterable<string>, { request, wantedElsewhere }: Listening): void => {
    for (const uri of uris) {
      if (!drop(countKey(call, uri)) || wantedElsewhere(call, uri)) continue;
      const limit = createDeadline(clock, { ms: LEAVE_MS });
      request("resources/unsubscribe", uri, limit.signal).then(limit.stop, limit.stop);
    }
  };

  return {
    async listen(call, listening) {
      const { notifications } = call.request.value ?? {};
      const { wants, lists, subscribes } = asked(notifications, capabilitiesOf(listening.opened));
      const uris = new Set<string>();
      for (const uri of subscribes) if (await take(call, uri, listening)) uris.add(uri);
      const { signal } = call;
      if (signal.aborted) {
        leave(call, uris, listening);
        throw abortFault(signal);
      }
      const honoured = { ...lists, ...(subscribes.length > 0 ? { resourceSubscriptions: [...uris] } : {}) };
      listening.event(call, tagged(agreement(honoured), call));
      const subscription = { call, wants, uris, listening };
      open.add(subscription);
      return new Promise<never>((_, reject) => {
        const end = (): void => {
          open.delete(subscription);
          leave(call, uris, listening);
          reject(abortFault(signal));
        };
        signal.addEventListener("abort", end, { once: true });
      });
    },

    wants: (serverId, principalKey, uri) =>
      [...open].some(
        ({ call, uris }) => call.server.id === serverId && call.principalKey === principalKey && uris.has(uri),
      ),

    hear(serverId, principalKey, message) {
      for (const { call, wants, uris, listening } of open) {
        if (call.server.id !== serverId || call.principalKey !== principalKey) continue;
        if (wants.has(message.method) || (message.method === UPDATED && holds(uris, message.params?.uri))) {
          listening.event(call, tagged(message, call));
        }
      }
    },

    renew(serverId, principalKey, isOf) {
      const asked = new Set<string>();
      for (const { call, uris, listening } of open) {
        if (call.server.id !== serverId || call.principalKey !== principalKey || !isOf(listening.caller)) continue;
        for (const uri of uris) {
          if (asked.size === asked.add(uri).size) continue;
          listening.request("resources/subscribe", uri, call.signal).catch(() => undefined);
        }
      }
    },
  };
}

/** A session for each set of capabilities, so a count for each as well. */
function countKey({ server, principalKey, capabilities }: MutableCall, uri: string): string {
  return JSON.stringify([server.id, principalKey, capabilities.text, uri]);
}

interface Asked {
  readonly wants: ReadonlySet<string>;
  readonly lists: JsonObject;
  readonly subscribes: readonly string[];
}

/** What of the agent's wishes the server can do. */
function asked(notifications: JsonValue | undefined, capabilities: JsonObject): Asked {
  if (!isObject(notifications)) return { wants: new Set(), lists: {}, subscribes: [] };
  const able = LISTS.filter(
    ([member, capability]) => notifications[member] === true && settingOf(capabilities, capability, "listChanged"),
  );
  const { resourceSubscriptions: wanted } = notifications;
  const subscribes =
    Array.isArray(wanted) && settingOf(capabilities, "resources", "subscribe")
      ? [...new Set(wanted.filter((uri) => typeof uri === "string"))].slice(0, MOST_URIS)
      : [];
  return {
    wants: new Set(able.map(([, , method]) => method)),
    lists: Object.fromEntries(able.map(([member]) => [member, true])),
    subscribes,
  };
}

function settingOf(capabilities: JsonObject, name: string, setting: string): boolean {
  const capability = capabilities[name];
  return isObject(capability) && capability[setting] === true;
}

function capabilitiesOf({ resultText }: Opened): JsonObject {
  const { capabilities } = JSON.parse(resultText) as { readonly capabilities?: JsonValue };
  return isObject(capabilities) ? capabilities : {};
}

/** A subscription to a resource holds for what is below it. */
function holds(uris: ReadonlySet<string>, uri: JsonValue | undefined): boolean {
  if (typeof uri !== "string") return false;
  return uris.has(uri) || [...uris].some((one) => uri.startsWith(one.endsWith("/") ? one : `${one}/`));
}

function agreement(notifications: JsonObject): NotificationMessage {
  const method = "notifications/subscriptions/acknowledged";
  const params = { notifications };
  return { kind: "notification", method, params, text: encodeNotification(method, JSON.stringify(params)) };
}

function tagged(message: NotificationMessage, { message: { id } }: MutableCall): NotificationMessage {
  const tag = JSON.parse(id) as JsonValue;
  return {
    ...message,
    params: { ...message.params, _meta: { ...metaOf(message.params), [META_SUBSCRIPTION]: tag } },
    text: splice(message.text, [{ path: ["params", "_meta", META_SUBSCRIPTION], value: id }]),
  };
}
