/** Tables in memory that outlive a gateway, so that a test can let one die and start the next over the same rows. */

import type { PrivateTables, RecordTable, Table, Tables } from "../../src/core/ports.ts";
import type { RecordEntry } from "../../src/core/recorder/entry.ts";

export interface FakeTable<Row> extends Table<Row> {
  readonly rows: Map<string, Row>;
  /** While set, every write rejects with it. */
  failure: Error | undefined;
}

export function createFakeTable<Row>(): FakeTable<Row> {
  const rows = new Map<string, Row>();
  const table: FakeTable<Row> = {
    rows,
    failure: undefined,
    all: async () => structuredClone([...rows.values()]),
    async put(key, row) {
      if (table.failure) throw table.failure;
      rows.set(key, structuredClone(row));
    },
    async remove(...keys) {
      if (table.failure) throw table.failure;
      for (const key of keys) rows.delete(key);
    },
  };
  return table;
}

export interface FakeRecordTable extends RecordTable {
  readonly entries: RecordEntry[];
  failure: Error | undefined;
}

export function createFakeRecordTable(): FakeRecordTable {
  const entries: RecordEntry[] = [];
  const table: FakeRecordTable = {
    entries,
    failure: undefined,
    async append(added) {
      if (table.failure) throw table.failure;
      entries.push(...structuredClone(added));
    },
    last: async () => entries.at(-1),
    page: async ({ before = Number.POSITIVE_INFINITY, limit }) =>
      entries
        .filter(({ seq }) => seq < before)
        .reverse()
        .slice(0, limit),
    range: async (from, limit) => entries.filter(({ seq }) => seq >= from).slice(0, limit),
  };
  return table;
}

export type FakeTables = { readonly [Name in Exclude<keyof Tables, "records">]: FakeTable<RowOf<Tables[Name]>> } & {
  readonly records: FakeRecordTable;
};

type RowOf<T> = T extends Table<infer Row> ? Row : never;

export type FakePrivateTables = { readonly [Name in keyof PrivateTables]: FakeTable<RowOf<PrivateTables[Name]>> };

export function createFakePrivateTables(): FakePrivateTables {
  return { labels: createFakeTable(), usage: createFakeTable(), sessions: createFakeTable() };
}

export function createFakeTables(): FakeTables {
  return {
    servers: createFakeTable(),
    catalogues: createFakeTable(),
    connections: createFakeTable(),
    rules: createFakeTable(),
    ruleHistory: createFakeTable(),
    policyHead: createFakeTable(),
    usage: createFakeTable(),
    sessions: createFakeTable(),
    grants: createFakeTable(),
    pins: createFakeTable(),
    approvals: createFakeTable(),
    journal: createFakeTable(),
    labels: createFakeTable(),
    faces: createFakeTable(),
    upstreams: createFakeTable(),
    pause: createFakeTable(),
    refusals: createFakeTable(),
    limits: createFakeTable(),
    continuations: createFakeTable(),
    tasks: createFakeTable(),
    records: createFakeRecordTable(),
  };
}
