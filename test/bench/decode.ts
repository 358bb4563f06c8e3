/** What reading a message costs, beside the plain `JSON.parse` of the same text. */
import { decode } from "../../src/core/wire/decode.ts";
import { DEFAULT_LIMITS } from "../../src/core/wire/json.ts";

export interface DecodeBench {
  readonly name: string;
  readonly run: () => void;
  readonly against: () => void;
}

export function decodeBench(): DecodeBench[] {
  const frames = [
    { name: "decode/10KB", text: resultOfText() },
    { name: "decode/10KBdense", text: resultOfRows() },
  ];
  return frames.map(({ name, text }) => ({
    name,
    run: () => void decode(text, { limits: DEFAULT_LIMITS, batches: false }),
    against: () => void JSON.parse(text),
  }));
}

/** A tool result of 10 KB of prose. */
function resultOfText(): string {
  const sentence = "The quick brown fox jumps over the lazy dog while the printer waits for paper. ";
  const text = sentence.repeat(Math.ceil(10_240 / sentence.length)).slice(0, 10_240);
  return JSON.stringify({ jsonrpc: "2.0", id: 7, result: { content: [{ type: "text", text }], isError: false } });
}

/** A tool result of 10 KB of rows of small values. */
function resultOfRows(): string {
  const rows = [];
  for (let size = 0, id = 1000; size < 10_240; id += 1) {
    const row = { id, name: `item-${id}`, price: id / 8, stock: id % 13, active: id % 3 === 0, tags: ["a", "b"] };
    size += JSON.stringify(row).length + 1;
    rows.push(row);
  }
  return JSON.stringify({ jsonrpc: "2.0", id: 7, result: { content: [], structuredContent: { rows } } });
}
