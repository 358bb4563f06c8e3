/** The rows of `origin.json` that a codec alone can show: JSON, envelope, batch. The gateway's tests run all of them. */
import { describe, expect, it } from "vitest";
import { FAULTS } from "../../../src/core/errors.ts";
import { type Decoded, decode } from "../../../src/core/wire/decode.ts";
import { DEFAULT_LIMITS } from "../../../src/core/wire/json.ts";
import { frameText, loadOrigin, type Row } from "../../vectors/expand.ts";

/** Rows that are well-formed messages or no frames at all; what they expect happens beyond the codec. */
const BEYOND_THE_CODEC: Readonly<Record<string, string>> = {
  "method of 256 bytes": "methods are known to mcp",
  "an id that is already in flight": "open requests are known to the gateway",
  "unknown method": "methods are known to mcp",
  "wrong parameters": "params of a method are known to mcp",
  "unsupported version": "versions are known to mcp",
  "cancelled request": "an event of the gateway",
  "content over the size limit": "an event of the gateway",
  "the same faults in 2026-07-28": "an event of the gateway",
};

const ROWS = loadOrigin().flatMap((row) =>
  row.era.map((era) => ({ ...row, title: `${row.name} (${era})`, inForce: era })),
);

describe("the origin vectors", () => {
  it.each(ROWS.filter(({ name }) => name in BEYOND_THE_CODEC))("lets $title through to the gateway", (row) => {
    const decoded = decoding(row);
    expect(decoded?.items.filter(({ kind }) => kind === "fault") ?? []).toEqual([]);
  });

  it.each(ROWS.filter(({ name }) => !(name in BEYOND_THE_CODEC)))("holds $title", (row) => {
    const { items } = decoding(row) ?? { items: [] };
    const [first] = items;
    const refused = row.dir === "agent" && row.expect.code !== undefined;
    if (refused || row.expect.accepted === false) {
      expect(items).toHaveLength(1);
      expect(first?.kind === "fault" && FAULTS[first.name].legacy).toBe(row.expect.code ?? -32600);
      if (row.expect.id === null) expect(first).toMatchObject({ id: null });
      return;
    }
    expect(items.filter(({ kind }) => kind === "fault")).toEqual([]);
    if (row.expect.replies !== undefined) expect(new Set(items.map(idOf)).size).toBe(row.expect.replies);
    if (row.expect.reply === false) expect(items.every(({ kind }) => kind === "notification")).toBe(true);
    if (row.expect.replyId !== undefined) expect(first && idOf(first)).toBe(JSON.stringify(row.expect.replyId));
    if (row.expect.code !== undefined) expect(first).toMatchObject({ kind: "error", error: { code: row.expect.code } });
    if (row.expect.byteExact === true) expect(first).toMatchObject({ text: frameText(row) });
  });

  it("refuses a method of ten million letters without reading it", () => {
    const row = ROWS.find(({ expect: said }) => said.fast === true);
    const frame = (row && frameText(row)) ?? "";
    // Reading it would take some milliseconds each time; ten thousand readings would not end within the test's time.
    for (let time = 0; time < 10_000; time += 1) decode(frame, { limits: DEFAULT_LIMITS, batches: false });
    const { items } = decode(frame, { limits: DEFAULT_LIMITS, batches: false });
    expect(items).toMatchObject([{ kind: "fault", name: "invalid-request", id: "1" }]);
  });

  it("names no row that does not exist", () => {
    const names = new Set(ROWS.map(({ name }) => name));
    expect(Object.keys(BEYOND_THE_CODEC).filter((name) => !names.has(name))).toEqual([]);
  });
});

function decoding(row: Row & { readonly inForce: string }): Decoded | undefined {
  const text = frameText(row);
  const batches = row.inForce === "2025-03-26" || row.inForce === "2024-11-05";
  return text === undefined ? undefined : decode(text, { limits: DEFAULT_LIMITS, batches });
}

function idOf(item: Decoded["items"][number]): string | null {
  return item.kind === "notification" ? null : item.id;
}
