/** A server's output as lines: messages pass as they are, everything else is counted, and nothing is kept without bound. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLineReader } from "../../src/host/run/lines.ts";

function reading(limit = 1024 * 1024) {
  const seen = { frames: [] as string[], noise: [] as string[], tooLarge: 0 };
  const reader = createLineReader(
    {
      frame: (text) => seen.frames.push(text),
      noise: (sample) => seen.noise.push(sample),
      tooLarge: () => {
        seen.tooLarge += 1;
      },
    },
    limit,
  );
  return { seen, push: (text: string | Buffer) => reader.push(Buffer.from(text)), end: reader.end };
}

describe("Lines that are messages", () => {
  it.each([
    ["an object", '{"a":1}\n', '{"a":1}'],
    ["a batch", '[{"a":1}]\n', '[{"a":1}]'],
    ["an empty list, which the gateway refuses by its own rules", "[]\n", "[]"],
    ["with white space around and a carriage return", '  {"a" : 1e2}\t\r\n', '{"a" : 1e2}'],
    ["without a line end, when the output is over", '{"a":1}', '{"a":1}'],
  ])("pass: %s", (_, text, frame) => {
    const { seen, push, end } = reading();
    push(text);
    end();
    expect(seen).toEqual({ frames: [frame], noise: [], tooLarge: 0 });
  });

  it("pass whole, however the bytes are cut, also within a character", () => {
    const frames = ['{"text":"€ 😀"}', '{"b":2}', `{"long":"${"x".repeat(300)}"}`];
    const bytes = Buffer.from(frames.map((frame) => `${frame}\nlog line\n`).join(""));
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (cuts) => {
        const { seen, push, end } = reading();
        for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
          const take = cuts[turn % cuts.length] ?? 1;
          push(bytes.subarray(at, at + take));
          at += take;
        }
        end();
        expect(seen.frames).toEqual(frames);
        expect(seen.noise).toHaveLength(3);
      }),
    );
  });

  it("longer than the limit end the run, once, and nothing is reported after", () => {
    const { seen, push } = reading(1000);
    push(`{"a":"${"x".repeat(2000)}`);
    push(`"}\n{"b":1}\n`);
    expect(seen).toEqual({ frames: [], noise: [], tooLarge: 1 });
  });
});

describe("Lines that are no messages", () => {
  it.each([
    ["a banner", "Server started\n"],
    ["a log line in brackets", "[info] listening\n"],
    ["a list of numbers", "[1,2]\n"],
    ["a bare value", '"text"\n'],
    ["an object that is cut off", '{"a":1\n'],
    ["an object with more behind it", '{"a":1} done\n'],
    ["something that only looks like an object", "{not json}\n"],
    ["bytes that are no UTF-8", Buffer.from([0x7b, 0xff, 0xfe, 0x7d, 0x0a])],
  ])("are counted and skipped: %s", (_, line) => {
    const { seen, push, end } = reading();
    push(line);
    push('{"a":1}\n');
    end();
    expect(seen.frames).toEqual(['{"a":1}']);
    expect(seen.noise).toHaveLength(1);
  });

  it("that are empty are not even counted", () => {
    const { seen, push, end } = reading();
    push("\n\r\n   \n");
    end();
    expect(seen).toEqual({ frames: [], noise: [], tooLarge: 0 });
  });

  it("of 100 MB without an end are not kept, and what follows is heard", () => {
    const { seen, push } = reading();
    const piece = Buffer.alloc(1024 * 1024, "x");
    const before = process.memoryUsage.rss();
    for (let count = 0; count < 100; count += 1) push(piece);
    expect(process.memoryUsage.rss() - before).toBeLessThan(50 * 1024 * 1024);
    push('\n{"a":1}\n');
    expect(seen.frames).toEqual(['{"a":1}']);
    expect(seen.noise).toEqual(["x".repeat(200)]);
    expect(seen.tooLarge).toBe(0);
  });
});
