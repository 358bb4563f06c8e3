import { describe, expect, it } from "vitest";
import { chooseByKey } from "../../../src/ui/shared/list-keys.ts";

const IDS = Array.from({ length: 30 }, (_, index) => `row-${index}`);

describe("choosing a row by key", () => {
  it.each([
    ["ArrowDown", "row-6"],
    ["ArrowUp", "row-4"],
    ["PageDown", "row-15"],
    ["PageUp", "row-0"],
    ["Home", "row-0"],
    ["End", "row-29"],
  ])("%s goes from the sixth row to %s", (key, expected) => {
    expect(chooseByKey(key, IDS, "row-5")).toBe(expected);
  });

  it.each([
    ["ArrowDown", "row-0"],
    ["PageDown", "row-0"],
    ["Home", "row-0"],
    ["ArrowUp", "row-29"],
    ["End", "row-29"],
  ])("%s begins at %s where nothing is chosen", (key, expected) => {
    expect(chooseByKey(key, IDS, undefined)).toBe(expected);
  });

  it("begins anew where the chosen row is gone", () => {
    expect(chooseByKey("ArrowDown", IDS, "filtered-away")).toBe("row-0");
  });

  it("stays at the ends", () => {
    expect(chooseByKey("ArrowUp", IDS, "row-0")).toBe("row-0");
    expect(chooseByKey("ArrowDown", IDS, "row-29")).toBe("row-29");
  });

  it("leaves other keys and empty lists alone", () => {
    expect(chooseByKey("a", IDS, "row-5")).toBeUndefined();
    expect(chooseByKey("ArrowDown", [], undefined)).toBeUndefined();
  });
});
