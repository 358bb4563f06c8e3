/**
 * The corpora that lie beside the project, never inside it. They hold hostile text: it is data for tests, nothing else.
 * Where the folder is absent (a plain clone), what needs it says so and is skipped.
 */
import { existsSync, readFileSync } from "node:fs";

const FOLDER = new URL("../../shared/data/", import.meta.url);

export function sharedData(path: string): string | undefined {
  const url = new URL(path, FOLDER);
  if (existsSync(url)) return readFileSync(url, "utf8");
  console.warn(`${path} is not beside the project; the tests that read it are skipped.`);
  return undefined;
}
