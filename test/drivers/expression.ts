/**
 * Turns a function and its arguments into source text for another world. The text carries its own `__name`, because some
 * TypeScript runners wrap inner functions in it.
 */
export function callText(run: (...args: never[]) => unknown, args: readonly unknown[]): string {
  return `((__name) => (${run.toString()}))((f) => f)(...${JSON.stringify(args)})`;
}

/** A condition for `waitFor` as source text of a function. */
export function conditionText(condition: string | (() => unknown)): string {
  return typeof condition === "string"
    ? `document.querySelector(${JSON.stringify(condition)}) !== null`
    : `Boolean(${callText(condition, [])})`;
}

/** Runs in the page: the element's text as a person sees it, without what is hidden. */
export function visibleText(selector: string): string {
  // biome-ignore lint/performance/useDomNodeTextContent: hidden text must not count.
  return document.querySelector<HTMLElement>(selector)?.innerText ?? "";
}
