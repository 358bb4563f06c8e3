/** The order of the lines, as literals: changing it is changing the security argument. */
import { expect, it } from "vitest";
import { EVENT_LINE, REPLY_LINE, REQUEST_LINE } from "../../src/core/pipeline/order.ts";

it("runs requests, replies and events through these stages in this order", () => {
  expect(REQUEST_LINE).toEqual([
    "admit",
    "resolve",
    "pin",
    "inspect",
    "label",
    "decide",
    "redact",
    "consent",
    "forward",
  ]);
  expect(REPLY_LINE).toEqual(["inspect", "pin", "label", "decide", "redact", "consent", "deliver"]);
  expect(EVENT_LINE).toEqual(["inspect", "decide", "redact", "deliver"]);
});
