/**
 * One call of an agent's, from admission to its record: both lines, the one answer, and what is left of it. What admission
 * refuses is counted for each document and recorded once per burst, so that a page cannot fill the record.
 *
 * INVARIANT: every call ends in exactly one outcome and one record, and the agent gets exactly one answer unless it
 * cancelled the call itself.
 */
import { createBursts } from "./bursts.ts";
import type { MutableCall } from "./call.ts";
import type { Questions } from "./elicit/questions.ts";
import { type FaultName, GatewayError } from "./errors.ts";
import type { ChannelOptions } from "./face/channels.ts";
import type { FaceCall } from "./face/face.ts";
import type { KeepAlive } from "./face/keep-alive.ts";
import { refusalFrame } from "./face/refusal.ts";
import { storageFull } from "./journal.ts";
import { isModern } from "./mcp/revision.ts";
import { newCall } from "./new-call.ts";
import type { OpenCalls } from "./open-calls.ts";
import { type Lines, runLine, type Stopped } from "./pipeline/run.ts";
import type { Stop } from "./pipeline/stage.ts";
import type { UsageBook } from "./policy/usage.ts";
import type { Ports } from "./ports.ts";
import type { Evidence } from "./recorder/evidence.ts";
import type { Recorder } from "./recorder/recorder.ts";
import type { Registry } from "./servers/registry.ts";
import type { ServerEntry } from "./servers/server.ts";
import type { Sessions } from "./sessions.ts";

export interface AgentCalls {
  /** Never rejects. */
  start(channel: ChannelOptions, call: FaceCall): Promise<void>;
  /** A frame that did not become a call. */
  rejected(channel: ChannelOptions, name: FaultName, method: string): void;
}

export interface AgentCallsOptions {
  readonly lines: Lines;
  readonly calls: OpenCalls;
  readonly registry: Registry;
  readonly records: Recorder;
  readonly evidence: Evidence;
  readonly usage: UsageBook;
  readonly sessions: Sessions;
  readonly keepAlive: KeepAlive;
  readonly questions: Questions;
  readonly ports: Pick<Ports, "clock" | "randomId">;
}

export function createAgentCalls(options: AgentCallsOptions): AgentCalls {
  const { lines, calls, registry, records, evidence, usage, sessions, keepAlive, questions, ports } = options;
  const { clock } = ports;

  const bursts = createBursts<{ readonly channel: ChannelOptions; readonly method: string }>(
    clock,
    ({ about: { channel, method }, ...burst }) => {
      const serverId = registry.byName(channel.server)?.id ?? "";
      void evidence
        .ofBurst({ ...channel, ...burst, method, serverId, serverName: channel.server })
        .catch(() => undefined);
    },
  );

  return {
    rejected: (channel, name, method) => bursts.count(channel.place.documentId, { channel, method }, name),

    async start(channel, from) {
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
    },
  };
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
