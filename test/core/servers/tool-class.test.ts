import { describe, expect, it } from "vitest";
import { toolClass } from "../../../src/core/servers/tool-class.ts";

const READ = { annotations: { readOnlyHint: true } };
const CLOSED = { annotations: { openWorldHint: false } };

describe("the class of a tool", () => {
  it.each([
    ["reads where it is pinned, its server trusted, and it says so", READ, true, true, "read"],
    ["does not read where its server is not trusted", READ, false, true, "external"],
    ["does not read where it is not pinned", READ, true, false, "external"],
    ["is external where it says nothing", {}, true, true, "external"],
    ["is a write where it says that its world is closed", CLOSED, false, false, "write"],
    [
      "does not read by a hint that is not true itself",
      { annotations: { readOnlyHint: "true" } },
      true,
      true,
      "external",
    ],
    ["is external where its annotations are no object", { annotations: [1] }, true, true, "external"],
    [
      "reads also where its world is closed",
      { annotations: { readOnlyHint: true, openWorldHint: false } },
      true,
      true,
      "read",
    ],
  ] as const)("%s", (_why, definition, trusted, pinned, expected) => {
    expect(toolClass(definition, { trusted, pinned })).toBe(expected);
  });
});
