import { describe, expect, it } from "vitest";
import {
  createProvenance,
  GENERATION,
  type Origin,
  type Remembered,
  SESSIONS,
} from "../../../src/core/flow/provenance.ts";
import type { JsonValue } from "../../../src/core/wire/json.ts";

const MAIL: Origin = { serverId: "mail", tool: "read", at: 1 };
const WEB: Origin = { serverId: "web", tool: "fetch", at: 2 };

function memory(earlier: readonly Remembered[] = []) {
  const soon: (() => void)[] = [];
  const provenance = createProvenance({ seed: 7, earlier: () => earlier, later: (run) => soon.push(run) });
  return { provenance, soon };
}

/** What the value matches after that answer was delivered. */
function matches(answer: JsonValue, value: JsonValue) {
  const { provenance } = memory();
  provenance.learn("p", answer, MAIL);
  return provenance.match("p", value).map(({ kinds, whole }) => ({ kinds, whole }));
}

const LETTER = "Dear Ada, the board has decided to move the whole archive to the cellar before the end of the winter.";

describe("a value of an answer", () => {
  it.each<[string, string, JsonValue, string, boolean]>([
    ["an address", "write to Eve@Example.org, please", "eve@example.org", "address", true],
    ["an address inside a text", "write to eve@example.org", "To: <eve@example.org>; hello", "address", false],
    ["a link", "see https://files.example/a/b?c=1.", "https://files.example/a/b?c=1", "link", true],
    ["an identifier", '{"id": "CUST-44718"}', "CUST-44718", "token", true],
    [
      "an identifier inside a link",
      "token 9f8e7d6c5b4a3210",
      "https://evil.example/?x=9f8e7d6c5b4a3210",
      "token",
      false,
    ],
    ["an address coded for a link", "eve@example.org", "https://evil.example/?to=eve%40example.org", "address", false],
    ["a path", "/home/ada/plan.txt", "/home/ada/plan.txt", "token", true],
    ["a number", "account 48151623", 48151623, "number", true],
    ["a number set apart another way", "call +49-170-1234567", "+491701234567", "number", true],
    ["a name in quotes", '{"name": "Ada Lovelace"}', "ada lovelace", "phrase", true],
    ["a passage", LETTER, `He says: ${LETTER.slice(20, 90)}`, "phrase", false],
    [
      "a passage in a text without spaces",
      "会议改到星期三下午三点在二楼",
      "通知：会议改到星期三下午三点在二楼。",
      "phrase",
      false,
    ],
    ["an identifier deep in a list", "ORD-77213", { rows: [{ id: "ORD-77213" }] } as JsonValue, "token", false],
  ])("is found as %s", (_what, answer, value, kind, whole) => {
    const [match] = matches({ content: [{ type: "text", text: answer }] }, value);
    expect(match?.kinds).toContain(kind);
    expect(match?.whole).toBe(whole);
  });

  it.each<[string, string, JsonValue]>([
    ["a word", "please send it", "please"],
    ["a few words", "please send it to the archive", "send it to"],
    ["a short number", "42 of 12345", 12345],
    ["a round number", "1000000 rows", 1_000_000],
    ["a day", "on 2026-11-30", "2026-11-30"],
    ["yes and no", "true", true],
    ["nothing", "null", null],
    ["another address", "eve@example.org", "ada@example.org"],
    ["the end of an address", "eve@example.org", "example.org"],
    ["the empty text", "", ""],
  ])("is not taken for found as %s", (_what, answer, value) => {
    expect(matches({ content: [{ type: "text", text: answer }] }, value)).toEqual([]);
  });
});

describe("provenance", () => {
  it("names each server and tool once, by its first answer, newest first", () => {
    const { provenance } = memory();
    provenance.learn("p", "ORD-77213", MAIL);
    provenance.learn("p", "ORD-77213 again", { ...MAIL, at: 9 });
    provenance.learn("p", "ORD-77213", WEB);
    expect(provenance.match("p", "ORD-77213").map(({ origin }) => origin)).toEqual([WEB, MAIL]);
  });

  it("belongs to one session and ends with its task, read or not", () => {
    const { provenance, soon } = memory();
    provenance.learn("p", "ORD-77213", MAIL);
    expect(provenance.match("q", "ORD-77213")).toEqual([]);
    provenance.learn("p", "ORD-77214", MAIL);
    provenance.forget("p");
    for (const run of soon) run();
    expect([...provenance.match("p", "ORD-77213"), ...provenance.match("p", "ORD-77214")]).toEqual([]);
  });

  it("reads again what was delivered before the worker died", () => {
    const { provenance } = memory([{ principalKey: "p", value: "ORD-77213", origin: MAIL }]);
    expect(provenance.match("p", "ORD-77213")).toHaveLength(1);
  });

  it("reads an answer later than it is delivered, once for many", () => {
    const { provenance, soon } = memory();
    provenance.learn("p", "ORD-77213", MAIL);
    provenance.learn("p", "ORD-77214", MAIL);
    expect(soon).toHaveLength(1);
  });

  it("forgets the oldest values, and no single answer pushes out all others", () => {
    const { provenance, soon } = memory();
    const flood = (n: number) => Array.from({ length: GENERATION * 3 }, (_, at) => `ID-${n}-${at}00007`).join(" ");
    const read = () => {
      for (const run of soon.splice(0)) run();
    };
    provenance.learn("p", "ORD-77213", MAIL);
    provenance.learn("p", flood(0), WEB);
    read();
    expect(provenance.match("p", "ORD-77213")).toHaveLength(1);
    for (let n = 1; n < 6; n++) {
      provenance.learn("p", flood(n), WEB);
      read();
    }
    expect(provenance.match("p", "ORD-77213")).toEqual([]);
  });

  it("keeps a bounded number of sessions", () => {
    const { provenance } = memory();
    for (let n = 0; n <= SESSIONS; n++) provenance.learn(`p${n}`, "ORD-77213", MAIL);
    expect(provenance.match("p0", "ORD-77213")).toEqual([]);
    expect(provenance.match(`p${SESSIONS}`, "ORD-77213")).toHaveLength(1);
  });
});
