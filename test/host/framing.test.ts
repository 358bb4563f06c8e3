/** Native-messaging framing: hostile lengths, any way of cutting the bytes, and the limits on both sides. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_TO_BROWSER_BYTES, MAX_TO_HOST_BYTES } from "../../src/bridge/native.ts";
import { createMessageReader, encodeMessage, FramingFault } from "../../src/host/port/framing.ts";

function header(length: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(length);
  return bytes;
}

function reading(limit?: number) {
  const heard: unknown[] = [];
  return { heard, reader: createMessageReader((value) => heard.push(value), limit) };
}

describe("A length prefix", () => {
  it.each([
    ["of 0", 0],
    ["of one byte over the limit", MAX_TO_HOST_BYTES + 1],
    ["of 2^31", 2 ** 31],
    ["of 2^32 − 1", 2 ** 32 - 1],
  ])("%s ends the port before anything of that size is kept", (_, length) => {
    const { reader, heard } = reading();
    expect(() => reader.push(header(length))).toThrow(FramingFault);
    expect(heard).toEqual([]);
  });

  it("of 1 takes one byte, which may be JSON or not", () => {
    const { reader, heard } = reading();
    reader.push(Buffer.concat([header(1), Buffer.from("7")]));
    expect(heard).toEqual([7]);
    expect(() => reader.push(Buffer.concat([header(1), Buffer.from("{")]))).toThrow(FramingFault);
  });

  it("that promises more than ever comes is known to be unfinished", () => {
    const { reader, heard } = reading();
    reader.push(Buffer.concat([header(100), Buffer.from("{}")]));
    expect(reader.partial).toBe(true);
    expect(heard).toEqual([]);
  });
});

describe("Messages", () => {
  it("of 64 MiB pass, the browsers' most", () => {
    const { reader, heard } = reading();
    const text = `"${"a".repeat(MAX_TO_HOST_BYTES - 2)}"`;
    reader.push(header(text.length));
    for (let at = 0; at < text.length; at += 8 * 1024 * 1024) {
      reader.push(Buffer.from(text.slice(at, at + 8 * 1024 * 1024)));
    }
    expect((heard[0] as string).length).toBe(MAX_TO_HOST_BYTES - 2);
    expect(reader.partial).toBe(false);
  });

  it("come out the same however their bytes are cut and merged", () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue(), { maxLength: 8 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
        (values, cuts) => {
          const bytes = Buffer.concat(values.map(encodeMessage));
          const { reader, heard } = reading();
          for (let at = 0; at < bytes.length; ) {
            const take = cuts.next().value as number;
            reader.push(bytes.subarray(at, at + take));
            at += take;
          }
          expect(heard).toEqual(values.map((value) => JSON.parse(JSON.stringify(value))));
          expect(reader.partial).toBe(false);
        },
      ),
    );
  });

  it("of text that is not JSON end the port", () => {
    const { reader } = reading();
    expect(() => reader.push(Buffer.concat([header(5), Buffer.from("hello")]))).toThrow(FramingFault);
  });

  it("for the browser are refused when they are a byte too long for it", () => {
    const most = MAX_TO_BROWSER_BYTES - 2;
    expect(encodeMessage("a".repeat(most)).length).toBe(MAX_TO_BROWSER_BYTES + 4);
    expect(() => encodeMessage("a".repeat(most + 1))).toThrow(FramingFault);
    expect(() => encodeMessage("\u20ac".repeat(most / 2))).toThrow(FramingFault);
  });
});
