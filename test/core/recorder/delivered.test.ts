import { describe, expect, it } from "vitest";
import { principalKey } from "../../../src/core/principal.ts";
import { deliveredIn } from "../../../src/core/recorder/delivered.ts";
import type { RecordEntry } from "../../../src/core/recorder/entry.ts";
import { SITE } from "../../fakes/gateway.ts";

const OTHER = { ...SITE, origin: "https://other.example" };
const entry = (at: number, more: Partial<RecordEntry> = {}): RecordEntry =>
  ({
    at,
    principal: SITE,
    serverId: "s1",
    tool: "read",
    method: "tools/call",
    direction: "out",
    reply: { text: `{"result":{"n":${at}}}` },
    outcome: { kind: "answered", error: false },
    ...more,
  }) as unknown as RecordEntry;
const act = (at: number, method: string) => entry(at, { direction: "act", method });
const times = (...entries: readonly RecordEntry[]) =>
  deliveredIn(entries, new Set(["begin", "ended"])).map(({ origin }) => origin.at);

describe("what was delivered before", () => {
  it("is what answered calls brought, oldest first, with the tool and the time", () => {
    expect(deliveredIn([entry(2), entry(1)], new Set())).toEqual([
      { principalKey: principalKey(SITE), value: { n: 1 }, origin: { serverId: "s1", tool: "read", at: 1 } },
      { principalKey: principalKey(SITE), value: { n: 2 }, origin: { serverId: "s1", tool: "read", at: 2 } },
    ]);
  });

  it("ends where the site's session began, and no other site's", () => {
    expect(times(entry(5), act(4, "begin"), entry(3), entry(2, { principal: OTHER }))).toEqual([2, 5]);
    expect(times(entry(5), act(4, "ended"), entry(3))).toEqual([5]);
    expect(times(entry(5, { method: "begin" }), entry(3))).toEqual([3, 5]);
  });

  it("is nothing of calls that brought nothing to the agent", () => {
    const withheld = entry(1, { outcome: { kind: "fault", name: "withheld", stage: "decide" } });
    expect(times(withheld, entry(2, { direction: "back" }))).toEqual([]);
  });

  it("is read as it stands where it was cut", () => {
    const cut = entry(1, { reply: { text: '{"result":{"content":[{"text":"ORD-772' } as never });
    expect(deliveredIn([cut], new Set())[0]?.value).toContain("ORD-772");
  });
});
