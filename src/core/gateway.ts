/**
 * The gateway: one composition of all rooms over one set of ports. Every message of every agent and every server takes the
 * lines put together here, whatever the transport; there is no second way in.
 *
 * INVARIANT: every call ends in exactly one outcome and one record, and the agent gets exactly one answer unless it
 * cancelled the call itself.
 */

import { createBursts } from "./bursts.ts";
import type { Call, EventInHand, MutableCall } from "./call.ts";
import type { Approval, GrantScope } from "./consent/approval.ts";
import { type Connector, createConnector } from "./consent/connect.ts";
import { type Connections, createConnections } from "./consent/connections.ts";
import { createGrants, type Grants, LATE_GRANT_MS } from "./consent/grants.ts";
import { createPause, type Pause } from "./consent/pause.ts";
import { type ApprovalQueue, createApprovalQueue } from "./consent/queue.ts";
import { consentStage, keepGrant } from "./consent/stage.ts";
import { type FaultName, GatewayError } from "./errors.ts";
import { admitStage } from "./face/admit.ts";
import { type ChannelOptions, createChannels, type OpenChannel } from "./face/channels.ts";
import { deliverStage } from "./face/deliver.ts";
import type { FaceCall } from "./face/face.ts";
import { refusalFrame } from "./face/refusal.ts";
import { createSessionLabels, type SessionLabels } from "./flow/session-labels.ts";
import { labelStage } from "./flow/stage.ts";
import { redactStage } from "./inspect/redact-stage.ts";
import { inspectStage } from "./inspect/stage.ts";
import { createJournal, storageFull } from "./journal.ts";
import { SERVER_NOTIFICATIONS } from "./mcp/methods.ts";
import { isModern } from "./mcp/revision.ts";
import { resolveStage } from "./mcp/stage.ts";
import { createOpenCalls } from "./open-calls.ts";
import { createPins, type Pins } from "./pins/pins.ts";
import { canonicalDefinition, pinStage } from "./pins/stage.ts";
import { createLedger } from "./pipeline/ledger.ts";
import { EVENT_LINE, REPLY_LINE, REQUEST_LINE } from "./pipeline/order.ts";
import { assemble, runEvent, runLine, type Stopped } from "./pipeline/run.ts";
import { refuse, type Stop } from "./pipeline/stage.ts";
import { decide } from "./policy/decide.ts";
import type { Decision } from "./policy/policy.ts";
import { createRuleBook, type RuleBook } from "./policy/rule-book.ts";
import { decideStage, denial, requestFacts } from "./policy/stage.ts";
import type { JournalEntry, Ports } from "./ports.ts";
import { type Principal, principalKey } from "./principal.ts";
import { outcomeOf, recordOf } from "./recorder/from-call.ts";
import { createRecorder, type Recorder } from "./recorder/recorder.ts";
import { createRegistry, type Registry } from "./servers/registry.ts";
import type { ServerEntry } from "./servers/server.ts";
import { forwardStage } from "./servers/stage.ts";
import { encodeError, encodeResult } from "./wire/encode.ts";
import { faultError } from "./wire/fault.ts";
import { DEFAULT_LIMITS, type Limits } from "./wire/json.ts";
import type { NotificationMessage, RequestMessage } from "./wire/message.ts";

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
  readonly records: Recorder;
  openCalls(): readonly Call[];
  /** Pauses or resumes; pausing ends open calls. */
  setPause(pause: { readonly until: number | null } | null): Promise<void>;
  /** Revokes at once, mid-call too. */
  disconnect(principal: Principal, serverId: string): Promise<void>;
  removeServer(serverId: string): Promise<void>;
  /** Starts the site's session afresh: labels clean, session grants gone; recorded. */
  newTask(principal: Principal): Promise<void>;
}

