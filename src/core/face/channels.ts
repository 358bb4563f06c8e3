/**
 * The open agent channels. Each has a face (or the directory), its protocol state outlives the worker, and what could not
 * be delivered because the port was gone waits for the same document to come back with the same channel.
 */

import type { Connector } from "../consent/connect.ts";
import { type FaultName, GatewayError } from "../errors.ts";
import type { GatewayLimits } from "../limits.ts";
import { NEWEST_MODERN, type Revision } from "../mcp/revision.ts";
import type { FaceState, JournalEntry, Ports, Table } from "../ports.ts";
import { type Place, type Principal, principalKey } from "../principal.ts";
import { sliceAt } from "../wire/splice.ts";
import { createDirectory } from "./directory.ts";
import { ALL_SERVERS } from "./directory-methods.ts";
import { createFace, type Face, type FaceCall } from "./face.ts";

/** Protocol state of a channel is kept this long after its last change, in milliseconds. */
const KEEP_STATE_MS = 24 * 60 * 60_000;
/** Undelivered frames kept per channel: one for each call it may have open. */
const KEEP_FRAMES = 256;
/** Channels whose undelivered frames are kept; the oldest go first, and their calls count as unknown. */
const KEEP_CHANNELS = 200;

export interface ChannelOptions {
  readonly principal: Principal;
  readonly place: Place;
  readonly channel: string;
  /** Empty for the directory. */
  readonly server: string;
  readonly act: boolean;
  readonly post: (frame: string) => void;
}

export interface OpenChannel {
  receive(frame: string): void;
  /** Whether the channel's document can be seen now; it is taken for visible until it says otherwise. */
  show(visible: boolean): void;
  close(): void;
}

export interface Listening extends ReturnType<Face["session"]> {
  readonly options: ChannelOptions;
  readonly revision: Revision;
  readonly ready: Promise<void>;
  readonly opening: boolean;
  readonly wants: Face["wants"];
  readonly subscribed: Face["subscribed"];
}

export interface Channels {
  restore(): Promise<void>;
  open(options: ChannelOptions): OpenChannel;
  /** Every open channel to one server, of one principal where one is named. */
  listening(match: { readonly serverName: string; readonly principalKey?: string }): readonly Listening[];
  /** Whether a visible document of this principal has a channel to this server. */
  attended(match: { readonly serverName: string; readonly principalKey: string }): boolean;
  /** Whether the document of this channel can be seen now. */
  seen(channel: Pick<ChannelOf, "documentId" | "channel">): boolean;
  /** Who may hear of what has changed. */
  recount(): void;
  /** `initialize` settled this; a channel to all servers settles by itself, whatever each of them did. */
  settle(channel: ChannelOf, revision: Revision): void;
  /** The channel's session subscribed to a resource, or left it. */
  follow(channel: ChannelOf, change: { readonly uri: string; readonly wanted: boolean }): void;
  /** Keeps an answer for a channel whose worker died: told when it comes back, or only when it asks for that id. */
  lost(entry: JournalEntry, answer: { readonly frame: string; readonly ask: "only" | "too" }): void;
}

/** A channel, and the server whose part it is about. */
export interface ChannelOf {
  readonly documentId: string;
  readonly channel: string;
  readonly server: string;
}

export interface ChannelsOptions {
  readonly limits: GatewayLimits;
  readonly ports: Pick<Ports, "clock" | "randomId">;
  readonly connector: Connector;
  readonly table: Table<FaceState>;
  readonly start: (channel: ChannelOptions, call: FaceCall) => Promise<void>;
  /** The last visible channel of a principal to a server was closed or hidden, or the first one came back into sight. */
  readonly attention: (channel: ChannelOptions, attended: boolean) => void;
  /** A channel came back after the worker's death, with the session it had. */
  readonly resumed: (channel: Listening) => void;
  /** Whether its site may hear of the server now. */
  readonly mayHear: (channel: ChannelOptions) => boolean;
  /** How many visible channels wait to hear of resources, of those that may; told whenever one comes into sight or goes. */
  readonly waiting: (subscribers: number) => void;
  readonly rejected: (channel: ChannelOptions, name: FaultName, method: string) => void;
}

