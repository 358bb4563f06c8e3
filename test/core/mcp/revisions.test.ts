/** A new revision is a new file: what each one added stands there, and nothing else in the core names one. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  LEGACY_REVISIONS,
  MODERN_REVISIONS,
  NEWEST_LEGACY,
  NEWEST_MODERN,
  vocabularyOf,
} from "../../../src/core/mcp/revision.ts";
import { SRC } from "../../tools/sources.ts";

const ALL = [...LEGACY_REVISIONS, ...MODERN_REVISIONS];

describe("the revisions", () => {
  it("are the files of their folder, oldest first", () => {
    const files = readdirSync(join(SRC, "core/mcp/revisions")).map((name) => name.replace(".ts", ""));
    expect(files.filter((name) => name !== "vocabulary").sort()).toEqual([...ALL]);
    expect(NEWEST_LEGACY).toBe(LEGACY_REVISIONS.at(-1));
    expect(NEWEST_MODERN).toBe(MODERN_REVISIONS.at(-1));
  });

  it("are named by no other file of the core", () => {
    const named = readdirSync(join(SRC, "core"), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts") && path !== "mcp/revision.ts" && !path.startsWith("mcp/revisions/"))
      .filter((path) => {
        const text = withoutComments(readFileSync(join(SRC, "core", path), "utf8"));
        return ALL.some((revision) => text.includes(`"${revision}"`));
      });
    expect(named).toEqual([]);
  });

  it.each([
    ["2024-11-05", { batches: true, header: false, structured: "none", notFound: -32002 }],
    ["2025-03-26", { batches: true, header: false, structured: "none", notFound: -32002 }],
    ["2025-06-18", { batches: false, header: true, structured: "object", notFound: -32002 }],
    ["2025-11-25", { batches: false, header: true, structured: "object", notFound: -32002 }],
    ["2026-07-28", { batches: false, header: true, structured: "any", notFound: -32602 }],
  ] as const)("%s has the traits that the protocol gives it", (revision, traits) => {
    const { batches, versionHeader: header, structured, notFound } = vocabularyOf(revision);
    expect({ batches, header, structured, notFound }).toEqual(traits);
  });

  it.each([
    ["initialize", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]],
    ["ping", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]],
    ["logging/setLevel", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]],
    ["resources/subscribe", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]],
    ["server/discover", ["2026-07-28"]],
    ["subscriptions/listen", ["2026-07-28"]],
    ["tasks/get", ["2026-07-28"]],
    ["skills/list", ["2025-11-25", "2026-07-28"]],
    ["tools/call", ALL],
  ])("%s is a request of %j", (method, revisions) => {
    expect(ALL.filter((revision) => vocabularyOf(revision).requests.has(method))).toEqual(revisions);
  });

  it.each([
    ["blocks", "audio", "2025-03-26"],
    ["members", "annotations", "2025-03-26"],
    ["progress", "message", "2025-03-26"],
    ["capabilities", "completions", "2025-03-26"],
    ["blocks", "resource_link", "2025-06-18"],
    ["members", "title", "2025-06-18"],
    ["members", "outputSchema", "2025-06-18"],
    ["elicitation", "form", "2025-06-18"],
    ["elicitation", "url", "2025-11-25"],
    ["members", "icons", "2025-11-25"],
  ] as const)("%s: %s is there from %s on", (kind, word, first) => {
    expect(ALL.find((revision) => vocabularyOf(revision)[kind].has(word))).toBe(first);
    expect(vocabularyOf(NEWEST_MODERN)[kind].has(word)).toBe(true);
  });
});

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
}
