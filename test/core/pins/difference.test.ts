import { describe, expect, it } from "vitest";
import { difference } from "../../../src/core/pins/difference.ts";
import { spentMs } from "../../spent.ts";

function shown(before: string, after: string): string[] {
  const mark = { same: " ", add: "+", del: "-" };
  return difference(before, after).map(({ kind, text }) => `${mark[kind]}${text}`);
}

describe("difference", () => {
  it("shows one member to a line and what changed between them", () => {
    expect(shown('{"a":1,"b":[true,{}],"c":"x"}', '{"a":1,"b":[true,{}],"c":"y","d":[]}')).toEqual([
      " {",
      '   "a": 1,',
      '   "b": [',
      "     true,",
      "     {}",
      "   ],",
      '-  "c": "x"',
      '+  "c": "y",',
      '+  "d": []',
      " }",
    ]);
  });

  it("shows numbers as they are written", () => {
    expect(shown("[9007199254740992]", "[9007199254740993]")).toEqual([
      " [",
      "-  9007199254740992",
      "+  9007199254740993",
      " ]",
    ]);
  });

  it("starts a line at each line break of a text, and leaves punctuation in texts alone", () => {
    expect(shown('{"d":"One, {two}:\\nthree \\"x\\""}', '{"d":"One, {two}:\\nfour\\\\nfive"}')).toEqual([
      " {",
      '   "d": "One, {two}:\\n',
      '-    three \\"x\\""',
      '+    four\\\\nfive"',
      " }",
    ]);
  });

  it("shows nothing but sameness for equal texts", () => {
    expect(difference('{"a":[1,2]}', '{"a":[1,2]}').every(({ kind }) => kind === "same")).toBe(true);
    expect(shown('"a"', '"b"')).toEqual(['-"a"', '+"b"']);
  });

  it("shows very large differences as a replacement, quickly", () => {
    const list = (from: number) => JSON.stringify(Array.from({ length: 5_000 }, (_, at) => at + from));
    let lines: ReturnType<typeof difference> = [];
    const spent = spentMs(() => {
      lines = difference(list(0), list(10_000));
    });
    expect(spent).toBeLessThan(2_000);
    expect(lines.filter(({ kind }) => kind === "add")).toHaveLength(5_000);
  });

  it("puts the texts together again from its lines", () => {
    const before = '{"a":[1,2,3],"b":{"c":"x\\ny"},"e":1}';
    const after = '{"a":[1,3],"b":{"c":"x\\nz"},"d":null}';
    const join = (drop: string) =>
      difference(before, after)
        .filter(({ kind }) => kind !== drop)
        .map(({ text }) => text.trim())
        .join("")
        .replaceAll(": ", ":");
    expect(join("add")).toBe(before);
    expect(join("del")).toBe(after);
  });
});
