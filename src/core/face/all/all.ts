/**
 * The face of all servers that a site is connected to, as one: for agents that want a single endpoint. A request that names
 * something goes to the server that has it, under the name it has there; a list is asked of all and put together. Whatever
 * reaches a server is a call to that server, by the lines every call takes: rules, pins, approvals and records know
 * {server, its own name} and nothing of this face.
 *
 * Decided: it is addressed as `*`, which no server can be called.
 */
import type { Connector } from "../../consent/connect.ts";
import { type FaultName, GatewayError } from "../../errors.ts";
import { isModern, type Revision } from "../../mcp/revision.ts";
import type { Ports } from "../../ports.ts";
import { principalKey } from "../../principal.ts";
import type { Registry } from "../../servers/registry.ts";
import type { Tasks } from "../../servers/tasks.ts";
import { isObject, type JsonObject, type JsonValue } from "../../wire/json.ts";
import type { RequestMessage } from "../../wire/message.ts";
import type { Edit } from "../../wire/splice.ts";
import type { ChannelOptions } from "../channels.ts";
import type { FaceCall } from "../face.ts";
import { refusalFrame } from "../refusal.ts";
import { aliasOf, isPlain, type Named, readAlias } from "./alias.ts";
import { createCursors } from "./cursors.ts";
import { listenAll } from "./listening.ts";
import { isMergedList, type ListsOptions, listAll } from "./lists.ts";
import { openAll } from "./opening.ts";
import { createOwners } from "./owners.ts";
import { askEach, edited, type RunAt, together } from "./parts.ts";

export interface AllOptions {
  readonly ports: Pick<Ports, "clock" | "digest">;
  readonly registry: Pick<Registry, "byId" | "byName" | "catalogue">;
  readonly connector: Pick<Connector, "connected">;
  readonly tasks: Pick<Tasks, "at">;
  /** Runs a call at the server that the channel names. */
  readonly start: (channel: ChannelOptions, call: FaceCall) => Promise<void>;
  readonly settled: (channel: ChannelOptions, revision: Revision) => void;
}

export interface All {
  /** One call of an agent's. Never rejects. */
  start(channel: ChannelOptions, call: FaceCall): Promise<void>;
}

/** Pages of the lists that are looked through to find whose a name is. */
const MOST_PAGES = 20;
const MOST_NAMES = 5_000;
const LOOK_MS = 10_000;

