import { describe, expect, it } from "vitest";
import { inspect } from "../../../src/core/inspect/inspect.ts";
import { EXCERPT_CAP, excerpt } from "../../../src/core/recorder/excerpt.ts";
import type { JsonValue } from "../../../src/core/wire/json.ts";
import { GITHUB_TOKEN } from "../inspect/samples.ts";

function make(value: JsonValue, cap?: number) {
  const text = JSON.stringify(value);
  return excerpt({ text, value, findings: inspect(value), ...(cap === undefined ? {} : { cap }) });
}

describe("excerpt", () => {
  it("keeps a short text whole, with the size of what was sent", () => {
    const text = '{"a":"grüße 🎉"}';
    expect(make({ a: "grüße 🎉" })).toEqual({
      text,
      cut: false,
      bytes: Buffer.byteLength(text),
      digest: "",
      findings: [],
    });
  });

  it("masks secrets", () => {
    const kept = make({ a: GITHUB_TOKEN });
    expect(kept.text).toBe('{"a":"ghp_…[masked]"}');
    expect(kept.findings).toMatchObject([{ type: "secret.github-token", path: "/a" }]);
  });

  it("cuts at the cap and never inside a character", () => {
    const kept = make("🎉".repeat(EXCERPT_CAP));
    expect(kept.cut).toBe(true);
    expect(kept.text.length).toBe(EXCERPT_CAP - 1);
    expect(kept.text.isWellFormed()).toBe(true);
  });

  it("frees no part of a secret, wherever the cap falls", () => {
    const value = { a: `key ${GITHUB_TOKEN} and more`, b: "x".repeat(100) };
    for (let cap = 1; cap < 120; cap += 1) {
      const kept = make(value, cap);
      expect(kept.text.length).toBeLessThanOrEqual(cap);
      expect(kept.text).not.toContain(GITHUB_TOKEN.slice(0, 5));
      expect(kept.cut).toBe(true);
    }
  });

  it("keeps no secret in the place of a finding", () => {
    const kept = make({ [GITHUB_TOKEN]: { b: "a\u202eb" } });
    expect(kept.findings.map(({ path }) => path)).toEqual(["/ghp_…[masked]", "/ghp_…[masked]/b"]);
    expect(JSON.stringify(kept)).not.toContain(GITHUB_TOKEN.slice(4));
  });
});
