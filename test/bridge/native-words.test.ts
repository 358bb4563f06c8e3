/** The four words: every bit of the digest's beginning counts, and every field of a proposal does. */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Proposal } from "../../src/bridge/native.ts";
import { fourWords, proposalText } from "../../src/bridge/native-words.ts";

const proposal: Proposal = { name: "files", program: "npx", args: ["a", "b"], cwd: "/home/me", env: ["B", "A"] };

describe("The four words", () => {
  it("are four different words for different bits", () => {
    expect(fourWords("0000000000")).toBe("abbey abbey abbey abbey");
    expect(fourWords("ffffffffff")).toBe("zone zone zone zone");
    const words = fourWords("0123456789abcdef").split(" ");
    expect(words).toHaveLength(4);
  });

  it("come from a list of 1,024 words without doubles", () => {
    const seen = new Set(
      Array.from({ length: 1024 }, (_, index) => fourWords(index.toString(16).padStart(10, "0")).split(" ")[3]),
    );
    expect(seen.size).toBe(1024);
    expect([...seen].every((word) => /^[a-z]{3,11}$/.test(word ?? ""))).toBe(true);
  });

  it("change with every field, and not with the order of variables", () => {
    const words = (one: Proposal) => fourWords(createHash("sha256").update(proposalText(one)).digest("hex"));
    const others: Proposal[] = [
      { ...proposal, name: "file" },
      { ...proposal, program: "npm" },
      { ...proposal, args: ["a b"] },
      { ...proposal, args: ["a", "b", ""] },
      { ...proposal, cwd: "" },
      { ...proposal, env: ["A"] },
    ];
    expect(new Set([proposal, ...others].map(words)).size).toBe(7);
    expect(words({ ...proposal, env: ["A", "B"] })).toBe(words(proposal));
  });
});
