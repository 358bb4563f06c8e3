/** Every requirement names tests that exist, or says why it is not met. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CLIENT_SIDE } from "./client-side.ts";
import { SERVER_TO_CLIENT } from "./server-to-client.ts";

const ALL = [...CLIENT_SIDE, ...SERVER_TO_CLIENT];
const ROOT = join(import.meta.dirname, "../..");

describe("what the protocol asks of a client", () => {
  it.each(ALL.map((one) => [`${one.section}: ${one.says}`, one] as const))("%s", (_says, { shown, not }) => {
    expect(shown === undefined).toBe(not !== undefined);
    for (const [file, title] of shown ?? []) {
      const path = join(ROOT, file);
      expect(existsSync(path), `${file} is not there`).toBe(true);
      expect(readFileSync(path, "utf8"), `${file} has no test “${title}”`).toContain(title);
    }
  });

  it("says each thing once", () => {
    const said = ALL.map(({ section, says }) => `${section}: ${says}`);
    expect(new Set(said).size).toBe(said.length);
  });
});
