/** Steps that many journeys share: connecting as a person does, calling as the agent does, reading the record. */
import type { RecordEntry } from "../../src/core/recorder/entry.ts";
import type { Ending, Errand } from "../demo/page/agent.ts";
import type { Scene } from "../demo/scene.ts";
import type { Control } from "../drivers/control.ts";
import type { Tab } from "../drivers/driver.ts";
import { answerConsent, noConsentWindow } from "../drivers/person.ts";
import { until } from "../drivers/wait.ts";

/** A page whose site may use every tool of every registered server. */
export async function connectedPage(scene: Scene, url?: string): Promise<Tab> {
  await noConsentWindow(scene.driver);
  const page = await scene.agentPage(url);
  await page.front();
  await page.click("#connect");
  await answerConsent(scene.driver, "allow");
  await page.waitFor(() => window.connected !== undefined);
  const { problem } = (await page.evaluate(() => window.connected)) ?? {};
  if (problem !== undefined) throw new Error(problem);
  await page.front();
  return page;
}

export function call(page: Tab, errand: Errand): Promise<Ending> {
  return page.evaluate((what: Errand) => window.agent.call(what), errand);
}

/** Starts a call and does not wait for it: a wrapped promise is not awaited by `await`. */
export function startCall(page: Tab, errand: Errand): { readonly ending: Promise<Ending> } {
  const ending = call(page, errand);
  ending.catch(() => {});
  return { ending };
}

/** The newest of a tool, of one server where several have it. */
export async function recordOf(control: Control, tool: string, server?: string): Promise<RecordEntry> {
  return until(
    async () => {
      const { entries } = await control.ask("records.page", { limit: 50 });
      return entries.find((entry) => entry.tool === tool && (server ?? entry.serverName) === entry.serverName);
    },
    { what: `a record of ${tool}`, timeoutMs: 5000 },
  );
}

export async function saveRule(control: Control, rule: Readonly<Record<string, unknown>>): Promise<void> {
  const whole = { priority: 100, on: ["request"], mode: "enforce", ...rule };
  const { problems } = await control.ask("rule.save", { rule: whole });
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
}
