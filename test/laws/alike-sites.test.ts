import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { looksAlike } from "../../src/core/consent/alike-sites.ts";

const label = fc.oneof(
  fc.stringMatching(/^[a-z0-9]{1,10}$/),
  fc.constantFrom("paypal", "paypa1", "rnail", "mail", "google", "goog1e", "xn--pple-43d", "apple", "com", "co", "uk"),
);
const host = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join("."));

describe("sites' names", () => {
  it("never look like themselves", () => {
    fc.assert(fc.property(host, (one) => !looksAlike(one, one)));
  });

  it("look like one another or not at all", () => {
    fc.assert(fc.property(host, host, (one, other) => looksAlike(one, other) === looksAlike(other, one)));
  });

  it("look alike whichever letter of a long name is swapped, changed or missing", () => {
    const long = fc.stringMatching(/^[a-z]{8,14}$/);
    fc.assert(
      fc.property(long, fc.nat(12), (name, where) => {
        const at = where % (name.length - 1);
        const [before, here, next, after] = [name.slice(0, at), name[at], name[at + 1], name.slice(at + 2)];
        const missing = `${before}${next}${after}`;
        if (missing !== name) expect(looksAlike(`${name}.com`, `${missing}.com`)).toBe(true);
        if (here !== next) expect(looksAlike(`${name}.com`, `${before}${next}${here}${after}.com`)).toBe(true);
      }),
    );
  });

  it("are read without fail, whatever is in them", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        host,
        (one, other) => !looksAlike(one, one) && looksAlike(one, other) !== undefined,
      ),
    );
  });
});
