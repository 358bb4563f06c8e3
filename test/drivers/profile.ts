/** A browser profile of a test: a new folder under the system's temporary folder, or one that the caller keeps. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Profile {
  readonly folder: string;
  discard(): void;
}

export function openProfile(kept?: string): Profile {
  if (kept !== undefined) return { folder: kept, discard() {} };
  const folder = mkdtempSync(join(tmpdir(), "navra-profile-"));
  const discard = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  process.once("exit", discard);
  return {
    folder,
    discard() {
      process.off("exit", discard);
      discard();
    },
  };
}
