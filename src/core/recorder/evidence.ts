/**
 * What becomes of a call's ledger: one record, whatever the outcome, and only then the end of its journal entry. While
 * records cannot be written the journal keeps the entry, so that the next worker still knows of the call.
 */
import type { EventInHand, MutableCall } from "../call.ts";
import { type FaultName, GatewayError } from "../errors.ts";
import { inspect } from "../inspect/inspect.ts";
import type { Journal } from "../journal.ts";
import type { Stopped } from "../pipeline/run.ts";
import type { Ports } from "../ports.ts";
import type { Place, Principal } from "../principal.ts";
import type { Outcome } from "./entry.ts";
import { excerpt } from "./excerpt.ts";
import { draftOf, outcomeOf, wholeTexts } from "./from-call.ts";
import type { Recorder } from "./recorder.ts";

/** What is known of frames that never became calls. */
export interface Burst {
  readonly principal: Principal;
  readonly place: Place;
  readonly serverId: string;
  readonly serverName: string;
  readonly method: string;
  readonly name: FaultName;
  readonly count: number;
  readonly at: number;
}

/** A notification that a rule spoke of: what was dropped, or would have been. */
export interface JudgedEvent {
  /** What it came in, or what stands for the agent that listens; only a call is a parent. */
  readonly call: MutableCall;
  readonly within: boolean;
  readonly event: EventInHand;
  readonly stopped: Stopped | undefined;
}

export interface Evidence {
  /** Never rejects. */
  ofCall(call: MutableCall, stopped: Stopped | undefined): Promise<void>;
  /** One record for as many as came in one moment with one reason. */
  ofEvent(judged: JudgedEvent, times: { readonly count: number; readonly at: number }): void;
  ofBurst(burst: Burst): Promise<void>;
  /** What a person did that lowers a guard, such as starting a session afresh. */
  ofAct(principal: Principal, act: string): Promise<void>;
}

/** An act is of a site, not of a document. */
const NOWHERE: Place = { tabId: -1, frameId: -1, documentId: "" };

export interface EvidenceOptions {
  readonly records: Recorder;
  readonly journal: Journal;
  readonly ports: Pick<Ports, "clock" | "digest" | "randomId">;
}

/** As long as a method may be. */
const METHOD_UNITS = 256;

/** What is not known of something that was no call. */
const EMPTY = { ms: 0, agent: "", revision: null, decisions: [], stages: [] } as const;
const EMPTY_TEXT = { text: "", cut: true, bytes: 0, findings: [] } as const;

export function createEvidence({ records, journal, ports }: EvidenceOptions): Evidence {
  const { digest, randomId } = ports;
  /** Recorded, or waiting to be; their journal entries may go once nothing waits for the table. */
  const ended: string[] = [];
  return {
    async ofCall(call, stopped) {
      try {
        records.write(draftOf(call, outcomeOf(call, stopped), ports.clock), wholeTexts(call));
        await records.stored();
        if (pageWentAway(call)) journal.leave(call.callId);
        else ended.push(call.callId);
        if (!records.trouble()) for (const callId of ended.splice(0)) journal.done(callId);
      } catch {
        // The journal keeps what the record could not take.
      }
    },
    ofEvent({ call, within, event, stopped }, { count, at }) {
      const { principal, place, agent, server, revision } = call;
      const { text, value = {} } = event.payload;
      const outcome: Outcome = stopped
        ? { kind: "dropped", name: stopped.name, stage: stopped.stage }
        : { kind: "delivered" };
      records.write(
        {
          ...EMPTY,
          callId: randomId(),
          ...(within ? { parent: call.callId } : {}),
          direction: "event",
          at,
          principal,
          place,
          agent,
          serverId: server.id,
          serverName: server.name,
          revision,
          method: event.method,
          request: excerpt({ text, value, findings: event.findings ?? inspect(value) }),
          decisions: event.decision ? [event.decision] : [],
          outcome,
          count,
        },
        { request: text },
      );
    },
    async ofAct(principal, act) {
      records.write({
        ...EMPTY,
        callId: randomId(),
        direction: "act",
        at: ports.clock.now(),
        principal,
        place: NOWHERE,
        serverId: "",
        serverName: "",
        method: act,
        request: { ...EMPTY_TEXT, digest: await digest("") },
        outcome: { kind: "delivered" },
        count: 1,
      });
    },
    async ofBurst({ principal, place, serverId, serverName, method, name, count, at }) {
      records.write({
        ...EMPTY,
        callId: randomId(),
        direction: "out",
        at,
        principal,
        place,
        serverId,
        serverName,
        method: method.slice(0, METHOD_UNITS),
        request: { ...EMPTY_TEXT, digest: await digest("") },
        outcome: { kind: "refused", name, stage: "admit" },
        count,
      });
    },
  };
}

/** Its answer reached nobody: the journal keeps the entry, so that the next worker can still give one. */
function pageWentAway({ signal }: MutableCall): boolean {
  return signal.reason instanceof GatewayError && signal.reason.data?.by === "page";
}
