/**
 * The servers the person registered: the only ones navra ever reaches. Keeps with each its upstream, its health and its
 * catalogue. A server's id is random and never reused, so that a rule or pin of a removed server can never come to mean
 * another one.
 */
import { toldCapabilities } from "../elicit/who-answers.ts";
import { GatewayError } from "../errors.ts";
import type { GatewayLimits } from "../limits.ts";
import { NO_CAPABILITIES } from "../mcp/client-capabilities.ts";
import type { Revision } from "../mcp/revision.ts";
import type { Ports } from "../ports.ts";
import type { NotificationMessage, RequestMessage } from "../wire/message.ts";
import { hintOf } from "./hint.ts";
import type { Catalogue, Health, QuestionWay, ServerEntry, TransportKind } from "./server.ts";
import { type Caller, createUpstream, type Upstream } from "./upstream.ts";
import { parseServerUrl } from "./url.ts";

export interface ServerDraft {
  readonly name: string;
  readonly url: string;
  readonly trust: ServerEntry["trust"];
  /** On unless it says otherwise. */
  readonly enabled?: boolean;
}

export interface ServerPatch {
  readonly trust?: ServerEntry["trust"];
  readonly enabled?: boolean;
  readonly hideOrigin?: boolean;
  readonly questions?: QuestionWay;
  readonly openToPages?: boolean;
}

export interface Registry {
  restore(): Promise<void>;
  list(): readonly ServerEntry[];
  byId(id: string): ServerEntry | undefined;
  byName(name: string): ServerEntry | undefined;
  /** @throws GatewayError `invalid-params` with a sentence about what is wrong */
  add(draft: ServerDraft): Promise<ServerEntry>;
  update(id: string, patch: ServerPatch): Promise<void>;
  remove(id: string): Promise<void>;
  /** @throws GatewayError `not-connected` for an id that is not registered */
  upstream(id: string): Upstream;
  health(id: string): Health;
  catalogue(id: string): Catalogue | undefined;
  /** Fetches the catalogue and keeps it; on failure health tells why. @throws GatewayError */
  refresh(id: string, signal: AbortSignal): Promise<Catalogue>;
  /** Whether anybody of this principal looks at what this server says by itself. */
  attend(id: string, principalKey: string, attended: boolean): void;
  /** Looks at the catalogue again in the background where it is old: the server may be another one by now. */
  freshen(id: string): void;
  noteFailure(id: string, problem: unknown): void;
  noteOk(id: string, revision: Revision, ms: number): void;
}

export interface RegistryOptions {
  readonly ports: Ports;
  readonly limits: GatewayLimits;
  /** Whether a visible document of the principal has a channel to the server. */
  attended(serverId: string, principalKey: string): boolean;
  /** The server has a new session for these of the principal's callers. */
  begun(serverId: string, principalKey: string, isOf: (caller: Caller) => boolean): void;
  unsolicited(serverId: string, principalKey: string, message: NotificationMessage): void;
  unsolicitedBack(
    serverId: string,
    principalKey: string,
    asked: { readonly message: RequestMessage; readonly ended: AbortSignal },
  ): Promise<string>;
}

