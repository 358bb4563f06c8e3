import { describe, expect, it } from "vitest";
import { knownValues } from "../../../src/core/inspect/known.ts";
import { maskStart } from "../../../src/core/inspect/mask.ts";
import type { JsonValue } from "../../../src/core/wire/json.ts";
import { GITHUB_TOKEN, LINK, LINK_KEY, PRIVATE_KEY, SECRETS } from "./samples.ts";
import { maskAll } from "./whole.ts";

function mask(text: string): string {
  const value = JSON.parse(text) as JsonValue;
  return maskAll(text, value);
}

describe("masking", () => {
  it.each(SECRETS)("keeps at most four characters of a %s", (_type, secret) => {
    const masked = mask(JSON.stringify({ a: `x ${secret} y`, b: [secret] }));
    const shown = secret.slice(0, 4);
    expect(JSON.parse(masked)).toEqual({ a: `x ${shown}…[masked] y`, b: [`${shown}…[masked]`] });
  });

  it("keeps every other character of the text as it was written", () => {
    const text = `{ "n": 12345678901234567890, "e":1e2, "k": "${GITHUB_TOKEN}",\n "u": "\\u0041\\/" }`;
    expect(mask(text)).toBe(text.replace(GITHUB_TOKEN, "ghp_…[masked]"));
  });

  it("masks a secret that is written with escapes", () => {
    const escaped = Array.from(
      GITHUB_TOKEN,
      (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
    ).join("");
    expect(mask(`{"a":"${escaped}"}`)).toBe('{"a":"ghp_…[masked]"}');
    expect(mask(JSON.stringify([PRIVATE_KEY]))).toBe('["----…[masked]"]');
  });

  it("keeps nothing of a short key, and masks a link's key wherever it is repeated", () => {
    expect(mask('{"a":"https://a.example/#k=Zm9vYmFyYmF6cXV4MTIz"}')).toBe(
      '{"a":"https://a.example/#k=Zm9v…[masked]"}',
    );
    expect(mask('{"a":"https://a.example/#k=abc"}')).toBe('{"a":"https://a.example/#k=…[masked]"}');
    expect(mask(JSON.stringify({ a: LINK, [LINK_KEY]: LINK_KEY }))).not.toContain(LINK_KEY.slice(5));
  });

  it("masks a text that is no JSON", () => {
    for (const text of [
      `<b>${GITHUB_TOKEN}</b>`,
      `"${GITHUB_TOKEN}`,
      `"a\\q ${GITHUB_TOKEN}" `,
      `x${GITHUB_TOKEN}"y"${GITHUB_TOKEN}`,
    ]) {
      expect(maskStart(text, knownValues(null, []), Number.POSITIVE_INFINITY)).not.toContain(GITHUB_TOKEN.slice(4));
    }
  });
});
