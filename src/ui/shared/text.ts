/**
 * Our sentences, from `_locales`. Keys begin with the page they belong to (`popup_`, `consent_`, `dash_`, `panel_`,
 * `shared_`). `t` gives text, `tx` the same with nodes in the blanks, `tn` chooses the plural form: it reads `key_one` and
 * `key_other`, and the number is `$1`.
 */
import type { ComponentChild } from "preact";
import { language, message } from "../../platform/i18n.ts";

export function t(key: string, ...substitutions: readonly (string | number)[]): string {
  return message(key, substitutions.map(String));
}

export function tn(key: string, count: number, ...more: readonly (string | number)[]): string {
  return t(pluralKey(key, count), formatNumber(count), ...more);
}

/** With nodes (a name in bold, a `Said`) where the sentence has `$1`, `$2`, … */
export function tx(key: string, ...nodes: readonly ComponentChild[]): ComponentChild[] {
  const marks = nodes.map((_, index) => String.fromCharCode(0xe000 + index));
  return message(key, marks)
    .split(/([\ue000-\ue008])/)
    .map((part) => (/^[\ue000-\ue008]$/.test(part) ? nodes[part.charCodeAt(0) - 0xe000] : part));
}

export function pluralKey(key: string, count: number): string {
  return `${key}_${new Intl.PluralRules(language()).select(count) === "one" ? "one" : "other"}`;
}

export function formatNumber(value: number): string {
  return new Intl.NumberFormat(language()).format(value);
}
