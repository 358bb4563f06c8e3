/** Rates on the corpora beside the project, as floors: what was once found stays found, what was left alone stays so. */
import { describe, expect, it } from "vitest";
import { inspect } from "../../../src/core/inspect/inspect.ts";
import type { JsonValue } from "../../../src/core/wire/json.ts";
import { sharedData } from "../../shared-data.ts";

interface Row {
  readonly id: string;
  readonly label: string;
  readonly kind: string;
  readonly text?: string;
  readonly parts?: readonly string[];
}

const unicode = sharedData("unicode/dev.jsonl");
const secrets = sharedData("secrets/dev.jsonl");
const toolLists = sharedData("mcp/tool-lists.dev.jsonl");
const injection = sharedData("injection/dev.jsonl");

/** Visible disguises: look-alikes, decoration, padding. Nothing in them is hidden, and nothing here claims them. */
const VISIBLE =
  /^(carriage_return|circled|combining_overlay|far_padding|fullwidth|homoglyph|identifier_spoof|math_alnum|nbsp_padding|regional_indicators|space_padding|zalgo)/;
/** The families of keys that are claimed, by the corpus's names. */
const CLAIMED =
  /^(github-(pat|app-token)|anthropic-api-key|ds-openai|own-(anthropic|pem|pem-escaped|slack-bot|gcp-sa)|private-key|sl-(github|privatekey)|slack-(bot|user|config-refresh|legacy-workspace)-token)$/;

describe.runIf(unicode)("hidden text in the unicode corpus", () => {
  const rows = parse(unicode);
  const reported = (row: Row) => inspect(row.text ?? "").some(({ kind }) => kind === "hidden-text");

  it("reports every attack that hides text", () => {
    const missed = rows.filter((row) => row.label === "attack" && !VISIBLE.test(row.kind) && !reported(row));
    // The eight that are left disguise a name with a look-alike letter; nothing in them is invisible.
    expect(missed.map(({ kind }) => kind)).toEqual(Array(8).fill("trojan_source"));
    expect(missed.filter(({ text }) => /[\u200b-\u200f\u202a-\u202e\u2060-\u2069]/.test(text ?? ""))).toEqual([]);
  });

  it("reports no legitimate use", () => {
    expect(rows.filter((row) => row.label === "benign" && reported(row)).map(({ id }) => id)).toEqual([]);
  });
});

describe.runIf(secrets)("keys in the secrets corpus", () => {
  const rows = parse(secrets).map((row) => ({ ...row, text: (row.parts ?? []).join("") }));
  const reported = (row: Row) => inspect(row.text ?? "").some(({ kind }) => kind === "secret");

  it("finds every key of the forms it claims", () => {
    expect(rows.filter((row) => row.label === "secret" && CLAIMED.test(row.kind) && !reported(row))).toEqual([]);
  });

  it("reports no look-alike, but for keys that are wrong in length or ending only", () => {
    const wrong = rows.filter((row) => row.label === "clean" && reported(row)).map(({ kind }) => kind);
    expect(wrong.filter((kind) => !/^(anthropic-(admin-)?api-key|ds-openai)$/.test(kind))).toEqual([]);
    expect(wrong.length).toBeLessThanOrEqual(6);
  });
});

describe.runIf(toolLists)("the tool lists of public servers", () => {
  it("hold no finding at all", () => {
    const findings = (toolLists ?? "")
      .trim()
      .split("\n")
      .flatMap((line) => inspect(JSON.parse(line) as JsonValue));
    expect(findings).toEqual([]);
  });
});

describe.runIf(injection)("benign texts of the injection corpus", () => {
  it("are reported in at most one of a thousand", () => {
    const rows = parse(injection).filter(({ label }) => label === "benign");
    const reported = rows.filter((row) => inspect(row as unknown as JsonValue).length > 0);
    expect(reported.length).toBeLessThanOrEqual(rows.length / 1000);
  });
});

function parse(text: string | undefined): Row[] {
  return (text ?? "")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);
}
