import { describe, expect, it } from "vitest";
import { capabilitiesFrom } from "../../../src/core/mcp/client-capabilities.ts";
import { openedFor } from "../../../src/core/servers/opened.ts";
import type { ServerEntry } from "../../../src/core/servers/server.ts";

const TASKS = "io.modelcontextprotocol/tasks";
const UI = "io.modelcontextprotocol/ui";
const SKILLS = "io.modelcontextprotocol/skills";
const server = { name: "files" } as ServerEntry;

function discovered(resultText: string): string {
  return openedFor({ revision: "2026-07-28", resultText }, { revision: "2026-07-28", server });
}

describe("extensions in what a server declares", () => {
  it("leave a discovery without any alone, byte for byte", () => {
    const text = '{ "capabilities": {"tools":{}} , "big": 1e2 }';
    expect(discovered(text)).toBe(text);
  });

  it("are taken out where navra does not carry them", () => {
    const text = `{"capabilities":{"extensions":{"com.example/a":{},"${TASKS}":{"x":1e2}}},"n":1e2}`;
    expect(discovered(text)).toBe(`{"capabilities":{"extensions":{"${TASKS}":{"x":1e2}}},"n":1e2}`);
  });

  it("stay in an older session where they began there, and go where they are of the newer era", () => {
    const resultText = `{"protocolVersion":"2025-11-25","capabilities":{"extensions":{"${UI}":{},"${TASKS}":{},"${SKILLS}":{},"a/b":{}}}}`;
    expect(openedFor({ revision: "2025-11-25", resultText }, { revision: "2025-11-25", server })).toBe(
      `{"protocolVersion":"2025-11-25","capabilities":{"extensions":{"${UI}":{},"${SKILLS}":{}}}}`,
    );
  });
});

describe("extensions in what an agent declares", () => {
  it.each([undefined, null, [], "all", { [TASKS]: true }, { "com.example/a": {} }])(
    "count for nothing when an agent declares %j",
    (extensions) => {
      expect(capabilitiesFrom({ extensions } as never, "2026-07-28").text).toBe("{}");
    },
  );

  it("lose tasks in a session of an older revision, which has others", () => {
    expect(capabilitiesFrom({ extensions: { [TASKS]: {} } }, "2025-11-25").text).toBe("{}");
  });

  it("keep the kinds of apps that the page can show, and no other setting", () => {
    const extensions = { [UI]: { mimeTypes: ["text/html;profile=mcp-app", 7], more: "x" }, [SKILLS]: { all: true } };
    expect(capabilitiesFrom({ extensions } as never, "2025-11-25").value).toEqual({
      extensions: { [UI]: { mimeTypes: ["text/html;profile=mcp-app"] }, [SKILLS]: {} },
    });
  });
});
