import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { installed } from "./load.ts";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const OPTIONS =
  "--ignoreConfig --noEmit --strict --exactOptionalPropertyTypes --skipLibCheck --allowImportingTsExtensions --target es2023 --module esnext --moduleResolution bundler --lib es2023,dom --types node";

describe.runIf(installed)("the transport's types", () => {
  it("fit the official clients v1 and v2 without a cast", () => {
    const compiler = path("../../../node_modules/typescript/bin/tsc");
    const { stdout } = spawnSync(process.execPath, [compiler, ...OPTIONS.split(" "), path("./assignable.mts")]);
    expect(String(stdout)).toBe("");
  });
});
