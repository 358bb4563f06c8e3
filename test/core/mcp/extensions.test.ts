import { describe, expect, it } from "vitest";
import { capabilitiesFrom } from "../../../src/core/mcp/client-capabilities.ts";
import { withCarriedExtensions } from "../../../src/core/mcp/extensions.ts";

const TASKS = "io.modelcontextprotocol/tasks";

describe("extensions in what a side declares", () => {
  it("leave a discovery without any alone, byte for byte", () => {
    const text = '{ "capabilities": {"tools":{}} , "big": 1e2 }';
    expect(withCarriedExtensions(text)).toBe(text);
  });

  it("are taken out of a discovery where navra does not carry them", () => {
    const text = `{"capabilities":{"extensions":{"com.example/a":{},"${TASKS}":{"x":1e2}}},"n":1e2}`;
    expect(withCarriedExtensions(text)).toBe(`{"capabilities":{"extensions":{"${TASKS}":{"x":1e2}}},"n":1e2}`);
  });

  it.each([undefined, null, [], "all", { [TASKS]: true }, { "com.example/a": {} }])(
    "count for nothing when an agent declares %j",
    (extensions) => {
      expect(capabilitiesFrom({ extensions } as never, "2026-07-28").text).toBe("{}");
    },
  );

  it("do not exist in a session of an older revision", () => {
    expect(capabilitiesFrom({ extensions: { [TASKS]: {} } }, "2025-11-25").text).toBe("{}");
  });
});