export function createChannels(options: ChannelsOptions): Channels {
  const { limits, ports, connector, table, start, rejected, attention, resumed, mayHear, waiting } = options;
  const { clock, randomId } = ports;
  const states = new Map<string, FaceState>();
  const faces = new Map<string, OpenFace>();
  const undelivered = new Map<string, string[]>();

  /** Answers for who asks; by channel, then by id token. */
  const onDemand = new Map<string, Map<string, string>>();
  /** Something was thrown away: what this worker does not know of may have been sent all the same. */
  let forgot = false;

  const keep = (key: string, frame: string): void => {
    const frames = undelivered.get(key) ?? [];
    undelivered.delete(key);
    undelivered.set(key, frames);
    if (frames.length < KEEP_FRAMES) frames.push(frame);
    else forgot = true;
    for (const oldest of undelivered.keys()) {
      if (undelivered.size <= KEEP_CHANNELS) break;
      undelivered.delete(oldest);
      forgot = true;
    }
  };

  const openDirectory = (options: ChannelOptions): OpenChannel => {
    const controller = new AbortController();
    const directory = createDirectory({ ...options, limits, clock, connector, signal: controller.signal });
    return { receive: directory.receive, show: () => undefined, close: () => controller.abort(gone()) };
  };

  const listening: Channels["listening"] = ({ serverName, principalKey: key }) =>
    [...faces.values()]
      .filter(
        ({ options: { server, principal } }) =>
          covers(server, serverName) && (key ?? principalKey(principal)) === principalKey(principal),
      )
      .map((open) => listeningOf(open, serverName));

  const attended: Channels["attended"] = ({ serverName, principalKey: key }) =>
    [...faces.values()].some(
      ({ options, visible }) =>
        visible && covers(options.server, serverName) && principalKey(options.principal) === key,
    );

  const count = (): void => {
    waiting(
      [...faces.values()].filter(
        ({ options, visible, face }) => visible && face.subscribed().length > 0 && mayHear(options),
      ).length,
    );
  };

  return {
    attended,

    async restore() {
      const past: string[] = [];
      for (const state of await table.all()) {
        const key = channelKey(state);
        if (clock.now() - state.at < KEEP_STATE_MS) states.set(key, state);
        else past.push(key);
      }
      // No call waits for this: what stays behind is past for the next worker, too.
      if (past.length > 0) table.remove(...past).catch(() => undefined);
    },

    open(options) {
      if (options.server === "") return openDirectory(options);
      const { principal, place, channel, server } = options;
      const key = channelKey({ documentId: place.documentId, channel });
      const known = states.get(key);
      const missed = undelivered.get(key) ?? [];
      undelivered.delete(key);
      let isOpen = true;
      const post = (frame: string): void => (isOpen ? options.post(frame) : keep(key, frame));
      const face = createFace({
        limits,
        post,
        told: new Set(missed.flatMap((frame) => sliceAt(frame, ["id"]) ?? [])),
        unheard(id) {
          const frame = onDemand.get(key)?.get(id);
          if (frame !== undefined) return { frame };
          return { fault: principal.private || forgot ? "unknown" : "not-sent" };
        },
        start: (call) => start(options, call),
        rejected: (name, method) => rejected(options, name, method),
        ...(known && known.server === server
          ? {
              restored: {
                revision: known.revision as Revision | null,
                agent: known.agent,
                declared: known.declared ?? null,
                subscribed: known.subscribed ?? [],
              },
            }
          : {}),
        randomId,
        changed: (side) => {
          const state = { documentId: place.documentId, channel, server, ...side, at: clock.now() };
          states.set(key, state);
          if (!principal.private) table.put(key, state).catch(() => undefined);
          count();
        },
      });
      const ours: OpenFace = { options, face, visible: true };
      faces.set(key, ours);
      count();
      const isAttended = (): boolean => attended({ serverName: server, principalKey: principalKey(principal) });
      /** Does something that may change whether anybody looks, and says so where it did. */
      const looking = (act: () => void): void => {
        const before = isAttended();
        act();
        count();
        if (before !== isAttended()) attention(options, !before);
      };
      for (const frame of missed) post(frame);
      if (face.revision() !== null) resumed(listeningOf(ours, server));
      return {
        receive: (frame) => face.receive(frame),
        show: (visible) =>
          looking(() => {
            ours.visible = visible;
          }),
        close() {
          isOpen = false;
          looking(() => {
            if (faces.get(key)?.face === face) faces.delete(key);
          });
          face.abort(gone());
        },
      };
    },

    listening,
    seen: (channel) => faces.get(channelKey(channel))?.visible ?? false,
    recount: count,

    settle(channel, revision) {
      const at = faces.get(channelKey(channel));
      if (at?.options.server === channel.server) at.face.settle(revision);
    },

    follow(channel, { uri, wanted }) {
      const at = faces.get(channelKey(channel));
      at?.face.follow(`${ofServer(at.options.server, channel.server)}${uri}`, wanted);
    },

    lost({ documentId, channel, rpcId }, { frame, ask }) {
      const key = channelKey({ documentId, channel });
      // A call that went to several servers is answered once.
      const told = undelivered.get(key)?.some((kept) => sliceAt(kept, ["id"]) === rpcId) ?? false;
      if (ask === "too") return told ? undefined : keep(key, frame);
      const answers = onDemand.get(key) ?? new Map<string, string>();
      onDemand.set(key, answers.set(rpcId, frame));
    },
  };
}

interface OpenFace {
  readonly options: ChannelOptions;
  readonly face: Face;
  visible: boolean;
}

function listeningOf({ options, face }: OpenFace, serverName: string): Listening {
  const prefix = ofServer(options.server, serverName);
  return {
    options,
    revision: face.revision() ?? NEWEST_MODERN,
    ready: face.ready,
    opening: face.opening(),
    wants: (uri) => face.wants(`${prefix}${uri}`),
    subscribed: () => face.subscribed().flatMap((uri) => (uri.startsWith(prefix) ? [uri.slice(prefix.length)] : [])),
    ...face.session(),
  };
}

function covers(channelServer: string, server: string): boolean {
  return channelServer === server || channelServer === ALL_SERVERS;
}

/** What a resource is remembered under: a channel to all servers says of which it is. */
function ofServer(channelServer: string, server: string): string {
  return channelServer === ALL_SERVERS ? `${server} ` : "";
}

function channelKey({ documentId, channel }: { readonly documentId: string; readonly channel: string }): string {
  return `${documentId} ${channel}`;
}

function gone(): GatewayError {
  return new GatewayError("cancelled", "The page that asked is gone.", { by: "page" });
}
