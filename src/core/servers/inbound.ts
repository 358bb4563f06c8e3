/**
 * What servers say by themselves: notifications inside a call, notifications outside any, and requests of their own. All of
 * it is judged by the same lines as what agents say; a list that changed also makes navra look at the list.
 */
import { createBursts } from "../bursts.ts";
import type { EventInHand, MutableCall } from "../call.ts";
import { isQuestion, mayAskPerson, whoAnswers } from "../elicit/who-answers.ts";
import { backRefusal } from "../face/back-refusal.ts";
import type { Channels, Listening } from "../face/channels.ts";
import type { KeepAlive } from "../face/keep-alive.ts";
import { answers } from "../mcp/client-capabilities.ts";
import { isModern, vocabularyOf } from "../mcp/revision.ts";
import { backCall, newCall, unaskedBack } from "../new-call.ts";
import type { OpenCalls } from "../open-calls.ts";
import { type Lines, runEvent, runLine } from "../pipeline/run.ts";
import type { Stop } from "../pipeline/stage.ts";
import type { Ports } from "../ports.ts";
import { type Principal, principalKey } from "../principal.ts";
import type { Evidence, JudgedEvent } from "../recorder/evidence.ts";
import { encodeResult } from "../wire/encode.ts";
import type { NotificationMessage, RequestMessage, ResultMessage } from "../wire/message.ts";
import type { ListNews } from "./list-news.ts";
import type { LogLevels } from "./log-levels.ts";
import type { NewerSubscriptions } from "./newer-subscriptions.ts";
import type { Pages } from "./pages.ts";
import type { Registry } from "./registry.ts";
import type { ServerEntry } from "./server.ts";

export interface Inbound {
  /** A notification that belongs to an open call. */
  event(call: MutableCall, message: NotificationMessage): void;
  /** One outside any call: judged once per channel that may hear it. */
  unsolicited(serverId: string, principalKey: string, message: NotificationMessage): void;
  /** A request of the server's: a new call in the other direction. Gives the whole reply frame. */
  back(parent: MutableCall, message: RequestMessage, ended: AbortSignal): Promise<string>;
  /** One outside any call. */
  unsolicitedBack(
    serverId: string,
    principalKey: string,
    asked: { readonly message: RequestMessage; readonly ended: AbortSignal },
  ): Promise<string>;
  /** Whether another agent of the call's site wants to hear of the resource. */
  stillWanted(call: MutableCall, uri: string): boolean;
  /** Resources that the sessions of the call's site want to hear of. */
  subscribed(call: Pick<MutableCall, "server" | "principalKey">): readonly string[];
  /** One that came inside a result: gives its text as judged, or nothing where it may not reach the agent. */
  embedded(parent: MutableCall, message: RequestMessage): Promise<string | undefined>;
}

export interface InboundOptions {
  readonly lines: () => Lines;
  readonly channels: () => Channels;
  readonly registry: () => Registry;
  /** Whether a principal may hear of a server now: connected, and nothing paused. */
  readonly mayHear: (principal: Principal, serverId: string) => boolean;
  /** A page that navra opened for a server is done. */
  readonly completes: (serverId: string, message: NotificationMessage) => boolean;
  readonly evidence: Evidence;
  readonly news: ListNews;
  readonly calls: OpenCalls;
  readonly levels: LogLevels;
  readonly pages: Pages;
  readonly newer: NewerSubscriptions;
  readonly keepAlive: KeepAlive;
  readonly ports: Pick<Ports, "clock" | "randomId" | "changed">;
}

/** From a server's word that its list changed to asking for it, in milliseconds. */
const RELIST_MS = 250;
/** How long an agent may take between the answer to `initialize` and taking the session up. */
const OPENING_MS = 5_000;
const UPDATED = "notifications/resources/updated";
const LOG = "notifications/message";
const COMPLETE = "notifications/elicitation/complete";
const LIST_CHANGED = "notifications/tools/list_changed";

