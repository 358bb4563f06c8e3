import { describe, expect, it } from "vitest";
import { inspect } from "../../../src/core/inspect/inspect.ts";
import { EXCERPT_CAP, excerpt } from "../../../src/core/recorder/excerpt.ts";
import type { JsonValue } from "../../../src/core/wire/json.ts";
import { GITHUB_TOKEN } from "../inspect/samples.ts";
import { digest } from "./sample.ts";

function make(value: JsonValue, cap?: number) {
  const text = JSON.stringify(value);
  return excerpt(text, value, inspect(value), cap === undefined ? { digest } : { digest, cap });
}

describe("excerpt", () => {
  it("keeps a short text whole, with the digest and size of what was sent", async () => {
    const text = '{"a":"grüße 🎉"}';
    expect(await make({ a: "grüße 🎉" })).toEqual({
      text,
      cut: false,
      bytes: Buffer.byteLength(text),
      digest: await digest(text),
      findings: [],
    });
  });

  it("masks secrets, and digests the text with them", async () => {
    const kept = await make({ a: GITHUB_TOKEN });
    expect(kept.text).toBe('{"a":"ghp_…[masked]"}');
    expect(kept.digest).toBe(await digest(JSON.stringify({ a: GITHUB_TOKEN })));
    expect(kept.findings).toMatchObject([{ type: "secret.github-token", path: "/a" }]);
  });

  it("cuts at the cap and never inside a character", async () => {
    const kept = await make("🎉".repeat(EXCERPT_CAP));
    expect(kept.cut).toBe(true);
    expect(kept.text.length).toBe(EXCERPT_CAP - 1);
    expect(kept.text.isWellFormed()).toBe(true);
  });

  it("frees no part of a secret, wherever the cap falls", async () => {
    const value = { a: `key ${GITHUB_TOKEN} and more`, b: "x".repeat(100) };
    for (let cap = 1; cap < 120; cap += 1) {
      const kept = await make(value, cap);
      expect(kept.text.length).toBeLessThanOrEqual(cap);
      expect(kept.text).not.toContain(GITHUB_TOKEN.slice(0, 5));
      expect(kept.cut).toBe(true);
    }
  });

  it("keeps no secret in the place of a finding", async () => {
    const kept = await make({ [GITHUB_TOKEN]: { b: "a\u202eb" } });
    expect(kept.findings.map(({ path }) => path)).toEqual(["/ghp_…[masked]", "/ghp_…[masked]/b"]);
    expect(JSON.stringify(kept)).not.toContain(GITHUB_TOKEN.slice(4));
  });
});
