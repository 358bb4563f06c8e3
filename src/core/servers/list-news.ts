/**
 * Tells agents that their list of tools is another one, where it changed because of the person: tools were ticked or taken,
 * a changed tool was approved or quarantined, a rule was saved. The server knows nothing of this, and an agent that is not told
 * would go on calling what is gone and never see what came. Said once a moment, to the channels it concerns, and without a
 * word about what changed. A channel to all servers hears also of a server that came or went, where it has one left.
 *
 * @see MCP 2025-11-25 · Server features · Tools · List changed notification
 * @see MCP 2026-07-28 · Patterns · Subscriptions
 */
import type { MutableCall } from "../call.ts";
import type { ChannelOptions, Channels, Listening } from "../face/channels.ts";
import { ALL_SERVERS } from "../face/directory-methods.ts";
import { META_SUBSCRIPTION } from "../mcp/meta.ts";
import { isModern } from "../mcp/revision.ts";
import type { OpenCalls } from "../open-calls.ts";
import type { Clock } from "../ports.ts";
import { type Principal, principalKey } from "../principal.ts";
import { encodeNotification } from "../wire/encode.ts";
import { isObject } from "../wire/json.ts";
import type { NotificationMessage } from "../wire/message.ts";
import type { ServerEntry } from "./server.ts";

export interface ListNews {
  /** The lists of these are other ones now; of all sites or servers where none is named. */
  changed(of?: News): void;
  /** Takes note of what a server agreed to tell a subscriber of. */
  heard(call: MutableCall, message: NotificationMessage): void;
}

interface News {
  readonly principalKey?: string;
  readonly serverId?: string;
  /** The site has lost the server. */
  readonly gone?: true;
}

export interface ListNewsOptions {
  readonly channels: () => Channels;
  readonly calls: OpenCalls;
  readonly servers: () => readonly ServerEntry[];
  readonly mayHear: (principal: Principal, serverId: string) => boolean;
  readonly clock: Clock;
}

const MOMENT_MS = 100;
const METHOD = "notifications/tools/list_changed";
const ACKNOWLEDGED = "notifications/subscriptions/acknowledged";

export function createListNews({ channels, calls, servers, mayHear, clock }: ListNewsOptions): ListNews {
  let waiting: News[] = [];
  const subscribers = new WeakSet<MutableCall>();

  const tell = (): void => {
    const news = waiting;
    waiting = [];
    const isAbout = (of: News, principal: Principal): boolean =>
      of.principalKey === undefined || of.principalKey === principalKey(principal);
    const concerns = (principal: Principal, serverId: string): boolean =>
      mayHear(principal, serverId) &&
      news.some((of) => (of.serverId ?? serverId) === serverId && isAbout(of, principal));
    /** Who carries all servers is concerned by each that it may hear of, and by one that is gone. */
    const concernsAll = (principal: Principal): boolean =>
      servers().some(({ id }) => mayHear(principal, id)) &&
      news.some(
        (of) => isAbout(of, principal) && (of.gone || of.serverId === undefined || mayHear(principal, of.serverId)),
      );
    const ofAll = new Set<string>();
    for (const one of channels().listening({ serverName: ALL_SERVERS })) {
      ofAll.add(placeOf(one.options));
      if (!isModern(one.revision) && concernsAll(one.options.principal)) tellSession(one);
    }
    for (const server of servers()) {
      for (const one of channels().listening({ serverName: server.name })) {
        if (isModern(one.revision) || one.options.server === ALL_SERVERS) continue;
        if (concerns(one.options.principal, server.id)) tellSession(one);
      }
    }
    /** A subscription to all servers is a part at each, and hears it once. */
    const told = new Set<string>();
    for (const call of calls.list()) {
      if (!subscribers.has(call)) continue;
      const of = placeOf(call);
      const whole = `${of} ${call.message.id}`;
      if (ofAll.has(of) ? told.has(whole) || !concernsAll(call.principal) : !concerns(call.principal, call.server.id)) {
        continue;
      }
      told.add(whole);
      call.agentSide.event(toSubscriber(call));
    }
  };

  return {
    changed(of = {}) {
      if (waiting.push(of) === 1) clock.after(MOMENT_MS, tell);
    },
    heard(call, { method, params }) {
      const agreed = method === ACKNOWLEDGED ? params?.notifications : undefined;
      if (isObject(agreed) && agreed.toolsListChanged === true) subscribers.add(call);
    },
  };
}

const IN_A_SESSION = encodeNotification(METHOD);

function tellSession({ options, ready }: Listening): void {
  ready.then(() => options.post(IN_A_SESSION)).catch(() => undefined);
}

function placeOf({ place, channel }: Pick<ChannelOptions, "place" | "channel">): string {
  return `${place.documentId} ${channel}`;
}

function toSubscriber({ message }: MutableCall): string {
  return encodeNotification(METHOD, `{"_meta":{"${META_SUBSCRIPTION}":${message.id}}}`);
}
