/**
 * The protocol revisions navra names. Up to 2025-11-25 a session is opened by `initialize` ("legacy"); from 2026-07-28
 * each request carries its version in `_meta` ("modern").
 *
 * @see MCP 2026-07-28 · Base protocol · Versioning
 */

export const LEGACY_REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] as const;
export const MODERN_REVISIONS = ["2026-07-28"] as const;
export type LegacyRevision = (typeof LEGACY_REVISIONS)[number];
export type ModernRevision = (typeof MODERN_REVISIONS)[number];
export type Revision = LegacyRevision | ModernRevision;

export function isModern(revision: Revision): revision is ModernRevision {
  return (MODERN_REVISIONS as readonly string[]).includes(revision);
}

export function isLegacyRevision(text: unknown): text is LegacyRevision {
  return (LEGACY_REVISIONS as readonly unknown[]).includes(text);
}

export function isModernRevision(text: unknown): text is ModernRevision {
  return (MODERN_REVISIONS as readonly unknown[]).includes(text);
}
