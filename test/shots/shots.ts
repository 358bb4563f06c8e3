/**
 * Pictures of every page in every state, light and dark, and what is wrong with each. Builds nothing: it serves a built
 * `dist/chromium` (or the folder named by `--dist`) with a stand-in for the extension API.
 *
 *   npm run shots [-- --dist <folder>] [--out <folder>] [--only <part of a name>]
 *
 * Exits 1 when axe finds something, something scrolls sideways, a sentence is missing, or a page throws.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { State } from "./state.ts";
import { STATES } from "./states.ts";
import { openStudio, type Studio, type Theme } from "./studio.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const THEMES = ["light", "dark"] as const;

const { values } = parseArgs({
  options: {
    dist: { type: "string", default: join(ROOT, "dist/chromium") },
    out: { type: "string", default: join(ROOT, "results/shots") },
    only: { type: "string", default: "" },
  },
});
process.exitCode = (await takeAll(values)) ? 0 : 1;

async function takeAll({ dist, out, only }: typeof values): Promise<boolean> {
  await mkdir(out, { recursive: true });
  const studio = await openStudio(dist);
  const problems: string[] = [];
  try {
    for (const state of STATES.filter(({ name }) => name.includes(only)))
      for (const theme of THEMES) problems.push(...(await take(studio, { state, theme, out })));
  } finally {
    await studio.close();
  }
  for (const problem of problems) console.log(problem);
  console.log(`${problems.length === 0 ? "No problems" : `${problems.length} problems`}; pictures in ${out}`);
  return problems.length === 0;
}

interface Picture {
  readonly state: State;
  readonly theme: Theme;
  readonly out: string;
}

async function take(studio: Studio, { state, theme, out }: Picture): Promise<readonly string[]> {
  const label = `${state.name}-${theme}`;
  const problems: string[] = [];
  const page = await studio.show(state, theme, problems);
  await page.screenshot({ path: join(out, `${label}.png`) });
  problems.push(...(await studio.inspect(page)));
  await page.close();
  return problems.map((problem) => `${label}: ${problem}`);
}
