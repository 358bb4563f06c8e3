/**
 * MCP 2025-03-26: Streamable HTTP, audio, annotations of tools, words beside a progress.
 *
 * @see MCP 2025-03-26 · Key changes
 */
import type { RevisionFile } from "./vocabulary.ts";

export const REVISION_2025_03_26 = {
  name: "2025-03-26",
  era: "legacy",
  batches: true,
  versionHeader: false,
  structured: "none",
  notFound: -32002,
  adds: {
    capabilities: ["completions"],
    members: ["annotations"],
    blocks: ["audio"],
    progress: ["message"],
  },
} as const satisfies RevisionFile;