export function createGateway(ports: Ports, limits: Limits = DEFAULT_LIMITS): Gateway {
  const { clock, randomId, digest, tables, changed } = ports;

  const rules = createRuleBook(tables.rules);
  const connections = createConnections(tables.connections);
  const grants = createGrants(tables.grants, clock);
  const pause = createPause(tables.pause, clock);
  const pins = createPins(tables.pins, clock);
  const labels = createSessionLabels(tables.labels);
  const records = createRecorder({ table: tables.records, digest, clock, changed: () => changed("records") });
  const calls = createOpenCalls((open) => {
    ports.busy(open);
    changed("calls");
  });
  const journal = createJournal({
    table: tables.journal,
    draft: (call) => recordOf(call, { kind: "fault", name: "not-sent", stage: "forward" }, { clock, digest }),
  });

  const queue = createApprovalQueue({
    table: tables.approvals,
    clock,
    show: (waiting) => {
      ports.showApprovals(waiting);
      changed("approvals");
    },
    late: (approval, { scope, tools }) => lateAnswer(approval, scope, tools),
  });

  const registry = createRegistry({
    ports,
    limits,
    unsolicited: (serverId, key, message) => unsolicited(serverId, key, message),
  });
  const connector = createConnector({ registry, connections, pins, queue, clock, randomId, digest });

  const admit = admitStage({ connections, pause });
  const lines = assemble(
    [
      admit,
      resolveStage({ connections, catalogue: registry.catalogue }),
      pinStage({ pins, changed: () => changed("pins") }),
      inspectStage(),
      labelStage(labels),
      decideStage({ policy: rules.compiled, connections, clock }),
      redactStage(),
      consentStage({ queue, grants, clock, randomId, digest, again, waits: journal.admitted }),
      forwardStage({
        registry,
        journal,
        clock,
        event: (call, message) => passEvent(call, message),
        back: (call, message) => answerServer(call, message),
        settled: (call, revision) =>
          channels.settle({ documentId: call.place.documentId, channel: call.channel }, revision),
      }),
      deliverStage(labels),
    ],
    { request: REQUEST_LINE, reply: REPLY_LINE, event: EVENT_LINE },
  );

  const channels = createChannels({
    limits,
    clock,
    connector,
    table: tables.faces,
    start: startCall,
    rejected: (channel, name, method) => bursts.count(channel.place.documentId, { channel, method }, name),
  });

  const bursts = createBursts<{ readonly channel: ChannelOptions; readonly method: string }>(clock, (burst) => {
    void writeBurst(burst).catch(() => undefined);
  });

  /** One agent call, from admission to its record. Never rejects. */
  async function startCall(channel: ChannelOptions, from: FaceCall): Promise<void> {
    const controller = new AbortController();
    const stop = (): void => controller.abort(from.signal.reason);
    from.signal.addEventListener("abort", stop, { once: true });
    const server = registry.byName(channel.server) ?? nowhere(channel.server);
    const call = makeCall(channel, from, { server, signal: controller.signal });
    calls.add(call, (reason) => controller.abort(reason));

    let stopped: Stopped | undefined;
    if (records.full()) stopped = { ...stopOf(storageFull()), stage: "admit" };
    stopped ??= await runLine("request", lines.request, { call, clock });
    stopped ??= await runLine("reply", lines.reply, { call, clock });
    from.signal.removeEventListener("abort", stop);
    calls.remove(call.callId);

    stopped &&= mayHaveHappened(call, stopped);
    if (stopped && !cancelledByAgent(call, stopped)) {
      const { message, revision } = call;
      from.agentSide.reply(
        refusalFrame({ id: message.id, method: message.method, modern: isModern(revision) }, stopped),
      );
    }
    if (stopped?.stage === "admit")
      bursts.count(channel.place.documentId, { channel, method: call.message.method }, stopped.name);
    else void writeRecord(call, stopped).catch(() => undefined);
  }

  function makeCall(
    channel: ChannelOptions,
    from: FaceCall,
    { server, signal }: { readonly server: ServerEntry; readonly signal: AbortSignal },
  ): MutableCall {
    const { message, revision, agent, agentSide } = from;
    return {
      callId: randomId(),
      direction: "out",
      principal: channel.principal,
      principalKey: principalKey(channel.principal),
      place: channel.place,
      channel: channel.channel,
      agent,
      server,
      revision,
      message,
      arrivedAt: clock.now(),
      startedAt: clock.monotonic(),
      signal,
      ledger: createLedger(),
      agentSide,
      request: { text: message.text, value: message.params },
      reply: undefined,
    };
  }

  async function writeRecord(call: MutableCall, stopped: Stopped | undefined): Promise<void> {
    records.write(await recordOf(call, outcomeOf(call, stopped), { clock, digest }));
    await records.flush();
    journal.done(call.callId);
  }

  async function writeBurst(burst: {
    readonly about: { readonly channel: ChannelOptions; readonly method: string };
    readonly name: FaultName;
    readonly count: number;
    readonly at: number;
  }): Promise<void> {
    const { channel, method } = burst.about;
    const server = registry.byName(channel.server);
    records.write({
      callId: randomId(),
      direction: "out",
      at: burst.at,
      ms: 0,
      principal: channel.principal,
      place: channel.place,
      agent: "",
      serverId: server?.id ?? "",
      serverName: channel.server,
      revision: null,
      method: method.slice(0, 256),
      request: { text: "", cut: true, bytes: 0, digest: await digest(""), findings: [] },
      decisions: [],
      stages: [],
      outcome: { kind: "refused", name: burst.name, stage: "admit" },
      count: burst.count,
    });
  }

  /** A server's notification that belongs to an open call. */
  function passEvent(call: MutableCall, message: NotificationMessage): void {
    if (!SERVER_NOTIFICATIONS.has(message.method)) return;
    const event: EventInHand = { method: message.method, payload: { text: message.text, value: message.params } };
    runEvent(lines.event, call, event);
    if (message.method === "notifications/tools/list_changed") relist(call.server.id);
  }

  /** A server's notification outside any call, e.g. a changed list: judged once per channel that may hear it. */
  function unsolicited(serverId: string, key: string, message: NotificationMessage): void {
    if (message.method === "notifications/tools/list_changed") relist(serverId);
    const server = registry.byId(serverId);
    if (!server || !SERVER_NOTIFICATIONS.has(message.method)) return;
    channels.broadcast({ serverName: server.name, principalKey: key }, (channel) => {
      const from: FaceCall = {
        message: { kind: "request", id: "0", method: message.method, params: message.params, text: message.text },
        revision: "2025-11-25",
        agent: "",
        signal: new AbortController().signal,
        agentSide: { reply: () => undefined, event: channel.post },
      };
      const call = makeCall(channel, from, { server, signal: from.signal });
      runEvent(lines.event, call, { method: message.method, payload: { text: message.text, value: message.params } });
    });
  }

  function relist(serverId: string): void {
    registry.refresh(serverId, new AbortController().signal).then(
      () => changed("servers"),
      () => undefined,
    );
  }

  /** A request of the server's: a new call, `back`, with a parent, through the same request line. */
  async function answerServer(parent: MutableCall, message: RequestMessage): Promise<string> {
    if (message.method === "ping") return encodeResult(message.id, "{}");
    const call: MutableCall = {
      ...parent,
      callId: randomId(),
      direction: "back",
      parent: parent.callId,
      message,
      arrivedAt: clock.now(),
      startedAt: clock.monotonic(),
      ledger: createLedger(),
      request: { text: message.text, value: message.params },
      reply: undefined,
    };
    const stopped = await runLine("request", lines.request, { call, clock });
    void writeRecord(call, stopped).catch(() => undefined);
    const detail = "This request from a server to an agent is not supported here.";
    return encodeError(message.id, faultError("method-not-found", isModern(call.revision), detail));
  }

  /** What a wait may have changed: connection, pause, pin, labels, rules. Judged again on fresh facts. */
  function again(call: MutableCall): Stop | Decision {
    const refused = admit.request?.(call);
    if (refused && !(refused instanceof Promise)) return refused;
    const definition = call.ledger.read("definition");
    const pin = definition
      ? pins.quarantined(call.server.id, definition.name)
        ? ("changed" as const)
        : pins.state(call.server.id, definition.name, canonicalDefinition(definition))
      : ("none" as const);
    const earlier = call.ledger.decisions.at(-1);
    const decision = decide(rules.compiled(), {
      ...requestFacts(call, clock),
      labels: labels.of(call.principalKey),
      pin,
    });
    call.ledger.decided(decision);
    if (decision.verdict === "deny") return denial(decision);
    // What was shown would no longer be what policy wants sent.
    return decision.redact.every((kind) => earlier?.redact.includes(kind)) ? decision : RULES_CHANGED;
  }

  /** An approval whose asker had given up: kept for the same digest, once, for a while; a wider scope becomes a grant. */
  async function lateAnswer(
    approval: Approval,
    scope: GrantScope,
    tools: Readonly<Record<string, readonly string[]>>,
  ): Promise<void> {
    if (approval.kind === "connect") {
      for (const [serverId, names] of Object.entries(tools)) {
        if (approval.servers.some(({ id }) => id === serverId))
          await connector.connect(approval.principal, serverId, names);
      }
      changed("connections");
      return;
    }
    const question = {
      principalKey: principalKey(approval.principal),
      serverId: approval.serverId,
      tool: approval.tool,
      pinText: approval.pinText,
      digest: approval.digest,
    };
    if (scope !== "once") return keepGrant({ grants, clock, randomId }, question, scope);
    const now = clock.now();
    await grants.add({ ...question, id: randomId(), scope, createdAt: now, expiresAt: now + LATE_GRANT_MS });
  }

  /** Ends the calls of a worker that died: the record says what is known, and the agent is told when it comes back. */
  async function settleLeft(entry: JournalEntry): Promise<void> {
    const name: FaultName = entry.phase === "sent" ? "unknown" : "not-sent";
    const already = records.recent(500).some(({ callId }) => callId === entry.callId);
    if (!already) records.write({ ...entry.record, outcome: { kind: "fault", name, stage: "forward" } });
    const detail =
      name === "unknown"
        ? "The browser stopped navra while this call was open. It may have happened; look before you try again. Nothing is sent twice by navra."
        : "The browser stopped navra before this call was sent. It is safe to try again.";
    const { revision, method } = entry.record;
    channels.lost(
      entry,
      refusalFrame(
        { id: entry.rpcId, method, modern: revision !== null && isModern(revision) },
        { kind: "fault", name, detail },
      ),
    );
  }

  async function endCalls(match: (call: Call) => boolean, detail: string): Promise<void> {
    calls.end(match, new GatewayError("cancelled", detail, { by: "person" }));
  }

  const gateway: Gateway = {
    async restore() {
      await Promise.all([
        rules.restore(),
        connections.restore(),
        grants.restore(),
        pause.restore(),
        pins.restore(),
        labels.restore(),
        records.restore(),
        registry.restore(),
        channels.restore(),
      ]);
      const left = await tables.journal.all();
      for (const entry of left) await settleLeft(entry);
      if (left.length > 0) {
        await records.flush();
        if (!records.trouble()) for (const entry of left) await tables.journal.remove(entry.callId);
      }
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
    records,
    openCalls: calls.list,
    async setPause(next) {
      await pause.set(next);
      changed("pause");
      if (next)
        await endCalls(() => true, "The person paused navra while this call was open. It may have happened already.");
    },
    async disconnect(principal, serverId) {
      const key = principalKey(principal);
      await connections.remove(principal, serverId);
      await grants.forget({ principalKey: key, serverId });
      const mine = (at: { readonly principal: Principal; readonly server: string }): boolean =>
        principalKey(at.principal) === key && at.server === serverId;
      await endCalls(
        (call) => call.principalKey === key && call.server.id === serverId,
        "The person disconnected this site from the server while this call was open. It may have happened already.",
      );
      await queue.withdraw(
        (approval) => approval.kind === "call" && mine({ principal: approval.principal, server: approval.serverId }),
      );
      changed("connections");
    },
    async removeServer(serverId) {
      await endCalls((call) => call.server.id === serverId, "The person removed this server while this call was open.");
      await connections.forgetServer(serverId);
      await grants.forget({ serverId });
      await pins.forget(serverId);
      await registry.remove(serverId);
      changed("servers");
    },
    async newTask(principal) {
      const key = principalKey(principal);
      await labels.reset(key);
      await grants.endSession(key);
      changed("connections");
    },
  };
  return gateway;
}

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

const RULES_CHANGED: Stop = refuse(
  "denied",
  "The person's policy changed while this call waited for their answer, so it was not sent. It is safe to try again.",
  ["rule"],
);
