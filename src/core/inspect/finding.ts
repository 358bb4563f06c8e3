/** What a detector reports. Findings never decide; rules and the flow room read them. */

export type FindingKind = "secret" | "hidden-text";

export interface Finding {
  readonly kind: FindingKind;
  /** The exact detector, e.g. `secret.github-token`, `secret.link-key`, `hidden-text.tag`, `hidden-text.bidi`. */
  readonly type: string;
  /** RFC 6901 pointer to the string within the judged value; with `key: true` the member name itself. */
  readonly path: string;
  readonly key?: boolean;
  /** UTF-16 offsets in that string, end exclusive. */
  readonly start: number;
  readonly end: number;
  readonly confidence: "high" | "low";
}