export function createRegistry(options: RegistryOptions): Registry {
  const { ports, limits } = options;
  const { clock, tables } = ports;
  const servers = new Map<string, ServerEntry>();
  const upstreams = new Map<string, Upstream>();
  const healths = new Map<string, Health>();
  const catalogues = new Map<string, Catalogue>();
  const freshening = new Set<string>();

  return {
    restore,
    list: () => [...servers.values()],
    byId: (id) => servers.get(id),
    byName: (name) => [...servers.values()].find((server) => server.name === name),
    add,
    update,
    remove,
    upstream,
    health: (id) => healths.get(id) ?? { state: "unknown" },
    catalogue: (id) => catalogues.get(id),
    refresh,
    freshen,
    attend: (id, principalKey, attended) => upstreams.get(id)?.attend(principalKey, attended),
    noteFailure,
    noteOk,
  };

  async function restore(): Promise<void> {
    const [entries, known] = await Promise.all([tables.servers.all(), tables.catalogues.all()]);
    for (const entry of [...entries].sort((a, b) => a.addedAt - b.addedAt)) servers.set(entry.id, entry);
    for (const catalogue of known) if (servers.has(catalogue.serverId)) catalogues.set(catalogue.serverId, catalogue);
  }

  async function add({ name, url, trust, enabled = true }: ServerDraft): Promise<ServerEntry> {
    refuseName(name);
    const entry: ServerEntry = {
      id: ports.randomId(),
      name,
      ...parseServerUrl(url),
      trust,
      enabled,
      addedAt: clock.now(),
    };
    // Taken before the write, so that two drafts with one name cannot both pass.
    servers.set(entry.id, entry);
    try {
      await tables.servers.put(entry.id, entry);
    } catch (problem) {
      servers.delete(entry.id);
      throw problem;
    }
    ports.changed("servers");
    return entry;
  }

  async function update(id: string, patch: ServerPatch): Promise<void> {
    const before = known(id);
    const entry = { ...before, ...patch };
    await tables.servers.put(id, entry);
    servers.set(id, entry);
    if (!entry.enabled) drop(id);
    ports.changed("servers");
  }

  async function remove(id: string): Promise<void> {
    known(id);
    drop(id);
    servers.delete(id);
    healths.delete(id);
    catalogues.delete(id);
    await Promise.all([tables.servers.remove(id), tables.catalogues.remove(id)]);
    ports.changed("servers");
  }

  function upstream(id: string): Upstream {
    const server = known(id);
    const found = upstreams.get(id);
    if (found) return found;
    const unsolicited = (principalKey: string, message: NotificationMessage) =>
      options.unsolicited(id, principalKey, message);
    const made = createUpstream({
      server,
      found: (transport) => void foundTransport(id, transport),
      ports,
      limits,
      ownCapabilities: (revision) =>
        toldCapabilities({ capabilities: NO_CAPABILITIES, server: servers.get(id) ?? server }, revision).text,
      attended: (principalKey) => options.attended(id, principalKey),
      begun: (principalKey, isOf) => options.begun(id, principalKey, isOf),
      unsolicited,
      unsolicitedBack: (principalKey, message, ended) => options.unsolicitedBack(id, principalKey, { message, ended }),
    });
    upstreams.set(id, made);
    return made;
  }

  /** A write that is lost costs finding it out again. */
  async function foundTransport(id: string, transport: TransportKind): Promise<void> {
    const entry = servers.get(id);
    if (!entry || entry.transport === transport) return;
    const next = { ...entry, transport };
    servers.set(id, next);
    await tables.servers.put(id, next).catch(() => undefined);
  }

  async function refresh(id: string, signal: AbortSignal): Promise<Catalogue> {
    const started = clock.monotonic();
    try {
      const catalogue = await upstream(id).catalogue(signal);
      if (servers.has(id)) await keep(catalogue);
      noteOk(id, catalogue.revision, clock.monotonic() - started);
      return catalogue;
    } catch (problem) {
      if (!signal.aborted) noteFailure(id, problem);
      throw problem;
    }
  }

  async function keep(catalogue: Catalogue): Promise<void> {
    catalogues.set(catalogue.serverId, catalogue);
    await tables.catalogues.put(catalogue.serverId, catalogue);
  }

  function noteFailure(id: string, problem: unknown): void {
    const sentence = problem instanceof GatewayError ? problem.message : UNEXPLAINED;
    const hint = hintOf(problem);
    note(id, { state: "failing", at: clock.now(), problem: sentence, ...(hint && { hint }) });
  }

  function freshen(id: string): void {
    const catalogue = catalogues.get(id);
    if (!catalogue || freshening.has(id)) return;
    const age = clock.now() - catalogue.fetchedAt;
    // An age below nothing: the clock was set back.
    if (age >= 0 && age < Math.max(STALE_MS, catalogue.ttlMs ?? 0)) return;
    freshening.add(id);
    // One that fails is not tried with each call.
    clock.after(STALE_MS / 12, () => freshening.delete(id));
    refresh(id, new AbortController().signal).then(
      () => ports.changed("servers"),
      () => undefined,
    );
  }

  function noteOk(id: string, revision: Revision, ms: number): void {
    note(id, { state: "ok", at: clock.now(), revision, ms });
  }

  function note(id: string, health: Health): void {
    if (!servers.has(id)) return;
    const before = healths.get(id);
    healths.set(id, health);
    if (before?.state !== health.state || health.state === "failing") ports.changed("servers");
  }

  function drop(id: string): void {
    upstreams.get(id)?.close();
    upstreams.delete(id);
  }

  function known(id: string): ServerEntry {
    const entry = servers.get(id);
    if (entry) return entry;
    throw new GatewayError("not-connected", "This server is not registered with navra. Add it in the dashboard.");
  }

  function refuseName(name: string): void {
    if (!NAME.test(name)) {
      throw new GatewayError(
        "invalid-params",
        "The name must have 1 to 64 characters: letters, digits, dot, dash, underscore.",
      );
    }
    const taken = [...servers.values()].some((server) => server.name.toLowerCase() === name.toLowerCase());
    if (taken)
      throw new GatewayError("invalid-params", "There is already a server with this name. Choose another one.");
  }
}

/** After this long, or longer where the server says so, what was learnt of it is looked at again. */
const STALE_MS = 60 * 60_000;
const NAME = /^[A-Za-z0-9._-]{1,64}$/;
const UNEXPLAINED = "Something unexpected went wrong with this server. Try again.";