export function createInbound(options: InboundOptions): Inbound {
  const {
    lines,
    channels,
    registry,
    mayHear,
    completes,
    evidence,
    news,
    calls,
    levels,
    pages,
    newer,
    keepAlive,
    ports,
  } = options;
  const listing = new Set<string>();
  /** A server may say so as often as it likes; it is asked once a moment. */
  const relist = (serverId: string): void => {
    if (listing.has(serverId)) return;
    listing.add(serverId);
    ports.clock.after(RELIST_MS, () => {
      listing.delete(serverId);
      registry()
        .refresh(serverId, new AbortController().signal)
        .then(
          () => ports.changed("servers"),
          () => undefined,
        );
    });
  };
  const judged = createBursts<JudgedEvent>(ports.clock, ({ about, ...times }) => evidence.ofEvent(about, times));
  /** What a rule drops is on record, and what it would drop: else nobody finds out why an agent heard nothing. */
  const judge = (call: MutableCall, { message, within }: { message: NotificationMessage; within: boolean }): void => {
    const event = inHand(message);
    const stopped = runEvent(lines().event, call, event);
    const { reasons = [] } = event.decision ?? {};
    const telling = stopped ? reasons[0] : reasons.find(({ mode }) => mode === "audit");
    if (!stopped && !telling) return;
    const key = JSON.stringify([call.place.documentId, call.server.id, event.method, telling?.rule]);
    judged.count(key, { call, within, event, stopped }, stopped?.name ?? "withheld");
  };
  /**
   * Servers ask as soon as a session stands, which may be before the agent has heard that it does. Nothing is asked of an
   * agent that has not taken its session up.
   */
  const afterOpening = async (
    listening: () => readonly Listening[],
    suits: (one: Listening) => boolean,
  ): Promise<readonly Listening[]> => {
    const ready = Promise.all(listening().map((one) => one.ready));
    const patience = new Promise<void>((resolve) => {
      const stop = ports.clock.after(OPENING_MS, resolve);
      ready.then(stop, stop);
    });
    await Promise.race([ready, patience]);
    return listening().filter(suits);
  };

  /** Runs a server's request to its end; the whole reply frame. */
  const answered = async (call: MutableCall): Promise<string> => {
    const frames: string[] = [];
    const asking = { ...call, agentSide: { ...call.agentSide, reply: (text: string) => void frames.push(text) } };
    let stopped = await runLine("request", lines().request, { call: asking, clock: ports.clock });
    stopped ??= await runLine("reply", lines().reply, { call: asking, clock: ports.clock });
    void evidence.ofCall(asking, stopped);
    return frames[0] ?? backRefusal(call.message, stopped);
  };

  /** Whether the agent has the word, asked for it, and can make sense of it now. */
  const isWanted = (call: MutableCall, message: NotificationMessage): boolean => {
    if (!vocabularyOf(call.revision).notifications.has(message.method)) return false;
    return message.method === LOG ? levels.wants(call, message.params) : keepAlive.passes(call, message);
  };

  /** To the sessions of a site; a newer agent hears what it has a request open for. */
  const tell = (serverId: string, principalKey: string, message: NotificationMessage): void => {
    const server = registry().byId(serverId);
    if (!server) return;
    for (const one of channels().listening({ serverName: server.name, principalKey })) {
      if (!isModern(one.revision)) tellOne(server, one, message);
      // Servers speak as soon as a session stands, which may be before the agent has heard that it does.
      else if (one.opening) one.ready.then(() => tellLater(server, one, message)).catch(() => undefined);
    }
  };

  const tellLater = (server: ServerEntry, { options }: Listening, message: NotificationMessage): void => {
    const key = principalKey(options.principal);
    const now = channels().listening({ serverName: server.name, principalKey: key });
    const same = now.find((one) => one.options === options && !isModern(one.revision));
    if (same) tellOne(server, same, message);
  };

  const tellOne = (server: ServerEntry, one: Listening, message: NotificationMessage): void => {
    const { options, ready: _ready, opening: _opening, wants, subscribed: _subscribed, ...spoken } = one;
    const { method, params, text } = message;
    if (!mayHear(options.principal, server.id)) return;
    if (method === UPDATED && !(typeof params?.uri === "string" && wants(params.uri))) return;
    const signal = new AbortController().signal;
    const agentSide = { reply: () => undefined, event: options.post, ask: spoken.ask };
    const about = { kind: "request", id: "0", method, params, text } as const;
    const call = newCall({ ...options, ...spoken, server, message: about, signal, agentSide }, ports);
    if (isWanted(call, message)) judge(call, { message, within: false });
  };

  return {
    event(call, message) {
      if (message.method === COMPLETE) pages.heard(call.server.id, message);
      if (completes(call.server.id, message)) return;
      if (isWanted(call, message)) judge(call, { message, within: true });
      news.heard(call, message);
      if (message.method === LIST_CHANGED) relist(call.server.id);
    },

    unsolicited(serverId, principalKey, message) {
      if (message.method === LIST_CHANGED) relist(serverId);
      if (message.method === COMPLETE) pages.heard(serverId, message);
      if (completes(serverId, message)) return;
      tell(serverId, principalKey, message);
      newer.hear(serverId, principalKey, message);
    },

    async unsolicitedBack(serverId, principalKey, { message, ended }) {
      const server = registry().byId(serverId);
      const listening = () => (server ? channels().listening({ serverName: server.name, principalKey }) : []);
      const able = await afterOpening(listening, ({ capabilities }) => answers(capabilities, message));
      // With several, nobody can say which agent the server means; the person can be asked all the same.
      const own = server !== undefined && mayAskPerson(server) && isQuestion(message);
      const alone = able.length === 1 && !(own && server.questions === "navra");
      const asked = alone ? able[0] : own ? listening()[0] : undefined;
      if (!server || !asked) return backRefusal(message, NOBODY);
      const { options, ready: _ready, opening: _opening, wants: _wants, subscribed: _subscribed, ...spoken } = asked;
      const controller = new AbortController();
      const signal = AbortSignal.any([controller.signal, ended]);
      const agentSide = { reply: () => undefined, event: options.post, ask: spoken.ask };
      const origin = { ...options, ...spoken, server, message, signal, agentSide };
      const call = unaskedBack(alone ? origin : { ...origin, answerer: "navra" }, ports);
      calls.add(call, (reason) => controller.abort(reason));
      try {
        return await answered(call);
      } finally {
        calls.remove(call.callId);
      }
    },

    stillWanted({ channel, place, server, principalKey, revision }, uri) {
      const others = channels()
        .listening({ serverName: server.name, principalKey })
        .filter(({ options }) => options.channel !== channel || options.place.documentId !== place.documentId)
        .some(({ wants }) => wants(uri));
      return others || (!isModern(revision) && newer.wants(server.id, principalKey, uri));
    },

    subscribed: ({ server, principalKey }) =>
      channels()
        .listening({ serverName: server.name, principalKey })
        .flatMap(({ subscribed }) => subscribed()),

    async back(parent, message, ended) {
      const { agentSide } = parent;
      const signal = AbortSignal.any([parent.signal, ended]);
      return keepAlive.during(parent, answered(backCall(parent, { message, signal, agentSide }, ports)));
    },

    async embedded(parent, message) {
      if (whoAnswers({ ...parent, message }) === "navra") return undefined;
      const { signal } = parent;
      const agentSide = { ...parent.agentSide, ask: async () => ANSWERED_LATER };
      const call = backCall(parent, { message, signal, agentSide }, ports);
      const stopped = await runLine("request", lines().request, { call, clock: ports.clock });
      call.reply = undefined;
      void evidence.ofCall(call, stopped);
      return stopped ? undefined : call.request.text;
    },
  };
}

const NOBODY: Stop = { kind: "fault", name: "method-not-found", detail: "Nobody here answers this." };

/** The agent answers with its next request, which is a call of its own. */
const ANSWERED_LATER: ResultMessage = {
  kind: "result",
  id: "0",
  result: {},
  text: encodeResult("0", "{}"),
};

function inHand({ method, text, params }: NotificationMessage): EventInHand {
  return { method, payload: { text, value: params } };
}
