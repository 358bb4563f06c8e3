/** What a page shows at a moment, for the sentence about what was waited for in vain. */
import type { Tab } from "./driver.ts";
import { callText } from "./expression.ts";
import { until } from "./wait.ts";

/** Runs in the page. */
export function sight(): string {
  const focus = document.hasFocus() ? "focused" : "not focused";
  const { activeElement: at, body } = document;
  const where = at === null ? "nothing" : `${at.tagName.toLowerCase()} ${at.id} ${at.className}`.trim();
  const text = (body?.textContent ?? "").replaceAll(/\s+/g, " ").slice(0, 600);
  return `${location.href}, ${document.readyState}, ${document.visibilityState}, ${focus}, at ${where}: ${text}`;
}

/** Until the expression gives something truthy in the page; says what the page showed when it never did. */
export async function untilShown(
  tab: Pick<Tab, "closed">,
  run: (expression: string) => Promise<unknown>,
  wanted: { readonly condition: string; readonly what: string; readonly timeoutMs: number },
): Promise<void> {
  let problem = "";
  await until(
    async () => {
      try {
        return (await run(wanted.condition)) === true;
      } catch (thrown) {
        // A navigation or a closing window between two questions is not an answer.
        problem = String(thrown);
        return false;
      }
    },
    {
      what: wanted.what,
      timeoutMs: wanted.timeoutMs,
      instead: async () => {
        if (await tab.closed()) return `The page is closed. ${problem}`;
        return `The page: ${await run(callText(sight, []))} ${problem}`;
      },
    },
  );
}