export function createAll({ ports, registry, connector, tasks, start, settled }: AllOptions): All {
  const { clock, digest } = ports;
  const cursors = createCursors({ digest, idOf: (server) => registry.byName(server)?.id });
  const owners = createOwners();
  /** By site, what the aliases stand for that do not say so themselves. */
  const names = new Map<string, Map<string, Named>>();
  const looked = new Map<string, { readonly at: number; readonly done: Promise<void> }>();

  interface Here {
    readonly channel: ChannelOptions;
    readonly key: string;
    readonly servers: readonly string[];
    readonly run: RunAt;
    readonly lists: ListsOptions;
  }

  const hereOf = (channel: ChannelOptions): Here => {
    const key = principalKey(channel.principal);
    const servers = connector.connected(channel.principal);
    const run: RunAt = (server, call) => start({ ...channel, server }, call);
    const known = names.get(key) ?? new Map<string, Named>();
    names.set(key, known);
    const learn: ListsOptions["learn"] = (alias, named) => {
      if (isPlain(named)) return;
      const [oldest] = known.keys();
      if (known.size >= MOST_NAMES && oldest !== undefined) known.delete(oldest);
      known.set(alias, named);
    };
    return {
      channel,
      key,
      servers,
      run,
      lists: { principalKey: key, servers, digest, cursors, owners, learn, run, clock },
    };
  };

  /** Looks through a list of all servers, for what it teaches; once in a while, however often a page asks for nothing. */
  const look = (call: FaceCall, method: string, here: Here): Promise<void> => {
    const before = looked.get(`${method} ${here.key}`);
    if (before && clock.monotonic() - before.at < LOOK_MS) {
      // Whoever looks first may give up.
      return before.done.catch(() => lookThrough(call, method, here));
    }
    const done = lookThrough(call, method, here);
    looked.set(`${method} ${here.key}`, { at: clock.monotonic(), done });
    return done;
  };

  const lookThrough = async (call: FaceCall, method: string, { lists }: Here): Promise<void> => {
    let cursor: Edit = { path: ["params", "cursor"], value: null };
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const message = {
        ...edited(call.message, [{ path: ["method"], value: JSON.stringify(method) }, cursor]),
        method,
      };
      const frame = await listAll({ ...call, message }, lists);
      const { result } = JSON.parse(frame ?? "{}") as { readonly result?: { readonly nextCursor?: JsonValue } };
      if (typeof result?.nextCursor !== "string") return;
      cursor = { path: ["params", "cursor"], value: JSON.stringify(result.nextCursor) };
    }
  };

  const toolOf = async (alias: string, { servers }: Here): Promise<Named | undefined> => {
    const named = readAlias(alias);
    if (named) return servers.includes(named.server) ? named : undefined;
    for (const server of servers) {
      const id = registry.byName(server)?.id;
      for (const { name } of (id !== undefined && registry.catalogue(id)?.tools) || []) {
        if (!isPlain({ server, name }) && (await aliasOf({ server, name }, digest)) === alias) return { server, name };
      }
    }
    return undefined;
  };

  const promptOf = async (alias: string, call: FaceCall, here: Here): Promise<Named | undefined> => {
    const named = readAlias(alias);
    if (named) return here.servers.includes(named.server) ? named : undefined;
    const known = names.get(here.key);
    if (!known?.has(alias)) await look(call, "prompts/list", here);
    return known?.get(alias);
  };

  const ownerNow = (uri: string, { key, servers }: Here): string | undefined => {
    const [only, ...others] = servers;
    const owner = owners.of(key, uri) ?? (others.length === 0 ? only : appOf(uri, servers));
    return owner !== undefined && servers.includes(owner) ? owner : undefined;
  };

  const appOf = (uri: string, servers: readonly string[]): string | undefined =>
    servers.find((server) => {
      const id = registry.byName(server)?.id;
      const tools = (id !== undefined && registry.catalogue(id)?.tools) || [];
      return tools.some(
        ({ value: { _meta: meta } }) => isObject(meta) && isObject(meta.ui) && meta.ui.resourceUri === uri,
      );
    });

  const ownerOf = async (uri: string, call: FaceCall, here: Here): Promise<string | undefined> => {
    const known = ownerNow(uri, here);
    if (known !== undefined) return known;
    await look(call, "resources/list", here);
    await look(call, "resources/templates/list", here);
    if (uri.startsWith(SKILL)) await look(call, "skills/list", here);
    return ownerNow(uri, here);
  };

  /** Where a request goes that names one thing, and what has to change in it for that. */
  const routeOf = async (
    call: FaceCall,
    here: Here,
  ): Promise<{ readonly server: string; readonly edits: readonly Edit[] } | undefined> => {
    const { method, params = {} } = call.message;
    if (method === "tools/call" || method === "prompts/get") {
      const alias = String(params.name);
      const named = await (method === "tools/call" ? toolOf(alias, here) : promptOf(alias, call, here));
      return (
        named && { server: named.server, edits: [{ path: ["params", "name"], value: JSON.stringify(named.name) }] }
      );
    }
    if (typeof params.taskId === "string") {
      const named = tasks.at(here.key, params.taskId).flatMap((id) => registry.byId(id)?.name ?? []);
      const [only, ...others] = named.filter((server) => here.servers.includes(server));
      return only === undefined || others.length > 0 ? undefined : { server: only, edits: [] };
    }
    const ref = isObject(params.ref) ? params.ref : undefined;
    if (ref?.type === "ref/prompt") {
      const named = await promptOf(String(ref.name), call, here);
      return (
        named && {
          server: named.server,
          edits: [{ path: ["params", "ref", "name"], value: JSON.stringify(named.name) }],
        }
      );
    }
    const server = await ownerOf(String(params.uri ?? ref?.uri), call, here);
    return server === undefined ? undefined : { server, edits: [] };
  };

  const route = async (call: FaceCall, here: Here): Promise<void> => {
    const found = await routeOf(call, here);
    if (found) await here.run(found.server, { ...call, message: edited(call.message, found.edits) });
    else call.agentSide.reply(fault(call, "invalid-params", UNKNOWN));
  };

  const answer = async (call: FaceCall, here: Here): Promise<string | undefined> => {
    const { message } = call;
    if (message.method === "initialize" || message.method === "server/discover") {
      const { frame, opened } = await openAll(call, { ...here, clock });
      if (opened) settled(here.channel, call.revision);
      return frame;
    }
    if (isMergedList(message.method)) {
      return (await listAll(call, here.lists)) ?? fault(call, "invalid-params", WRONG_CURSOR);
    }
    if (message.method === "subscriptions/listen") {
      for (const uri of resourcesOf(message.params)) await ownerOf(uri, call, here);
      return listenAll(call, { ...here, clock, owner: (uri) => ownerNow(uri, here) });
    }
    if (message.method === "logging/setLevel" || message.method === "ping") {
      const wanted = here.servers.map((server) => ({ server, edits: [] }));
      return together(call, await askEach(call, wanted, { ...here, clock }), () => ({ members: [], cacheable: false }));
    }
    await route(call, here);
    return undefined;
  };

  return {
    async start(channel, call) {
      const here = hereOf(channel);
      // Without a server there is nothing behind this face: it looks like any server that is not there.
      if (here.servers.length === 0) return start(channel, call);
      try {
        const frame = await answer(call, here);
        if (frame !== undefined && !call.signal.aborted) call.agentSide.reply(frame);
      } catch (thrown) {
        if (call.signal.aborted && isOf(call.signal.reason, "agent")) return;
        const name = thrown instanceof GatewayError ? thrown.fault : "internal-error";
        call.agentSide.reply(fault(call, name, FAILED));
      }
    },
  };
}

/** Skills consist of resources that may be in no other list. @see SEP-2640 Skills */
const SKILL = "skill://";

function resourcesOf(params: JsonObject | undefined): readonly string[] {
  const uris = isObject(params?.notifications) ? params.notifications.resourceSubscriptions : undefined;
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === "string") : [];
}

function isOf(reason: unknown, by: string): boolean {
  return reason instanceof GatewayError && reason.data?.by === by;
}

function fault({ message, revision }: FaceCall, name: FaultName, detail: string): string {
  const { id, method }: RequestMessage = message;
  return refusalFrame({ id, method, modern: isModern(revision) }, { kind: "fault", name, detail });
}

const UNKNOWN =
  "None of the connected servers has this, or several could. List again and use a name or address from the list, or open the server's own channel.";
const WRONG_CURSOR = "This cursor was not given for this list, or is too old. List from the start.";
const FAILED = "The call could not be put together from the connected servers. Try again.";
