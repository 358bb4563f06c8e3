/**
 * The corpora of JSON documents. A row that says accept or reject holds for the scanner as it stands, except that
 * repeated member names are always refused; rows that leave a choice get the choice made here.
 */
import { describe, expect, it } from "vitest";
import { decodeUtf8 } from "../../../src/core/wire/bytes.ts";
import { decode } from "../../../src/core/wire/decode.ts";
import { DEFAULT_LIMITS } from "../../../src/core/wire/json.ts";
import { scan } from "../../../src/core/wire/scan.ts";
import { documentBytes, type JsonRow, loadRows } from "./rows.ts";

const SUITE = loadRows<JsonRow>("json/jsontestsuite.jsonl");
const HOSTILE = loadRows<JsonRow>("json/hostile-json.jsonl");

describe.runIf(SUITE.length > 0)("the JSON test suite", () => {
  it.each(SUITE)("gets $name right ($expect)", (row) => {
    const accept = row.expect === "accept" ? !REPEATED.includes(row.name) : row.expect !== "reject" && isKept(row.name);
    expect(verdict(row) === "accept").toBe(accept);
  });

  it("accepts nothing that JSON.parse refuses", () => {
    for (const row of SUITE) {
      const text = decodeUtf8(documentBytes(row));
      if (text !== undefined && verdict(row) === "accept") expect(() => JSON.parse(text), row.name).not.toThrow();
    }
  });
});

describe.runIf(HOSTILE.length > 0)("the hostile documents", () => {
  it.each(HOSTILE)("gets $name right ($expect)", (row) => {
    const [asJson, asFrame] = HOSTILE_VERDICTS[row.name] ?? USUAL[row.expect] ?? [];
    expect([verdict(row), frameVerdict(row)]).toEqual([asJson, asFrame]);
  });

  it("leaves every prototype as it was", () => {
    for (const row of HOSTILE.filter(({ expect: say }) => say === "accept_safely")) frameVerdict(row);
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect("polluted" in {}).toBe(false);
  });
});

/** Accepted by RFC 8259, refused here. */
const REPEATED = ["y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json"];

/** Of the rows that leave a choice: numbers of any size are kept as written, what is ambiguous is refused. */
function isKept(name: string): boolean {
  return /^(i_)?number_|^object_key_nf|^string_with_escaped_NULL/.test(name);
}

type Verdict = "accept" | "reject" | "limit";

/** What the wording of a hostile row comes to: for the scanner, and for `decode`. */
const USUAL: Readonly<Record<string, readonly [Verdict, Verdict]>> = {
  reject: ["reject", "reject"],
  accept: ["accept", "accept"],
  accept_safely: ["accept", "accept"],
  accept_lossless_or_reject: ["accept", "accept"],
  reject_or_exact: ["accept", "reject"],
  reject_or_replace: ["reject", "reject"],
  reject_or_strip: ["reject", "reject"],
  reject_or_limit: ["limit", "limit"],
  frame_split: ["reject", "reject"],
};

/** Rows for which the wording leaves more than one answer, or which are JSON but no message. */
const HOSTILE_VERDICTS: Readonly<Record<string, readonly [Verdict, Verdict]>> = {
  num_id_9007199254740993: ["accept", "accept"],
  num_id_123456789012345678901234: ["accept", "accept"],
  num_id_100000000000000000000000: ["accept", "accept"],
  "num_id_-0": ["accept", "accept"],
  dupkey_nfc_nfd: ["accept", "reject"],
  nul_escaped: ["accept", "reject"],
  ls_ps: ["accept", "reject"],
  del_char: ["accept", "reject"],
  bare_string: ["accept", "reject"],
  bare_null: ["accept", "reject"],
  bare_number: ["accept", "reject"],
  string_10MB: ["accept", "accept"],
  long_key_1MB: ["accept", "reject"],
  escape_bomb: ["accept", "reject"],
  gzip_bomb: ["accept", "reject"],
  nest_arrays_64: ["accept", "reject"],
};

function verdict(row: JsonRow): Verdict {
  const text = decodeUtf8(documentBytes(row));
  if (text === undefined) return "reject";
  const scanned = scan(text, { limits: DEFAULT_LIMITS });
  if (scanned.kind === "scanned") return "accept";
  return scanned.reason === "limit" ? "limit" : "reject";
}

function frameVerdict(row: JsonRow): Verdict {
  const text = decodeUtf8(documentBytes(row));
  if (text === undefined) return "reject";
  const [item] = decode(text, { limits: DEFAULT_LIMITS, batches: true }).items;
  if (item?.kind !== "fault") return "accept";
  return item.name === "too-large" ? "limit" : "reject";
}
