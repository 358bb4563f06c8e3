import { describe, expect, it } from "vitest";
import { encodeError, encodeNotification, encodeRequest, encodeResult } from "../../../src/core/wire/encode.ts";
import { faultError } from "../../../src/core/wire/fault.ts";

describe("encode", () => {
  it("sets ids and payloads in as they are", () => {
    expect(encodeResult("9007199254740993", '{"n": 1e2}')).toBe(
      '{"jsonrpc":"2.0","id":9007199254740993,"result":{"n": 1e2}}',
    );
    expect(encodeRequest('"a"', "tools/call", '{"n":1.0}')).toBe(
      '{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"n":1.0}}',
    );
  });

  it("writes no params where there are none", () => {
    expect(encodeRequest("1", "ping")).toBe('{"jsonrpc":"2.0","id":1,"method":"ping"}');
    expect(encodeNotification('a"b')).toBe('{"jsonrpc":"2.0","method":"a\\"b"}');
  });

  it("answers null where no id could be read", () => {
    expect(encodeError(null, { code: -32700, message: "m" })).toBe(
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m"}}',
    );
  });
});

describe("a fault as an error object", () => {
  it("has the code of its era, its name and its retry advice", () => {
    const advice = { message: "Stopped.", data: { name: "cancelled", retry: "changed" } };
    expect(faultError("cancelled", false, "Stopped.")).toEqual({ code: -32001, ...advice });
    expect(faultError("cancelled", true, "Stopped.")).toEqual({ code: -31001, ...advice });
  });

  it("carries further data", () => {
    const data = { supported: ["2026-07-28"], requested: "2099-01-01" };
    expect(faultError("unsupported-version", true, "Use another.", data)).toEqual({
      code: -32022,
      message: "Use another.",
      data: { name: "unsupported-version", retry: "changed", ...data },
    });
  });
});
