/** Fields that ask for a secret, and whether an answer may hold something for them: only with the person's own yes to each. */

export type SecretKind = "password" | "code" | "card" | "key";

/** By the field's name; the text above the form stands under the empty name. */
export type AskedSecrets = Readonly<Record<string, SecretKind>>;

/** The name that stands for the server's text above the form. */
export const ABOVE = "";

/** Flagged names that an answer has something for and the person did not say yes to; none is right. */
export function unconfirmed(asked: AskedSecrets, answered: readonly string[], confirmed: readonly string[]): string[] {
  return Object.keys(asked).filter((name) => (name === ABOVE || answered.includes(name)) && !confirmed.includes(name));
}
