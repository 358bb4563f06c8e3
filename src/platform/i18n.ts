/** The browser's own message catalogue; the only place that names it. */
import browser from "webextension-polyfill";

/** The message in the person's language, or the key itself where it is missing, so that a gap shows instead of hiding. */
export function message(key: string, substitutions: readonly string[] = []): string {
  return browser.i18n.getMessage(key, [...substitutions]) || key;
}

/** Language for numbers, dates and plurals. */
export function language(): string {
  return browser.i18n.getUILanguage();
}
