import { describe, expect, it } from "vitest";
import { inspect, inspectAll, MAX_PER_TYPE } from "../../../src/core/inspect/inspect.ts";
import { GITHUB_TOKEN, LINK } from "./samples.ts";

describe("inspect", () => {
  it("says where a finding is, as a pointer to the string", () => {
    const findings = inspect({ a: [1, { "x/y~z": `key ${GITHUB_TOKEN}` }] });
    expect(findings).toEqual([
      { kind: "secret", type: "secret.github-token", path: "/a/1/x~1y~0z", start: 4, end: 44, confidence: "high" },
    ]);
  });

  it("looks at member names", () => {
    expect(inspect({ a: { [GITHUB_TOKEN]: null } })).toMatchObject([
      { path: `/a/${GITHUB_TOKEN}`, key: true, start: 0 },
    ]);
  });

  it("finds nothing in numbers, literals and empty containers", () => {
    expect(inspect([1, null, true, {}, [], ""])).toEqual([]);
  });

  it("finds in a short string what it finds in a long one", () => {
    const short = inspect(`a ${LINK} \u200e\u200e\u200e`);
    const long = inspect(`a ${LINK} \u200e\u200e\u200e${" and more text".repeat(100)}`);
    expect(short.length).toBeGreaterThan(1);
    expect(long).toEqual(short);
  });

  it("lists a bounded number of each type and says that there are more", () => {
    const findings = inspect(Array.from({ length: 500 }, () => `${LINK} `));
    expect(findings).toHaveLength(MAX_PER_TYPE + 1);
    expect(findings.at(-1)).toMatchObject({ kind: "secret", type: "secret.too-many", path: `/${MAX_PER_TYPE}` });
    expect(inspectAll(Array.from({ length: 500 }, () => LINK))).toHaveLength(500);
  });

  it("is not blinded by a flood of another type", () => {
    const findings = inspect([Array.from({ length: 5_000 }, () => LINK), "a\u202eb", GITHUB_TOKEN]);
    expect(findings.map(({ type }) => type)).toContain("secret.github-token");
    expect(findings.map(({ type }) => type)).toContain("hidden-text.bidi");
  });
});
