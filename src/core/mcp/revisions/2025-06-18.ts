/**
 * MCP 2025-06-18: structured results, links to resources, forms, titles; no more batches.
 *
 * @see MCP 2025-06-18 · Key changes
 */
import type { RevisionFile } from "./vocabulary.ts";

export const REVISION_2025_06_18 = {
  name: "2025-06-18",
  era: "legacy",
  batches: false,
  versionHeader: true,
  structured: "object",
  notFound: -32002,
  adds: {
    members: ["title", "outputSchema", "_meta"],
    blocks: ["resource_link"],
    elicitation: ["form"],
    fields: ["string", "number", "integer", "boolean", "enum"],
  },
} as const satisfies RevisionFile;
