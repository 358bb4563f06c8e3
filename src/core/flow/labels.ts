/**
 * Labels say how far data can be trusted and how far it may travel. They only rise: join is the maximum of each axis and
 * the union of sources.
 */

export const INTEGRITY = ["trusted", "untrusted"] as const;
export const CONFIDENTIALITY = ["public", "sensitive", "pii", "secret"] as const;
export type Integrity = (typeof INTEGRITY)[number];
export type Confidentiality = (typeof CONFIDENTIALITY)[number];

export interface Labels {
  readonly integrity: Integrity;
  readonly confidentiality: Confidentiality;
  /** Server ids the data came from, sorted. */
  readonly sources: readonly string[];
}

/** A session that has read nothing yet. */
export const CLEAN: Labels = Object.freeze({ integrity: "trusted", confidentiality: "public", sources: [] });
