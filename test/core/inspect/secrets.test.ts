import { describe, expect, it } from "vitest";
import { inspect } from "../../../src/core/inspect/inspect.ts";
import { spentMs } from "../../spent.ts";
import {
  ANTHROPIC_KEY,
  AWS_ID,
  GITHUB_TOKEN,
  LINK,
  LINK_KEY,
  MODEL_KEY,
  PRIVATE_KEY,
  SECRETS,
  SLACK_TOKEN,
} from "./samples.ts";

function found(text: string): string[] {
  return inspect(text).map(({ type, start, end }) => `${type} ${text.slice(start, end)}`);
}

describe("findSecrets", () => {
  it.each(SECRETS)("finds the whole of a %s, wherever it stands in a text", (type, secret) => {
    for (const text of [secret, `the key: ${secret}.`, `{"a":"${secret}"}`, `a\\n${secret}\\n`, `KEY=${secret}&x=1`]) {
      expect(found(text)).toEqual([`${type} ${secret}`]);
    }
  });

  it("finds several of several kinds in one string", () => {
    expect(found(`${SLACK_TOKEN} ${GITHUB_TOKEN} ${AWS_ID} ${GITHUB_TOKEN}`)).toHaveLength(4);
  });

  it("finds the key in the fragment of a link, however short, and not the link", () => {
    expect(found(LINK)).toEqual([`secret.link-key ${LINK_KEY}`]);
    expect(found("Download link: https://srift.app/d/T#k=K")).toEqual(["secret.link-key K"]);
    expect(found("[x](HTTPS://a.example/#v=2&KEY=abc%3D), then")).toEqual(["secret.link-key abc%3D"]);
    expect(found("https://a.example/#a=1&amp;k=abcdefgh.")).toEqual(["secret.link-key abcdefgh"]);
  });

  it("leaves fragments alone that hold no key, or belong to no link", () => {
    for (const text of [
      "https://a.example/#keys",
      "#k=abc",
      "https://a.example/ #k=abc",
      "https://a.example/?k=abc",
      "https://a.example/#k=",
    ]) {
      expect(found(text)).toEqual([]);
    }
  });

  it("leaves placeholders and look-alikes alone", () => {
    const clean = [
      ["ghp", "x".repeat(36)].join("_"),
      ["AKIA", "X".repeat(16)].join(""),
      ["AKIA", "IOSFODNN7EXAMPLE"].join(""),
      "sk-learn-pipeline-with-some-very-long-name-2024-01",
      "a task-based-approach-to-things-with-a-long-tail-0123",
      "xoxb-your-token",
      "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A\n-----END PUBLIC KEY-----",
      ["-----BEGIN ", "PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----"].join(""),
    ];
    for (const text of clean) expect(found(text)).toEqual([]);
  });

  it("finds a private key whose end was cut off, and one with written line breaks", () => {
    const cut = PRIVATE_KEY.slice(0, PRIVATE_KEY.indexOf("\n-----END"));
    expect(found(`${cut}…`)).toEqual([`secret.private-key ${cut}`]);
    const written = PRIVATE_KEY.replaceAll("\n", "\\n");
    expect(found(`"key":"${written}\\n"`)).toEqual([`secret.private-key ${written}`]);
  });

  it("finds a key with invisible characters in its middle, as one", () => {
    for (const secret of [GITHUB_TOKEN, ANTHROPIC_KEY, MODEL_KEY]) {
      const split = `${secret.slice(0, 20)}\u200b${secret.slice(20)}`;
      expect(found(`see ${split}`)).toContain(`${inspect(secret)[0]?.type} ${split}`);
    }
  });

  it("takes time in proportion to the length of hostile texts", () => {
    const hostile = [
      "sk-",
      "xoxb-",
      "ghp_",
      "#k=",
      "https://a#",
      "-----BEGIN PRIVATE KEY-----",
      "AKIA",
      "\u001b[8;",
      "\u202e",
      "\u200b",
    ];
    for (const piece of hostile) {
      const text = piece.repeat(Math.ceil(400_000 / piece.length));
      expect(
        spentMs(() => inspect(text)),
        piece,
      ).toBeLessThan(2_000);
    }
  });
});
