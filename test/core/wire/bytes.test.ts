import fc from "fast-check";
import { expect, it } from "vitest";
import { decodeUtf8, exceedsUtf8, utf8Length } from "../../../src/core/wire/bytes.ts";

it("reads UTF-8", () => {
  expect(decodeUtf8(new TextEncoder().encode("é€😀"))).toBe("é€😀");
});

it.each([
  ["a lone continuation byte", [0x81]],
  ["an overlong form", [0xc0, 0xaf]],
  ["a surrogate", [0xed, 0xa0, 0x80]],
  ["a cut sequence", [0xf0, 0x9f, 0x98]],
])("has no text for %s", (_, bytes) => {
  expect(decodeUtf8(new Uint8Array(bytes))).toBeUndefined();
});

it("keeps a byte-order mark for the scan to refuse", () => {
  expect(decodeUtf8(new Uint8Array([0xef, 0xbb, 0xbf, 0x7b]))).toBe("\ufeff{");
});

it.each(["", "abc", "é", "€", "😀", "aé€😀"])("counts the bytes of %j as the encoder does", (text) => {
  const bytes = new TextEncoder().encode(text).length;
  expect([exceedsUtf8(text, bytes), exceedsUtf8(text, bytes - 1)]).toEqual([false, true]);
});

it("counts the bytes of any text as an encoder does", () => {
  const text = fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: "binary-ascii" }));
  fc.assert(fc.property(text, (one) => utf8Length(one) === new TextEncoder().encode(one).length));
});
