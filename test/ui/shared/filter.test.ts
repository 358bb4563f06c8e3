import { describe, expect, it } from "vitest";
import { fits, parseFilter } from "../../../src/ui/shared/filter.ts";

const FIELDS = ["server", "tool", "verdict"];
const ROW = { server: "mail", tool: "send_email", verdict: "denied" };
const passes = (input: string) => fits(ROW, parseFilter(input, FIELDS));

describe("the filter of lists", () => {
  it("lets every row pass when nothing is typed", () => {
    expect(passes("   ")).toBe(true);
  });

  it("finds a word in any field, whatever its case", () => {
    expect(passes("SEND_")).toBe(true);
    expect(passes("calendar")).toBe(false);
  });

  it("looks at one field when it is named", () => {
    expect(passes("server:mail")).toBe(true);
    expect(passes("server:email")).toBe(false);
  });

  it("wants every term to hold", () => {
    expect(passes("server:mail verdict:denied")).toBe(true);
    expect(passes("server:mail verdict:allowed")).toBe(false);
  });

  it("turns a term around with a minus", () => {
    expect(passes("-server:mail")).toBe(false);
    expect(passes("-server:files")).toBe(true);
  });

  it("takes a colon after an unknown field as text", () => {
    expect(passes("https://mail")).toBe(false);
    expect(fits({ site: "https://chat.example" }, parseFilter("https://chat", FIELDS))).toBe(true);
  });

  it("never reads the text as a pattern", () => {
    expect(passes("send.email")).toBe(false);
    expect(passes("(")).toBe(false);
  });
});
