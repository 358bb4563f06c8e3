/** The corpus of JSON-RPC envelopes: each row that is the codec's to judge gets its verdict and code from `decode`. */
import { describe, expect, it } from "vitest";
import { FAULTS } from "../../../src/core/errors.ts";
import { decode } from "../../../src/core/wire/decode.ts";
import { DEFAULT_LIMITS } from "../../../src/core/wire/json.ts";
import { type EnvelopeRow, loadRows } from "./rows.ts";

const ROWS = loadRows<EnvelopeRow>("json/jsonrpc-envelopes.jsonl");

describe.runIf(ROWS.length > 0)("the envelope corpus", () => {
  const later = new Set(Object.values(wellFormed()).flat());
  const mine = ROWS.filter((row) => !later.has(row.name));

  it.each(mine)("gives $name the verdict of its row: $expect", (row) => {
    const codes = faultCodes(row.raw);
    const verdict = VERDICTS[row.expect];
    if (verdict === undefined) throw new Error(`nobody says what "${row.expect}" means here`);
    if (verdict === "accept") expect(codes).toEqual([]);
    else expect(codes).toEqual([verdict]);
  });

  it.each(ROWS.filter((row) => later.has(row.name)))("passes $name on to a later room", (row) => {
    expect(faultCodes(row.raw)).toEqual([]);
  });

  it("leaves only rows to later rooms that the corpus has", () => {
    const names = new Set(ROWS.map((row) => row.name));
    expect([...later].filter((name) => !names.has(name))).toEqual([]);
  });

  it("refuses every row that is a batch where the revision has none", () => {
    for (const row of ROWS.filter(({ raw }) => raw.startsWith("["))) {
      const { batch, items } = decode(row.raw, { limits: DEFAULT_LIMITS, batches: false });
      expect([batch, items.map(({ kind }) => kind)], row.name).toEqual([false, ["fault"]]);
    }
  });
});

/** What each wording of the corpus means for the codec. */
const VERDICTS: Readonly<Record<string, "accept" | number>> = {
  accept: "accept",
  "accept safely": "accept",
  "accept exact or reject": "accept",
  "accept or reject": "accept",
  "accept, strip or flag": "accept",
  "accept only as transport error": "accept",
  "reject in >=2025-06-18, accept in 2025-03-26": "accept",
  reject: -32600,
  "reject -32600": -32600,
  "reject -32602": -32602,
  "reject -32601/-32600": -32600,
  "reject or limit": -32600,
  "reject (MCP result is an object)": -32600,
  drop: -32600,
};

function faultCodes(raw: string): number[] {
  const { items } = decode(raw, { limits: DEFAULT_LIMITS, batches: true });
  return items.flatMap((item) => (item.kind === "fault" ? [FAULTS[item.name].modern] : []));
}

/** Rows that are well-formed JSON-RPC: what is wrong with them is for the room named here. */
function wellFormed(): Readonly<Record<string, readonly string[]>> {
  return {
    "mcp knows the methods": [
      "method_odd_'rpc.discover'",
      "method_odd_'tools/call '",
      "method_odd_'Tools/Call'",
      "method_odd_'tools//call'",
      "method_odd_'tools/call\\x00'",
      "method_odd_'tools/c\\u0430ll'",
      "method_odd_'../tools/call'",
      "method_odd_'__proto__'",
      "method_odd_'constructor'",
      "method_odd_'toString'",
      "method_odd_'tools/call\\u200b'",
    ],
    "mcp checks the params of each method": [
      "arguments_None",
      "arguments_1",
      "arguments_'x'",
      "arguments_[]",
      "arguments_True",
    ],
    "servers knows the listed tools": [
      "toolname_None",
      "toolname_1",
      "toolname_[]",
      "toolname_{}",
      "toolname_''",
      "toolname_'a b'",
      "toolname_'a/b'",
      "toolname_'../x'",
      "toolname_'xxxxxxxxxxxxxxxxxxx",
      "toolname_'read_f\\u0456le'",
      "toolname_'echo\\n'",
      "toolname_'__proto__'",
      "toolname_'e\\u0301cho'",
    ],
    "the gateway refuses an id that is in flight": ["batch_dup_id"],
    "the gateway pairs answers with open requests": [
      "unknown_id",
      "string_id_for_number",
      "late_duplicate",
      "response_after_cancel",
    ],
    "mcp knows which direction a method has": [
      "server_request_roots",
      "server_calls_tools",
      "client_sends_sampling",
      "server_initialize",
    ],
    "policy decides requests of servers": ["server_sampling", "server_elicit_password", "server_elicit_url"],
    "face keeps the session": [
      "initialize_twice",
      "call_before_init",
      "cancel_initialize",
      "cancel_unknown",
      "cancel_foreign",
    ],
    "the event line judges notifications": [
      "progress_unknown",
      "progress_decreasing",
      "progress_flood_message",
      "list_changed_flood",
      "log_injection",
      "unknown_notification",
    ],
    "servers checks catalogues": [
      "tools_dup_names",
      "tools_homoglyph_pair",
      "tools_name_number",
      "tools_no_schema",
      "tools_schema_array",
      "tools_schema_string_type",
      "tools_schema_true",
      "tools_not_array",
      "tools_proto",
      "tools_html_name",
      "tools_desc_object",
      "tools_desc_1MB",
      "tools_cursor_loop",
      "tools_cursor_number",
      "tools_10000",
      "tools_annotation_lie",
      "tools_icon_js",
    ],
    "mcp and inspect check results": [
      "content_not_array",
      "content_unknown_type",
      "content_text_number",
      "content_image_svg",
      "content_image_bad_b64",
      "content_mime_mismatch",
      "content_resource_file",
      "content_link_js",
      "structured_mismatch",
      "structured_schema_violation",
      "isError_string",
      "meta_reserved",
    ],
  };
}
