import { describe, expect, it } from "vitest";
import { CLEAN, type Labels } from "../../../src/core/flow/labels.ts";
import { createSessionLabels } from "../../../src/core/flow/session-labels.ts";
import type { Tables } from "../../../src/core/ports.ts";

const UNTRUSTED: Labels = { integrity: "untrusted", confidentiality: "public", sources: ["s1"] };
const SECRET: Labels = { integrity: "trusted", confidentiality: "secret", sources: ["s2"] };

type Row = { readonly principalKey: string; readonly labels: Labels };

class FakeTable {
  readonly rows = new Map<string, Row>();
  puts = 0;
  failing = false;
  /** What the next put waits for. */
  gate: Promise<void> | undefined;

  async all(): Promise<readonly Row[]> {
    return [...this.rows.values()];
  }
  async put(key: string, row: Row): Promise<void> {
    this.puts++;
    const { gate } = this;
    this.gate = undefined;
    await gate;
    if (this.failing) throw new Error("full");
    this.rows.set(key, row);
  }
  async remove(key: string): Promise<void> {
    if (this.failing) throw new Error("full");
    this.rows.delete(key);
  }
}

function sessions(table = new FakeTable()) {
  const port: Tables["labels"] = table;
  return { table, labels: createSessionLabels(port), settled: () => new Promise((done) => setImmediate(done)) };
}

describe("labels of a session", () => {
  it("begin clean", () => {
    expect(sessions().labels.of("p")).toEqual(CLEAN);
  });

  it("rise and never sink", () => {
    const { labels } = sessions();
    labels.raise("p", UNTRUSTED);
    labels.raise("p", SECRET);
    labels.raise("p", CLEAN);
    expect(labels.of("p")).toEqual({ integrity: "untrusted", confidentiality: "secret", sources: ["s1", "s2"] });
  });

  it("belong to one principal", () => {
    const { labels } = sessions();
    labels.raise("p", UNTRUSTED);
    expect(labels.of("q")).toEqual(CLEAN);
  });

  it("survive the worker", async () => {
    const { labels, table, settled } = sessions();
    labels.raise("p", UNTRUSTED);
    await settled();
    const next = createSessionLabels(table);
    await next.restore();
    expect(next.of("p")).toEqual(UNTRUSTED);
  });

  it("raised before the restore stay raised", async () => {
    const { table } = sessions();
    table.rows.set("p", { principalKey: "p", labels: SECRET });
    const next = createSessionLabels(table);
    next.raise("p", UNTRUSTED);
    await next.restore();
    expect(next.of("p")).toEqual({ integrity: "untrusted", confidentiality: "secret", sources: ["s1", "s2"] });
  });

  it("are the highest where the stored row is damaged", async () => {
    const { labels, table } = sessions();
    table.rows.set("p", { principalKey: "p", labels: { integrity: "fine" } as unknown as Labels });
    await labels.restore();
    expect(labels.of("p")).toMatchObject({ integrity: "untrusted", confidentiality: "secret" });
  });

  it("are written only when they rise", async () => {
    const { labels, table, settled } = sessions();
    for (let i = 0; i < 5; i++) labels.raise("p", UNTRUSTED);
    await settled();
    expect(table.puts).toBe(1);
  });

  it("are written with the next raise when writing failed", async () => {
    const { labels, table, settled } = sessions();
    table.failing = true;
    labels.raise("p", UNTRUSTED);
    await settled();
    table.failing = false;
    labels.raise("p", UNTRUSTED);
    await settled();
    expect(table.rows.get("p")?.labels).toEqual(UNTRUSTED);
  });
});

describe("a reset", () => {
  it("makes the session clean at once and in the store", async () => {
    const { labels, table } = sessions();
    labels.raise("p", UNTRUSTED);
    const gone = labels.reset("p");
    expect(labels.of("p")).toEqual(CLEAN);
    await gone;
    expect(table.rows.size).toBe(0);
  });

  it("is not undone by an earlier write, and does not undo a later one", async () => {
    const { labels, table, settled } = sessions();
    let open = (): void => undefined;
    table.gate = new Promise((done) => {
      open = done;
    });
    labels.raise("p", UNTRUSTED);
    const gone = labels.reset("p");
    labels.raise("p", SECRET);
    await settled();
    open();
    await gone;
    await settled();
    expect(table.rows.get("p")?.labels).toEqual(SECRET);
    expect(labels.of("p")).toEqual(SECRET);
  });

  it("before the restore stands", async () => {
    const { table } = sessions();
    table.rows.set("p", { principalKey: "p", labels: SECRET });
    const next = createSessionLabels(table);
    const restored = next.restore();
    const gone = next.reset("p");
    await Promise.all([restored, gone]);
    expect(next.of("p")).toEqual(CLEAN);
  });

  it("that cannot be stored says so", async () => {
    const { labels, table } = sessions();
    table.failing = true;
    await expect(labels.reset("p")).rejects.toThrow();
  });
});
