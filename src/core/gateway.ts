/**
 * The gateway: one composition of all rooms over one set of ports. Every message of every agent and every server takes the
 * lines put together here, whatever the transport; there is no second way in.
 *
 * INVARIANT: every call ends in exactly one outcome and one record, and the agent gets exactly one answer unless it
 * cancelled the call itself.
 */

import { createBursts } from "./bursts.ts";
import type { Call, MutableCall } from "./call.ts";
import { decideAgain } from "./consent/again.ts";
import { type Connector, createConnector } from "./consent/connect.ts";
import { type Connections, createConnections } from "./consent/connections.ts";
import { createGrants, type Grants } from "./consent/grants.ts";
import { lastApproved } from "./consent/last-approved.ts";
import { answerLate } from "./consent/late.ts";
import { covers, createPause, EVERYTHING, type Pause, type PauseScope } from "./consent/pause.ts";
import { type ApprovalQueue, createApprovalQueue } from "./consent/queue.ts";
import { holdReply } from "./consent/release.ts";
import { createSilence } from "./consent/silence.ts";
import { consentStage } from "./consent/stage.ts";
import { createQuestions } from "./elicit/questions.ts";
import { GatewayError } from "./errors.ts";
import { admitStage } from "./face/admit.ts";
import { createAll } from "./face/all/all.ts";
import { type ChannelOptions, createChannels, type OpenChannel } from "./face/channels.ts";
import { createContinuations } from "./face/continuations.ts";
import { deliverStage } from "./face/deliver.ts";
import { ALL_SERVERS } from "./face/directory-methods.ts";
import type { FaceCall } from "./face/face.ts";
import { createKeepAlive } from "./face/keep-alive.ts";
import { settleLeft } from "./face/left.ts";
import { refusalFrame } from "./face/refusal.ts";
import { createProvenance } from "./flow/provenance.ts";
import { createSessionLabels, type SessionLabels } from "./flow/session-labels.ts";
import { labelStage } from "./flow/stage.ts";
import { redactStage } from "./inspect/redact-stage.ts";
import { inspectStage } from "./inspect/stage.ts";
import { createJournal, storageFull } from "./journal.ts";
import { createLimitBook, type LimitBook, type SetLimits } from "./limits.ts";
import { isModern, NEWEST_LEGACY } from "./mcp/revision.ts";
import { resolveStage } from "./mcp/stage.ts";
import { newCall } from "./new-call.ts";
import { createOpenCalls } from "./open-calls.ts";
import { createPins, type Pins } from "./pins/pins.ts";
import { pinStage } from "./pins/stage.ts";
import { EVENT_LINE, REPLY_LINE, REQUEST_LINE } from "./pipeline/order.ts";
import { assemble, runLine, type Stopped } from "./pipeline/run.ts";
import type { Stop } from "./pipeline/stage.ts";
import { createRuleHistory } from "./policy/history.ts";
import { createRuleBook, type RuleBook } from "./policy/rule-book.ts";
import { decideStage } from "./policy/stage.ts";
import { createUsageBook, type UsageBook } from "./policy/usage.ts";
import type { Ports } from "./ports.ts";
import { type Principal, principalKey } from "./principal.ts";
import { deliveredIn } from "./recorder/delivered.ts";
import { createEvidence } from "./recorder/evidence.ts";
import { createRecorder, type Recorder } from "./recorder/recorder.ts";
import { createInbound } from "./servers/inbound.ts";
import { createListNews } from "./servers/list-news.ts";
import { createLogLevels } from "./servers/log-levels.ts";
import { createNewerSubscriptions } from "./servers/newer-subscriptions.ts";
import { createOlderSubscriptions } from "./servers/older-subscriptions.ts";
import { createPages } from "./servers/pages.ts";
import { createRegistry, type Registry } from "./servers/registry.ts";
import type { ServerEntry } from "./servers/server.ts";
import { forwardStage } from "./servers/stage.ts";
import { createTasks } from "./servers/tasks.ts";
import { createSessions, NEW_TASK, SESSION_ENDED, type Sessions } from "./sessions.ts";

