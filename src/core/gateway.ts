/**
 * The gateway: one composition of all rooms over one set of ports. Every message of every agent and every server takes the
 * lines put together here, whatever the transport; there is no second way in.
 */
import { type Acts, createActs } from "./acts.ts";
import { createAgentCalls } from "./agent-calls.ts";
import { byWindow } from "./by-window.ts";
import type { Call } from "./call.ts";
import { decideAgain } from "./consent/again.ts";
import { type Connector, createConnector } from "./consent/connect.ts";
import { type Connections, createConnections } from "./consent/connections.ts";
import { createGrants, type Grants } from "./consent/grants.ts";
import { lastApproved } from "./consent/last-approved.ts";
import { answerLate } from "./consent/late.ts";
import { createPause, type Pause } from "./consent/pause.ts";
import { type ApprovalQueue, createApprovalQueue } from "./consent/queue.ts";
import { holdReply } from "./consent/release.ts";
import { createSilence } from "./consent/silence.ts";
import { consentStage } from "./consent/stage.ts";
import { createQuestions } from "./elicit/questions.ts";
import { admitStage } from "./face/admit.ts";
import { createAll } from "./face/all/all.ts";
import { type ChannelOptions, createChannels, type OpenChannel } from "./face/channels.ts";
import { createContinuations } from "./face/continuations.ts";
import { deliverStage } from "./face/deliver.ts";
import { ALL_SERVERS } from "./face/directory-methods.ts";
import { createKeepAlive } from "./face/keep-alive.ts";
import { settleLeft } from "./face/left.ts";
import { createProvenance } from "./flow/provenance.ts";
import { createSessionLabels, type SessionLabels } from "./flow/session-labels.ts";
import { labelStage } from "./flow/stage.ts";
import { redactStage } from "./inspect/redact-stage.ts";
import { inspectStage } from "./inspect/stage.ts";
import { createJournal } from "./journal.ts";
import { createLimitBook, type LimitBook, type SetLimits } from "./limits.ts";
import { isModern, NEWEST_LEGACY } from "./mcp/revision.ts";
import { resolveStage } from "./mcp/stage.ts";
import { createOpenCalls } from "./open-calls.ts";
import { createPins, type Pins } from "./pins/pins.ts";
import { pinStage } from "./pins/stage.ts";
import { EVENT_LINE, REPLY_LINE, REQUEST_LINE } from "./pipeline/order.ts";
import { assemble } from "./pipeline/run.ts";
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
import { createListeners } from "./servers/listeners.ts";
import { createLogLevels } from "./servers/log-levels.ts";
import { createNewerSubscriptions } from "./servers/newer-subscriptions.ts";
import { createPages } from "./servers/pages.ts";
import { createRegistry, type Registry } from "./servers/registry.ts";
import { forwardStage } from "./servers/stage.ts";
import { createTasks } from "./servers/tasks.ts";
import { createSessions, NEW_TASK, SESSION_ENDED, type Sessions } from "./sessions.ts";

export interface Gateway extends Acts {
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
  const connections = createConnections(tables.connections, ({ principal, serverId }, now) => {
    news.changed({ principalKey: principalKey(principal), serverId, ...(now === "gone" && { gone: true }) });
    if (now === "there") listeners.connected(principal, serverId);
  });
  const grants = createGrants(tables.grants, clock);
  const pause = createPause(tables.pause, clock);
  const silence = createSilence(tables.refusals, clock);
  const pins = createPins(tables.pins, clock, (serverId) => news.changed({ serverId }));
  const labels = createSessionLabels(byWindow(tables.labels, ports.privateTables?.labels));
  const usage = createUsageBook({ table: byWindow(tables.usage, ports.privateTables?.usage), clock });
  const sessions = createSessions({
    table: byWindow(tables.sessions, ports.privateTables?.sessions),
    clock,
    sites: ports.sites,
    ended: (principal) => acts.endSession(principal, SESSION_ENDED),
  });
  const records = createRecorder({ table: tables.records, digest, clock, changed: () => changed("records") });
  const provenance = createProvenance({
    seed: Number.parseInt(randomId().slice(0, 8), 16) | 0,
    earlier: () => deliveredIn(records.recent(LOOK_BACK), SESSION_ENDS),
    later: (run) => void clock.after(SOON_MS, run),
  });
  const calls = createOpenCalls(() => {
    stayAwake();
    changed("calls");
  });
  let subscribers = 0;
  /** Calls, and what documents in sight subscribed to: nothing else is worth keeping the worker for. */
  const stayAwake = (): void => {
    let awake = calls.working() + subscribers;
    for (const { place, channel } of calls.subscriptions()) {
      if (channels.seen({ documentId: place.documentId, channel })) awake += 1;
    }
    ports.busy(awake);
  };
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

  /** Whether a site may hear of a server now: connected, and nothing paused. */
  const mayHear = (principal: Principal, serverId: string): boolean =>
    connections.get(principalKey(principal), serverId) !== undefined && pause.of(principal, serverId) === null;
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
    begun: (serverId, key, isOf) => listeners.begun(serverId, key, isOf),
    unsolicited: (serverId, key, message) => inbound.unsolicited(serverId, key, message),
    unsolicitedBack: (serverId, key, asked) => inbound.unsolicitedBack(serverId, key, asked),
  });
  const listeners = createListeners({
    registry,
    channels: () => channels,
    inbound: () => inbound,
    mayHear,
    levels,
    newer,
    ports,
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
        older: listeners.older,
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
    start: (channel, call) => (channel.server === ALL_SERVERS ? all : agentCalls).start(channel, call),
    attention: listeners.attention,
    resumed: listeners.resumed,
    mayHear: listeners.mayHear,
    waiting(now) {
      subscribers = now;
      stayAwake();
    },
    rejected: (channel, name, method) => agentCalls.rejected(channel, name, method),
  });

  const all = createAll({
    ports,
    registry,
    connector,
    tasks,
    start: (channel, call) => agentCalls.start(channel, call),
    settled: ({ place: { documentId }, channel, server }, revision) =>
      channels.settle({ documentId, channel, server }, revision),
  });
  const agentCalls = createAgentCalls({
    lines,
    calls,
    registry,
    records,
    evidence,
    usage,
    sessions,
    keepAlive,
    questions,
    ports,
  });
  const acts = createActs({
    calls,
    channels,
    connections,
    connector,
    evidence,
    grants,
    labels,
    pause,
    pins,
    provenance,
    queue,
    registry,
    usage,
    ports,
  });

  return {
    async restore() {
      const gathered = Promise.all([
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
      // Asked for in one turn with the rest, so that the host can read all tables at once.
      const [entries, approvals] = await Promise.all([
        tables.journal.all(),
        tables.approvals.all(),
        sessions.restore(gathered),
      ]);
      rules.serversChanged();
      await settleLeft({ entries, table: tables.journal, records, channels });
      await queue.restore(approvals);
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
    ...acts,
  };
}

const SESSION_ENDS: ReadonlySet<string> = new Set([NEW_TASK, SESSION_ENDED]);
/** Records that are read again for what a session had been told before this worker began. */
const LOOK_BACK = 500;
/** From an answer's delivery to reading it for what it teaches, in milliseconds. */
const SOON_MS = 30;
