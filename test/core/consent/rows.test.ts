/** Rows that an older navra, or a broken disk, left in the tables. */
import { describe, expect, it } from "vitest";
import type { Approval, Grant } from "../../../src/core/consent/approval.ts";
import { createGrants } from "../../../src/core/consent/grants.ts";
import { createApprovalQueue } from "../../../src/core/consent/queue.ts";
import { readApproval, readGrant } from "../../../src/core/consent/rows.ts";
import { USUAL_LIMITS } from "../../../src/core/limits.ts";
import { createFakeClock } from "../../fakes/clock.ts";
import { createFakeTable } from "../../fakes/tables.ts";
import { callApproval, connectApproval, grant, question } from "./sample.ts";

const without = (row: object, ...names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));

describe("a row of a grant", () => {
  it("is taken as it is when it is whole", () => {
    expect(readGrant(grant())).toEqual(grant());
    const values = grant({
      scope: "values",
      args: { fixed: { to: '"ada"' }, names: ["to"] },
      expiresAt: 5,
      usesLeft: 0,
    });
    expect(readGrant(values)).toEqual(values);
  });

  it.each<[string, unknown]>([
    ["without the rules it answers", without(grant(), "rules")],
    ["without a count of uses", without(grant(), "usesLeft", "used")],
    ["without the sources of its session", without(grant(), "sources")],
    ["with an unknown scope", { ...grant(), scope: "always" }],
    ["with values that are no texts", { ...grant(), args: { fixed: { to: 1 }, names: ["to"] } }],
    ["with an end that is no time", { ...grant(), expiresAt: "never" }],
    ["that is no object", "grant"],
    ["that is nothing", null],
  ])("%s is no grant", (_what, row) => {
    expect(readGrant(row)).toBeUndefined();
  });

  it("of an older version answers nothing and is removed, without stopping what is whole", async () => {
    const table = createFakeTable<Grant>();
    const old = { ...without(grant(), "rules", "sources", "used"), id: "old" } as unknown as Grant;
    table.rows.set("old", old);
    table.rows.set("broken", {} as Grant);
    table.rows.set("g1", grant({ tool: "other" }));
    const grants = createGrants(table, createFakeClock());
    await grants.restore();
    expect(grants.list().map(({ id }) => id)).toEqual(["g1"]);
    expect(grants.take(question())).toBeUndefined();
    expect(table.rows.has("old")).toBe(false);
  });
});

describe("a row of a question", () => {
  it("is taken as it is when it is whole", () => {
    expect(readApproval(callApproval("a"))).toEqual(callApproval("a"));
    expect(readApproval(connectApproval("b"))).toEqual(connectApproval("b"));
  });

  it.each(Object.keys(without(callApproval("a"), "live")))("of a call without its %s is no question", (name) => {
    expect(readApproval(without(callApproval("a"), name))).toBeUndefined();
  });

  it("of an older version is not asked again, and is removed", async () => {
    const table = createFakeTable<Approval>();
    const clock = createFakeClock();
    const expiresAt = clock.now() + 1_000;
    table.rows.set("old", without(callApproval("old", { expiresAt }), "origins", "argumentsDigest") as never);
    table.rows.set("new", callApproval("new", { expiresAt }));
    const queue = createApprovalQueue({
      table,
      limits: USUAL_LIMITS,
      clock,
      show: () => undefined,
      late: async () => undefined,
    });
    await queue.restore(await table.all());
    expect(queue.waiting().map(({ id }) => id)).toEqual(["new"]);
    expect([...table.rows.keys()]).toEqual(["new"]);
  });
});
