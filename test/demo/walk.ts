/**
 * The demo without a person: connects, makes one call that is allowed, one that a rule stops, one that is asked about and
 * approved, and shows what the record says of each, the key in the reply masked.
 */
import type { RecordEntry } from "../../src/core/recorder/entry.ts";
import type { Tab } from "../drivers/driver.ts";
import { answerConsent } from "../drivers/person.ts";
import { until } from "../drivers/wait.ts";
import type { Ending, Errand } from "./page/agent.ts";
import type { Scene } from "./scene.ts";

interface Step {
  readonly errand: Errand;
  readonly expected: "allowed" | "denied" | "approved";
}

const STEPS: readonly Step[] = [
  {
    errand: { server: "everything", name: "echo", arguments: { message: "Hello from an agent page" } },
    expected: "allowed",
  },
  { errand: { server: "everything", name: "get-env", arguments: {} }, expected: "denied" },
  {
    errand: {
      server: "srift",
      name: "srift_quick_share",
      arguments: { filePath: "/home/ada/report.pdf", encrypt: true },
    },
    expected: "approved",
  },
  { errand: { server: "srift", name: "srift_list_shares", arguments: {} }, expected: "allowed" },
];

/** A rule that stops a call, as the popup would save it. */
export async function saveExampleRules({ control, ids }: Scene): Promise<void> {
  const { problems } = await control.ask("rule.save", {
    rule: {
      id: "environment-stays-home",
      verdict: "deny",
      priority: 100,
      on: ["request"],
      when: { server: [ids.everything], tool: ["get-env"] },
      do: { say: "The environment of this machine is not for agents." },
      mode: "enforce",
      note: "Environment variables often hold keys.",
    },
  });
  if (problems.length > 0) throw new Error(`The example rule was not taken: ${JSON.stringify(problems)}`);
}

/** Prints the table; gives the sentences about what was not as expected. */
export async function walk(scene: Scene): Promise<readonly string[]> {
  const problems: string[] = [];
  const page = await scene.agentPage();
  await connect(scene, page);
  const secrets: string[] = [];
  for (const { errand, expected } of STEPS) {
    const ending = await perform(scene, page, { errand, expected });
    if (ending.ok !== (expected !== "denied")) problems.push(`${errand.name} was not ${expected}: ${ending.text}`);
    const key = /#k=(\S+)/.exec(ending.text)?.[1];
    if (key !== undefined) secrets.push(key);
  }
  const entries = await recordsOf(scene, STEPS.length);
  console.log(table(entries));
  console.log(`\nIn the record the shared link reads: ${linkAsRecorded(entries)}`);
  problems.push(...judge(entries, secrets));
  const chain = await scene.control.ask("records.verify", null);
  if (chain.state === "whole") console.log(`The record's chain of ${chain.entries} entries is whole.`);
  else problems.push(`The record's chain is broken: ${chain.problem}`);
  return problems;
}

async function connect(scene: Scene, page: Tab): Promise<void> {
  await page.front();
  await page.click("#connect");
  await answerConsent(scene.driver, "allow");
  await page.waitFor(() => window.connected !== undefined);
  const outcome = await page.evaluate(() => window.connected ?? {});
  if (outcome.names === undefined) throw new Error(`The page was not connected: ${outcome.problem}`);
  for (const server of outcome.names) {
    const tools = await page.evaluate((name: string) => window.agent.tools(name), server);
    console.log(`Connected to ${server}: ${tools.length} tools`);
  }
  console.log("");
}

async function perform(scene: Scene, page: Tab, { errand, expected }: Step): Promise<Ending> {
  await page.front();
  const ending = page.evaluate((what: Errand) => window.agent.call(what), errand);
  if (expected === "approved") await answerConsent(scene.driver, "allow");
  return ending;
}

/** Oldest first. A record is written right after its answer was delivered. */
async function recordsOf({ control }: Scene, least: number): Promise<readonly RecordEntry[]> {
  return until(
    async () => {
      const { entries } = await control.ask("records.page", { limit: 50 });
      const calls = entries.filter((entry) => entry.method === "tools/call").reverse();
      return calls.length >= least ? calls : undefined;
    },
    { what: `${least} records`, timeoutMs: 5000 },
  );
}

function judge(entries: readonly RecordEntry[], secrets: readonly string[]): string[] {
  const text = JSON.stringify(entries);
  const problems = secrets.filter((key) => text.includes(key)).map(() => "A key stands unmasked in the record.");
  if (secrets.length === 0) problems.push("No key came back to look for.");
  if (!entries.some((entry) => entry.reply?.findings.some((finding) => finding.kind === "secret"))) {
    problems.push("The key in the reply was not found.");
  }
  return problems;
}

function table(entries: readonly RecordEntry[]): string {
  const rows = entries.map((entry) => [
    `${entry.serverName} · ${entry.tool ?? entry.method}`,
    verdictOf(entry),
    whyOf(entry),
    `${Math.round(entry.ms)} ms`,
  ]);
  const head = ["call", "verdict", "why", "time"];
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function linkAsRecorded(entries: readonly RecordEntry[]): string {
  const text = entries.map((entry) => entry.reply?.text ?? "").join("\n");
  return /Download link: ([^"\\]*)/.exec(text)?.[1] ?? "(not there)";
}

function verdictOf({ outcome, answered, decisions }: RecordEntry): string {
  if (answered !== undefined) return `ask, ${answered.answer}`;
  const asked = decisions.find((decision) => decision.phase === "request")?.verdict ?? "none";
  return outcome.kind === "fault" ? `${asked}, ${outcome.name}` : asked;
}

/** The request's reason; what the reply's phase says matters only where it stopped something. */
function whyOf({ decisions }: RecordEntry): string {
  return decisions.find((decision) => decision.phase === "request")?.reasons[0]?.sentence ?? "";
}
