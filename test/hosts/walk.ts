/**
 * What every real server must do through navra in a browser: be listed, answer two calls, have one cancelled and go on,
 * and answer again after it was restarted. One of them also gives back more than 4 MB.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserName } from "../browsers/find.ts";
import type { Ending, Errand } from "../demo/page/agent.ts";
import { openScene, type Scene } from "../demo/scene.ts";
import type { Tab } from "../drivers/driver.ts";
import { until } from "../drivers/wait.ts";
import { connectedPage, saveRule } from "../e2e/journey.ts";
import type { Machine } from "./machine.ts";
import type { HostedServer } from "./servers.ts";

export interface HostRow {
  readonly server: string;
  readonly version: string;
  readonly browser: BrowserName;
  readonly tools: number;
  readonly calls: number;
  readonly ok: boolean;
  readonly note: string;
}

const BIG = 4_400_000;

/** What the servers find in their folder. */
export function prepareWork(folder: string): void {
  writeFileSync(join(folder, "small.txt"), "a small file");
  writeFileSync(join(folder, "big.txt"), `${"all work and no play\n".repeat(BIG / 21)}the end`);
  writeFileSync(join(folder, "code.js"), "export const one = 1;\n");
}

export async function allowAll(machine: Machine, servers: readonly HostedServer[]): Promise<void> {
  for (const { name, packages, package: from, script, args, env } of servers) {
    await machine.allow({ name, program: process.execPath, args: [join(packages, from, script), ...args], env });
  }
}

/** A browser on that machine, with the servers registered and a page that may use them all without being asked. */
export async function openHosted(
  browser: BrowserName,
  machine: Machine,
  names: readonly string[],
): Promise<{ readonly scene: Scene; readonly page: Tab }> {
  const scene = await openScene({ browser, servers: {}, machine: machine.browser(browser) });
  try {
    for (const name of names) await register(scene, name);
    await saveRule(scene.control, { id: "hosted", verdict: "allow", when: {} });
    return { scene, page: await connectedPage(scene) };
  } catch (problem) {
    await scene.close();
    throw problem;
  }
}

async function register(scene: Scene, name: string): Promise<void> {
  const draft = { name, url: `local:${name}`, trust: "trusted" } as const;
  const { server, problem } = await scene.control.ask("server.add", { draft });
  if (!server) throw new Error(`${name} could not be added: ${problem}`);
}

export async function walkServer(
  { scene, page }: { readonly scene: Scene; readonly page: Tab },
  server: HostedServer,
): Promise<HostRow> {
  const notes: string[] = [];
  let calls = 0;
  let tools = 0;
  const call = async (one: HostedServer["calls"][number], what: string) => {
    const ending = await callShort(page, { server: server.name, name: one.name, arguments: one.arguments });
    calls += 1;
    const wrong = problemOf(ending, one.says);
    if (wrong !== undefined) throw new Error(`${what}: ${wrong}`);
    return ending;
  };
  try {
    tools = (await page.evaluate((name: string) => window.agent.tools(name), server.name)).length;
    if (tools === 0) throw new Error("list: no tools");
    await call(server.calls[0], "first call");
    const second = await call(server.calls[1], "second call");
    if (server.calls[1].says === undefined && !second.ok) notes.push("answers with an error of its own");
    if (server.big) {
      const { length, ms } = await call(server.big, "big call");
      if (length < 4_000_000) throw new Error(`big call: ${length} characters`);
      notes.push(`${(length / 1e6).toFixed(1)} MB of text in ${Math.round(ms)} ms`);
    }
    notes.push(await cancel(page, server));
    await call(server.calls[1], "after the cancelled call");
    await scene.control.ask("local.restart", { name: server.name });
    await call(server.calls[1], "after the restart");
    return row({ ok: true });
  } catch (problem) {
    notes.push(problem instanceof Error ? problem.message : String(problem));
    return row({ ok: false });
  }

  function row({ ok }: { readonly ok: boolean }): HostRow {
    const { version } = JSON.parse(readFileSync(join(server.packages, server.package, "package.json"), "utf8"));
    const { browser } = scene.driver;
    return { server: server.package, version, browser, tools, calls, ok, note: notes.filter(Boolean).join("; ") };
  }
}

/** The ending, with the text cut to its last part: a page's answer of megabytes is not carried to the test. */
async function callShort(page: Tab, errand: Errand): Promise<Ending & { readonly length: number }> {
  return page.evaluate(async (what: Errand) => {
    const ending = await window.agent.call(what);
    return { ...ending, length: ending.text.length, text: ending.text.slice(-20_000) };
  }, errand);
}

/** A server's own error is its answer; navra's has a name. */
function problemOf(ending: Ending, says: RegExp | undefined): string | undefined {
  if (ending.refusal?.name !== undefined) return `${ending.refusal.name}: ${ending.text.slice(0, 200)}`;
  if (says === undefined || (ending.ok && says.test(ending.text))) return undefined;
  return `another answer: ${ending.text.slice(0, 200)}`;
}

async function cancel(page: Tab, server: HostedServer): Promise<string> {
  const { name, arguments: args } = server.slow ?? server.calls[0];
  const key = `cancelled ${server.name}`;
  const open = callShort(page, { server: server.name, name, arguments: args, key });
  open.catch(() => undefined);
  // A slow one is at work by then; of a quick one it shows only that nothing breaks.
  const after = server.slow ? 1_000 : 5;
  await page.evaluate(
    (which: string, ms: number) => new Promise((resolve) => setTimeout(() => resolve(window.agent.cancel(which)), ms)),
    key,
    after,
  );
  const began = Date.now();
  const ending = await until(() => open, { what: "the cancelled call to end", timeoutMs: 10_000 });
  if (!server.slow) return ending.ok ? "answered before it was cancelled" : "";
  if (ending.ok || Date.now() - began > 5_000) throw new Error("cancel: the call went on");
  return "";
}
