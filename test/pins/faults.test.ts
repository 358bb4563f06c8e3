/** The fault table as agents and servers have learnt it. A change here is a change of the wire. */
import { expect, it } from "vitest";
import { FAULTS } from "../../src/core/errors.ts";

it("keeps the code, the blame and the retry advice of every fault", () => {
  const rows = Object.entries(FAULTS).map(([name, row]) => [name, row.legacy, row.modern, row.blame, row.retry]);
  expect(rows).toEqual([
    ["parse-error", -32700, -32700, "agent", "changed"],
    ["invalid-request", -32600, -32600, "agent", "changed"],
    ["method-not-found", -32601, -32601, "agent", "no"],
    ["invalid-params", -32602, -32602, "agent", "changed"],
    ["internal-error", -32603, -32603, "navra", "later"],
    ["missing-capability", -32021, -32021, "agent", "changed"],
    ["unsupported-version", -32022, -32022, "agent", "changed"],
    ["cancelled", -32001, -31001, "person", "changed"],
    ["too-large", -32002, -31002, "agent", "changed"],
    ["timed-out", -31003, -31003, "server", "check"],
    ["upstream-unreachable", -31004, -31004, "network", "later"],
    ["upstream-broken", -31005, -31005, "server", "check"],
    ["not-sent", -31006, -31006, "navra", "safe"],
    ["unknown", -31007, -31007, "navra", "check"],
    ["busy", -31008, -31008, "agent", "later"],
    ["not-connected", -31009, -31009, "person", "changed"],
    ["denied", -31010, -31010, "person", "no"],
    ["paused", -31011, -31011, "person", "later"],
    ["not-answered", -31012, -31012, "person", "later"],
    ["rate-limited", -31013, -31013, "person", "later"],
    ["withheld", -31014, -31014, "person", "check"],
    ["tool-changed", -31015, -31015, "server", "later"],
    ["era-mismatch", -31016, -31016, "navra", "changed"],
    ["storage-full", -31017, -31017, "navra", "later"],
  ]);
});

it("keeps every code of our own in the range that no revision closes", () => {
  for (const { modern } of Object.values(FAULTS)) {
    const isOurs = modern <= -31001 && modern >= -31099;
    expect(isOurs || [-32700, -32600, -32601, -32602, -32603, -32021, -32022].includes(modern)).toBe(true);
  }
});

it("gives every fault its own modern code", () => {
  const codes = Object.values(FAULTS).map(({ modern }) => modern);
  expect(new Set(codes).size).toBe(codes.length);
});

it("cannot be changed at run time", () => {
  expect(Object.isFrozen(FAULTS)).toBe(true);
  expect(Object.values(FAULTS).every((row) => Object.isFrozen(row))).toBe(true);
});