export interface Gateway {
  /** Reads what outlived the last worker, answers for its calls. Nothing passes before it resolves. */
  restore(): Promise<void>;
  open(channel: ChannelOptions): OpenChannel;
  readonly registry: Registry;
  readonly rules: RuleBook;
  readonly connections: Connections;
  readonly connector: Connector;
  readonly approvals: ApprovalQueue;
  readonly grants: Grants;
  readonly pins: Pins;
  readonly pause: Pause;
  readonly labels: SessionLabels;
  readonly sessions: Sessions;
  /** What each site did lately. */
  readonly usage: Pick<UsageBook, "of">;
  readonly records: Recorder;
  readonly limits: LimitBook;
  openCalls(): readonly Call[];
  /** Pauses or resumes everything, one site or one server; pausing ends its open calls and takes its questions back. */
  setPause(pause: { readonly until: number | null } | null, scope?: PauseScope): Promise<void>;
  /** Ticks exactly these tools; what was ticked before and no longer is ends at once, mid-call too. */
  setTools(principal: Principal, serverId: string, tools: readonly string[]): Promise<void>;
  /** Revokes at once, mid-call too. */
  disconnect(principal: Principal, serverId: string): Promise<void>;
  removeServer(serverId: string): Promise<void>;
  /** Starts the site's session afresh: labels clean, session grants gone; recorded. */
  newTask(principal: Principal): Promise<void>;
}

