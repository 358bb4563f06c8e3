/**
 * What lies in IndexedDB, as types and as the list of steps that lead there. A step is never edited once it shipped: a
 * change of the schema is a new step at the end, and the database's version is how many there are.
 */
import type { DBSchema, IDBPDatabase } from "idb";
import type { Approval, Connection, Grant } from "../../core/consent/approval.ts";
import type { PauseState } from "../../core/consent/pause.ts";
import type { Refusals } from "../../core/consent/silence.ts";
import type { Labels } from "../../core/flow/labels.ts";
import type { SetLimits } from "../../core/limits.ts";
import type { Pin } from "../../core/pins/pin.ts";
import type { PolicyHead, RuleEvent } from "../../core/policy/history.ts";
import type { Rule } from "../../core/policy/policy.ts";
import type { UsageRow } from "../../core/policy/usage.ts";
import type { Continuation, FaceState, JournalEntry, TaskOwner, UpstreamState } from "../../core/ports.ts";
import type { RecordEntry } from "../../core/recorder/entry.ts";
import type { Catalogue, ServerEntry } from "../../core/servers/server.ts";
import type { SessionRow } from "../../core/sessions.ts";

/** Stores whose rows are found by a text key that lies beside them. */
export interface KeyedRows {
  readonly servers: ServerEntry;
  readonly catalogues: Catalogue;
  readonly connections: Connection;
  readonly rules: Rule;
  readonly ruleHistory: RuleEvent;
  readonly policyHead: PolicyHead;
  readonly usage: UsageRow;
  readonly sessions: SessionRow;
  readonly grants: Grant;
  readonly pins: Pin;
  readonly approvals: Approval;
  readonly journal: JournalEntry;
  readonly labels: { readonly principalKey: string; readonly labels: Labels };
  readonly faces: FaceState;
  readonly upstreams: UpstreamState;
  readonly pause: PauseState;
  readonly refusals: Refusals;
  readonly limits: SetLimits;
  readonly continuations: Continuation;
  readonly tasks: TaskOwner;
}
export type KeyedStore = keyof KeyedRows;

type KeyedSchema = { [Name in KeyedStore]: { key: string; value: KeyedRows[Name] } };
export interface Schema extends DBSchema, KeyedSchema {
  records: { key: number; value: RecordEntry };
}

export type Migration = (database: IDBPDatabase<Schema>) => void;

const FIRST_STORES = [
  "servers",
  "catalogues",
  "connections",
  "rules",
  "grants",
  "pins",
  "approvals",
  "journal",
  "labels",
  "faces",
  "upstreams",
  "pause",
] as const satisfies readonly KeyedStore[];

export const MIGRATIONS: readonly Migration[] = [
  (database) => {
    for (const name of FIRST_STORES) database.createObjectStore(name);
    database.createObjectStore("records", { keyPath: "seq" });
  },
  (database) => {
    database.createObjectStore("refusals");
    for (const name of ["ruleHistory", "policyHead", "usage"] as const) database.createObjectStore(name);
    for (const name of ["continuations", "tasks"] as const) database.createObjectStore(name);
  },
  (database) => {
    database.createObjectStore("sessions");
    database.createObjectStore("limits");
  },
];
