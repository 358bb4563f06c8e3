import { describe, expect, it } from "vitest";
import { inspect } from "../../../src/core/inspect/inspect.ts";
import { redact, SECRET_MASK } from "../../../src/core/inspect/redact.ts";
import type { JsonValue } from "../../../src/core/wire/json.ts";
import { GITHUB_TOKEN, LINK, LINK_KEY, SLACK_TOKEN } from "./samples.ts";

const run = (value: JsonValue, ...wanted: string[]) => redact(value, inspect(value), wanted);

describe("redact", () => {
  it("replaces a secret by a mask and leaves everything else as it was", () => {
    const value = { a: [1, `key ${GITHUB_TOKEN}!`, null], b: { c: "text", d: 1e300 } };
    expect(run(value, "secret")).toEqual({
      value: { a: [1, `key ${SECRET_MASK}!`, null], b: { c: "text", d: 1e300 } },
      replaced: 1,
    });
  });

  it("replaces the same secret where its form does not give it away", () => {
    expect(run({ link: LINK, key: LINK_KEY, glued: `x${LINK_KEY}x` }, "secret").value).toEqual({
      link: `https://files.example/d/T#k=${SECRET_MASK}`,
      key: SECRET_MASK,
      glued: `x${SECRET_MASK}x`,
    });
  });

  it("replaces a short key only in its link", () => {
    expect(run({ link: "https://a.example/#k=K", note: "OK, Karl" }, "secret").value).toEqual({
      link: `https://a.example/#k=${SECRET_MASK}`,
      note: "OK, Karl",
    });
  });

  it("replaces what is wanted by its exact type and nothing else", () => {
    const value = [GITHUB_TOKEN, SLACK_TOKEN, "a\u202eb"];
    expect(run(value, "secret.slack-token").value).toEqual([GITHUB_TOKEN, SECRET_MASK, "a\u202eb"]);
  });

  it("takes hidden text out", () => {
    expect(run({ a: "Weather.\u{e0069}\u{e0067}\u200b\u200b\u200b now" }, "hidden-text").value).toEqual({
      a: "Weather. now",
    });
  });

  it("leaves no secret behind that hidden characters had kept apart", () => {
    const split = `${GITHUB_TOKEN.slice(0, 15)}\u200b${GITHUB_TOKEN.slice(15)}`;
    expect(run([split], "secret", "hidden-text").value).toEqual([SECRET_MASK]);
    expect(run([split], "secret").value).toEqual([SECRET_MASK]);
  });

  it("changes a member name, and never makes two members one", () => {
    const value = { "a\u200b\u200b\u200b": 1, a: 2, "__proto\u202e__": 3 };
    expect(Object.entries(run(value, "hidden-text").value as object)).toEqual([
      ["a (2)", 1],
      ["a", 2],
      ["__proto__ (2)", 3],
    ]);
    expect(run({ [GITHUB_TOKEN]: 1 }, "secret").value).toEqual({ [SECRET_MASK]: 1 });
  });

  it("reaches what a bounded list of findings left out", () => {
    const value = Array.from({ length: 300 }, (_, at) => `https://a.example/#k=key-number-${at}`);
    const { value: clean, replaced } = run(value, "secret");
    expect(inspect(clean)).toEqual([]);
    expect(replaced).toBe(300);
  });

  it("returns the very value when nothing is wanted or found", () => {
    const value = { a: GITHUB_TOKEN };
    expect(run(value).value).toBe(value);
    expect(run(value, "hidden-text").value).toBe(value);
  });
});
