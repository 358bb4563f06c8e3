import { describe, expect, it } from "vitest";
import { withoutGap } from "../../../src/ui/dashboard/record-pages.ts";
import { recordsAt } from "../../shots/fixtures-records.ts";

const ALL = recordsAt(0);
const seqs = (entries: typeof ALL) => entries.map((entry) => entry.seq);

describe("the records read so far", () => {
  it("joins older records to the newest page", () => {
    expect(seqs(withoutGap(ALL.slice(0, 10), ALL.slice(10)))).toEqual(seqs(ALL));
  });

  it("shows a record once where pages overlap", () => {
    expect(seqs(withoutGap(ALL.slice(0, 10), ALL.slice(4)))).toEqual(seqs(ALL));
  });

  it("lets older records go where some between were not read, so that no gap looks like a whole chain", () => {
    expect(seqs(withoutGap(ALL.slice(0, 5), ALL.slice(9)))).toEqual(seqs(ALL.slice(0, 5)));
  });

  it("shows nothing where nothing was read", () => {
    expect(withoutGap([], ALL)).toEqual([]);
  });
});
