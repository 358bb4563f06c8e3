/** What stands in the boxes of a form, as the answer that would be sent. */
import { describe, expect, it } from "vitest";
import { readForm } from "../../../src/core/elicit/form.ts";
import type { JsonObject } from "../../../src/core/wire/json.ts";
import { contentOf, initialBoxes, localMoment, sentMoment } from "../../../src/ui/consent/form-values.ts";

function fields(properties: JsonObject, required: readonly string[] = []) {
  return readForm({ type: "object", properties, required }) ?? [];
}

const NOTHING = { secrets: {}, confirmed: [] };

describe("the boxes of a form", () => {
  it("give the defaults back as they came", () => {
    const defaults = { a: "x y", b: 1.5, c: false, d: ["q"], e: "p" };
    const asked = fields({
      a: { type: "string", default: defaults.a },
      b: { type: "number", default: defaults.b },
      c: { type: "boolean", default: defaults.c },
      d: { type: "array", items: { enum: ["p", "q"] }, default: defaults.d },
      e: { type: "string", enum: ["p"], default: defaults.e },
    });
    expect(contentOf(asked, initialBoxes(asked), NOTHING)).toEqual(defaults);
  });

  it("give nothing for what is empty, and an empty list only where one is required", () => {
    const asked = fields({ a: { type: "string" }, d: { type: "array", items: { enum: ["p"] } } });
    expect(contentOf(asked, initialBoxes(asked), NOTHING)).toEqual({});
    const required = fields({ d: { type: "array", items: { enum: ["p"] } } }, ["d"]);
    expect(contentOf(required, initialBoxes(required), NOTHING)).toEqual({ d: [] });
  });

  it.each([
    ["8", 8],
    [" -1.5 ", -1.5],
    ["1e3", 1_000],
    ["0x10", "0x10"],
    ["eight", "eight"],
    ["1,5", "1,5"],
  ])("read the number %j as %j", (box, value) => {
    expect(contentOf(fields({ n: { type: "number" } }), { n: box }, NOTHING)).toEqual({ n: value });
  });

  it("leave out what is flagged until the person confirms it", () => {
    const asked = fields({ pin: { type: "string" }, room: { type: "string" } });
    const boxes = { pin: "1234", room: "Turing" };
    const secrets = { pin: "code" } as const;
    expect(contentOf(asked, boxes, { secrets, confirmed: [] })).toEqual({ room: "Turing" });
    expect(contentOf(asked, boxes, { secrets, confirmed: ["pin"] })).toEqual(boxes);
  });

  it("hold fields of any name", () => {
    const asked = fields(JSON.parse('{"__proto__":{"type":"string","default":"a"},"constructor":{"type":"string"}}'));
    expect(JSON.stringify(contentOf(asked, initialBoxes(asked), NOTHING))).toBe('{"__proto__":"a"}');
  });
});

describe("a moment", () => {
  it("is picked in local time and sent as the same moment", () => {
    const moment = "2026-12-01T09:00:00.000Z";
    expect(sentMoment(localMoment(moment))).toBe(moment);
    expect(sentMoment(localMoment("2026-12-01T10:00:00+01:00"))).toBe(moment);
  });

  it("is empty where there is none", () => {
    expect(localMoment("tomorrow")).toBe("");
    expect(sentMoment("")).toBe("");
  });
});