/** `given`: limits other than the usual ones, which the person may still change. */
export function createGateway(ports: Ports, given: SetLimits = {}): Gateway {
  const { clock, randomId, digest, tables, changed } = ports;

  const limitBook = createLimitBook(tables.limits, given);
  const limits = limitBook.inForce;
  const rules = createRuleBook({
    table: tables.rules,
    heads: tables.policyHead,
    history: createRuleHistory({ table: tables.ruleHistory, clock, randomId }),
    servers: () => registry.list(),
    changed: () => news.changed(),
  });
  const connections = createConnections(tables.connections, ({ principal, serverId }) =>
    news.changed({ principalKey: principalKey(principal), serverId }),
  );
  const grants = createGrants(tables.grants, clock);
  const pause = createPause(tables.pause, clock);
  const silence = createSilence(tables.refusals, clock);
  const pins = createPins(tables.pins, clock, (serverId) => news.changed({ serverId }));
  const labels = createSessionLabels(tables.labels);
  const usage = createUsageBook({ table: tables.usage, clock });
  const sessions = createSessions({
    table: tables.sessions,
    clock,
    sites: ports.sites,
    ended: (principal) => endSession(principal, SESSION_ENDED),
  });
  const records = createRecorder({ table: tables.records, digest, clock, changed: () => changed("records") });
  const provenance = createProvenance({
    seed: Number.parseInt(randomId().slice(0, 8), 16) | 0,
    earlier: () => deliveredIn(records.recent(LOOK_BACK), SESSION_ENDS),
    later: (run) => void clock.after(SOON_MS, run),
  });
  const life = { calls: 0, subscribers: 0 };
  const calls = createOpenCalls((open) => {
    life.calls = open;
    ports.busy(life.calls + life.subscribers);
    changed("calls");
  });
  const continuations = createContinuations(ports);
  const tasks = createTasks(ports);
  const journal = createJournal({ table: tables.journal, ports });

  const queue = createApprovalQueue({
    table: tables.approvals,
    limits,
    clock,
    show: (waiting) => {
      ports.showApprovals(waiting);
      changed("approvals");
    },
    late: answerLate({ grants, connector: () => connector, ports }),
  });

  const news = createListNews({
    channels: () => channels,
    calls,
    servers: () => registry.list(),
    mayHear,
    clock,
  });
  const evidence = createEvidence({ records, journal, ports });
  const levels = createLogLevels();
  const pages = createPages(clock);
  const newer = createNewerSubscriptions(clock);
  const keepAlive = createKeepAlive(clock);
  const older = createOlderSubscriptions({
    upstream: (serverId) => (registry.byId(serverId) ? registry.upstream(serverId) : undefined),
    mayHear: ({ serverId, principalKey: key }) =>
      channels
        .listening({ serverName: registry.byId(serverId)?.name ?? "", principalKey: key })
        .some(({ options, revision }) => !isModern(revision) && mayHear(options.principal, serverId)),
    heard: ({ serverId, principalKey: key }, message) => inbound.unsolicited(serverId, key, message),
    ports,
  });
  const inbound = createInbound({
    lines: () => lines,
    channels: () => channels,
    registry: () => registry,
    mayHear,
    completes: (serverId, message) => questions.completes(serverId, message),
    evidence,
    news,
    calls,
    levels,
    pages,
    newer,
    keepAlive,
    ports,
  });
  const registry = createRegistry({
    ports: {
      ...ports,
      changed(topic) {
        if (topic === "servers") rules.serversChanged();
        changed(topic);
      },
    },
    limits,
    attended(serverId, key) {
      const server = registry.byId(serverId);
      return server !== undefined && channels.attended({ serverName: server.name, principalKey: key });
    },
    unsolicited: (serverId, key, message) => inbound.unsolicited(serverId, key, message),
    unsolicitedBack: (serverId, key, asked) => inbound.unsolicitedBack(serverId, key, asked),
  });
  const connector = createConnector({ registry, connections, pins, queue, silence, clock, randomId, digest });

  const admit = admitStage({ connections, pause });
  const again = decideAgain({ admit, pins, labels, policy: rules.compiled, usage, clock });
  const questions = createQuestions({
    queue,
    calls,
    ports,
    stateless: (serverId) => isModern(registry.catalogue(serverId)?.revision ?? NEWEST_LEGACY),
    again,
  });
  const lines = assemble(
    [
      admit,
      resolveStage({ connections, catalogue: registry.catalogue, continuations, tasks }),
      pinStage({ pins, catalogue: registry.catalogue, changed: () => changed("pins") }),
      inspectStage(),
      labelStage(labels),
      decideStage({ policy: rules.compiled, connections, usage, clock }),
      redactStage(),
      consentStage({
        queue,
        limits,
        grants,
        clock,
        randomId,
        digest,
        waits: journal.waits,
        serverOf: registry.byId,
        provenance,
        lastApproved: lastApproved(records),
        question: questions.ask,
        hold: holdReply({ queue, limits, policy: rules.compiled, clock, randomId, digest }),
        again,
      }),
      forwardStage({
        registry,
        journal,
        clock,
        calls,
        event: inbound.event,
        back: inbound.back,
        embedded: inbound.embedded,
        stillWanted: inbound.stillWanted,
        subscribed: inbound.subscribed,
        followed: ({ place: { documentId }, channel, server, message: { method, params } }) =>
          channels.follow(
            { documentId, channel, server: server.name },
            { uri: String(params?.uri), wanted: method === "resources/subscribe" },
          ),
        levels,
        pages,
        older,
        newer,
        continuations,
        tasks,
        labels,
        pins,
        settled: (call, revision) =>
          channels.settle(
            { documentId: call.place.documentId, channel: call.channel, server: call.server.name },
            revision,
          ),
      }),
      deliverStage(labels, provenance),
    ],
    { request: REQUEST_LINE, reply: REPLY_LINE, event: EVENT_LINE },
  );

  const channels = createChannels({
    limits,
    ports,
    connector,
    table: tables.faces,
    start: (channel, call) => (channel.server === ALL_SERVERS ? all.start(channel, call) : startCall(channel, call)),
    attention({ server: name, principal }, attended) {
      const key = principalKey(principal);
      for (const server of serversOf(name)) {
        const still = attended || channels.attended({ serverName: server.name, principalKey: key });
        if (still && !mayHear(principal, server.id)) continue;
        registry.attend(server.id, key, still);
        if (still) listenFor(server, principal);
        else older.rest({ serverId: server.id, principalKey: key });
      }
    },
    mayHear: ({ server: name, principal }) => serversOf(name).some(({ id }) => mayHear(principal, id)),
    waiting(subscribers) {
      if (life.subscribers === subscribers) return;
      life.subscribers = subscribers;
      ports.busy(life.calls + life.subscribers);
    },
    resumed({ options: { server: name, principal }, revision, capabilities }) {
      for (const server of serversOf(name)) {
        if (!server.enabled || !mayHear(principal, server.id)) continue;
        if (listenFor(server, principal)) continue;
        const caller = { principalKey: principalKey(principal), revision, capabilities: capabilities.text };
        registry.upstream(server.id).stand(caller);
      }
    },
    rejected: (channel, name, method) => bursts.count(channel.place.documentId, { channel, method }, name),
  });

  const all = createAll({
    ports,
    registry,
    connector,
    tasks,
    start: startCall,
    settled: ({ place: { documentId }, channel, server }, revision) =>
      channels.settle({ documentId, channel, server }, revision),
  });
  /** Sessions of older agents hear of a newer server by one request of navra's; says whether it is such a server. */
  const listenFor = (server: ServerEntry, principal: Principal): boolean => {
    const revision = registry.catalogue(server.id)?.revision;
    if (revision === undefined || !isModern(revision)) return false;
    const listener = { serverId: server.id, principalKey: principalKey(principal) };
    const { name: serverName } = server;
    const sessions = channels.listening({ serverName, principalKey: listener.principalKey });
    if (sessions.every((one) => isModern(one.revision))) return true;
    void older.follow(listener, inbound.subscribed({ server, principalKey: listener.principalKey }));
    return true;
  };
  const serversOf = (name: string): readonly ServerEntry[] =>
    name === ALL_SERVERS ? registry.list() : registry.list().filter((server) => server.name === name);

  const bursts = createBursts<{ readonly channel: ChannelOptions; readonly method: string }>(
    clock,
    ({ about: { channel, method }, ...burst }) => {
      const serverId = registry.byName(channel.server)?.id ?? "";
      void evidence
        .ofBurst({ ...channel, ...burst, method, serverId, serverName: channel.server })
        .catch(() => undefined);
    },
  );

  /** One agent call, from admission to its record. Never rejects. */
  async function startCall(channel: ChannelOptions, from: FaceCall): Promise<void> {
    const controller = new AbortController();
    const stop = (): void => controller.abort(from.signal.reason);
    from.signal.addEventListener("abort", stop, { once: true });
    const server = registry.byName(channel.server) ?? nowhere(channel.server);
    const { principal, place } = channel;
    const call = newCall(
      { ...from, principal, place, channel: channel.channel, server, signal: controller.signal },
      ports,
    );
    sessions.touch(principal);
    calls.add(call, (reason) => controller.abort(reason));
    const relax = keepAlive.watch(call);

    let stopped: Stopped | undefined;
    if (records.full()) stopped = { ...stopOf(storageFull()), stage: "admit" };
    stopped ??= await runLine("request", lines.request, { call, clock });
    if (stopped?.kind === "refused") usage.refused(call.principalKey, call.callId);
    stopped ??= await runLine("reply", lines.reply, { call, clock });
    from.signal.removeEventListener("abort", stop);
    calls.remove(call.callId);
    relax();
    questions.over(call.callId);

    stopped &&= mayHaveHappened(call, stopped);
    if (stopped && !cancelledByAgent(call, stopped)) {
      const { message, revision } = call;
      from.agentSide.reply(
        refusalFrame({ id: message.id, method: message.method, modern: isModern(revision) }, stopped),
      );
    }
    if (stopped?.stage === "admit")
      bursts.count(channel.place.documentId, { channel, method: call.message.method }, stopped.name);
    else void evidence.ofCall(call, stopped);
  }

  /** Whether a site may hear of a server now: connected, and nothing paused. */
  function mayHear(principal: Principal, serverId: string): boolean {
    return connections.get(principalKey(principal), serverId) !== undefined && pause.of(principal, serverId) === null;
  }

  function endCalls(match: (call: Call) => boolean, detail: string): void {
    calls.end(match, new GatewayError("cancelled", detail, { by: "person" }));
  }

  async function endSession(principal: Principal, act: string): Promise<void> {
    const key = principalKey(principal);
    provenance.forget(key);
    await Promise.all([labels.reset(key), usage.forget(key), grants.endSession(key)]);
    await evidence.ofAct(principal, act);
    changed("connections");
  }

  const gateway: Gateway = {
    async restore() {
      await Promise.all([
        limitBook.restore(),
        rules.restore(),
        connections.restore(),
        grants.restore(),
        pause.restore(),
        silence.restore(),
        pins.restore(),
        labels.restore(),
        usage.restore(),
        records.restore(),
        registry.restore(),
        channels.restore(),
        continuations.restore(),
        tasks.restore(),
      ]);
      await sessions.restore();
      rules.serversChanged();
      await settleLeft({ table: tables.journal, records, channels });
      await queue.restore();
    },
    open: (channel) => channels.open(channel),
    registry,
    rules,
    connections,
    connector,
    approvals: queue,
    grants,
    pins,
    pause,
    labels,
    sessions,
    usage,
    records,
    limits: limitBook,
    openCalls: calls.list,
    async setPause(next, scope = EVERYTHING) {
      // It holds at once; that it could be written down is waited for last.
      const stored = pause.set(next, scope);
      channels.recount();
      changed("pause");
      if (next?.until) clock.after(Math.max(0, next.until - clock.now()), () => changed("pause"));
      if (next) {
        endCalls(
          (call) => covers(scope, call.principal, call.server.id),
          "The person paused navra while this call was open. It may have happened already. Tell them, and do not retry until they say so.",
        );
        await queue.withdraw(
          (approval) => approval.kind === "call" && covers(scope, approval.principal, approval.serverId),
        );
      }
      await stored;
    },
    async setTools(principal, serverId, tools) {
      const key = principalKey(principal);
      await connector.connect(principal, serverId, tools);
      endCalls((call) => {
        const tool = call.ledger.read("action")?.tool;
        return call.principalKey === key && call.server.id === serverId && tool !== undefined && !tools.includes(tool);
      }, "The person took this tool from the site while this call was open. It may have happened already. Do not retry it; ask them what they want instead.");
      await queue.withdraw(
        (approval) =>
          approval.kind === "call" &&
          principalKey(approval.principal) === key &&
          approval.serverId === serverId &&
          !tools.includes(approval.tool),
      );
      changed("connections");
    },
    async disconnect(principal, serverId) {
      const key = principalKey(principal);
      const removed = connections.remove(principal, serverId);
      channels.recount();
      const mine = (at: { readonly principal: Principal; readonly server: string }): boolean =>
        principalKey(at.principal) === key && at.server === serverId;
      endCalls(
        (call) => call.principalKey === key && call.server.id === serverId,
        "The person disconnected this site from the server while this call was open. It may have happened already. Do not retry it; ask them what they want instead.",
      );
      // A moment later: the server is first told of the calls that ended.
      clock.after(LEAVE_MS, () => {
        if (registry.byId(serverId) && !connections.get(key, serverId)) registry.upstream(serverId).close(key);
      });
      await removed;
      await grants.forget({ principalKey: key, serverId });
      await queue.withdraw(
        (approval) => approval.kind === "call" && mine({ principal: approval.principal, server: approval.serverId }),
      );
      changed("connections");
    },
    async removeServer(serverId) {
      endCalls(
        (call) => call.server.id === serverId,
        "The person removed this server while this call was open. It may have happened already. Do not retry it; ask them what they want instead.",
      );
      await connections.forgetServer(serverId);
      await grants.forget({ serverId });
      await pins.forget(serverId);
      await pause.forgetServer(serverId);
      await queue.withdraw((approval) => approval.kind === "call" && approval.serverId === serverId);
      await registry.remove(serverId);
      changed("servers");
    },
    async newTask(principal) {
      await endSession(principal, NEW_TASK);
    },
  };
  return gateway;
}

