import { describe, expect, it } from "vitest";
import { encodeHeaderValue, protocolHeaders } from "../../../src/core/mcp/headers.ts";

describe("a header value", () => {
  it.each([
    ["plain text with spaces inside stays as it is", "get the weather", "get the weather"],
    ["the empty text is an empty value", "", ""],
    ["one character stays", "x", "x"],
    ["an edge space is encoded", " x", "=?base64?IHg=?="],
    ["a trailing space is encoded", "x ", "=?base64?eCA=?="],
    ["a tab is encoded", "a\tb", "=?base64?YQli?="],
    ["a line break cannot start a header", "a\r\nX: y", "=?base64?YQ0KWDogeQ==?="],
    ["other characters are encoded as UTF-8", "größe😀", "=?base64?Z3LDtsOfZfCfmIA=?="],
    ["what looks encoded is encoded again", "=?base64?eA==?=", "=?base64?PT9iYXNlNjQ/ZUE9PT89?="],
    ["what only begins like it stays", "=?base64?eA==", "=?base64?eA=="],
  ])("%s", (_why, value, expected) => {
    expect(encodeHeaderValue(value)).toBe(expected);
  });

  it("decodes to the same text", () => {
    for (const value of ["é", "日本語", "a\u0000", "\u007f", "😀😀😀", "x\n"]) {
      const encoded = encodeHeaderValue(value);
      expect(Buffer.from(encoded.slice(9, -2), "base64").toString("utf8")).toBe(value);
    }
  });
});

describe("the protocol's headers", () => {
  it("repeat version, method and name from 2026-07-28 on", () => {
    expect(protocolHeaders({ revision: "2026-07-28", method: "tools/call", params: { name: "größe" } })).toEqual({
      "MCP-Protocol-Version": "2026-07-28",
      "Mcp-Method": "tools/call",
      "Mcp-Name": "=?base64?Z3LDtsOfZQ==?=",
    });
  });

  it.each([
    ["prompts/get", { name: "greet" }, "greet"],
    ["resources/read", { uri: "file:///a", name: "not this" }, "file:///a"],
    ["tasks/cancel", { taskId: "t1" }, "t1"],
    ["tools/list", { name: "none" }, undefined],
    ["tools/call", { name: 7 }, undefined],
  ])("name what %s acts on", (method, params, name) => {
    expect(protocolHeaders({ revision: "2026-07-28", method, params })["Mcp-Name"]).toBe(name);
  });

  it("never carry a session from 2026-07-28 on", () => {
    expect(protocolHeaders({ revision: "2026-07-28", sessionId: "s" })).toEqual({
      "MCP-Protocol-Version": "2026-07-28",
    });
  });

  it.each([
    ["2024-11-05", { "Mcp-Session-Id": "s" }],
    ["2025-03-26", { "Mcp-Session-Id": "s" }],
    ["2025-06-18", { "Mcp-Session-Id": "s", "MCP-Protocol-Version": "2025-06-18" }],
    ["2025-11-25", { "Mcp-Session-Id": "s", "MCP-Protocol-Version": "2025-11-25" }],
  ] as const)("carry session and, where it exists, version in %s", (revision, headers) => {
    expect(protocolHeaders({ revision, method: "tools/call", params: { name: "x" }, sessionId: "s" })).toEqual(headers);
  });
});