const SESSION_ENDS: ReadonlySet<string> = new Set([NEW_TASK, SESSION_ENDED]);
/** Records that are read again for what a session had been told before this worker began. */
const LOOK_BACK = 500;
/** From an answer's delivery to reading it for what it teaches, in milliseconds. */
const SOON_MS = 30;
/** From a site's disconnection to the end of its sessions with the server, in milliseconds. */
const LEAVE_MS = 250;

function nowhere(name: string): ServerEntry {
  return { id: "", name, url: "", transport: "pair", trust: "untrusted", enabled: false, addedAt: 0 };
}

function stopOf(error: GatewayError): Stop {
  return { kind: "refused", name: error.fault, detail: error.message };
}

/** A connection that failed after the send: nobody knows whether the server acted, so a retry needs a look first. */
function mayHaveHappened(call: MutableCall, stopped: Stopped): Stopped {
  if (stopped.name !== "upstream-unreachable" || call.ledger.read("sentAt") === undefined) return stopped;
  return { ...stopped, data: { ...stopped.data, retry: "check" } };
}

/** An agent that cancelled its own call wants no answer to it; everyone else gets one. */
function cancelledByAgent(call: MutableCall, stopped: Stopped): boolean {
  const { reason } = call.signal;
  return stopped.name === "cancelled" && reason instanceof GatewayError && reason.data?.by === "agent";
}
