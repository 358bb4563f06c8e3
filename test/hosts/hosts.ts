/**
 * `npm run hosts [-- --browser chromium]`: real servers from npm behind the native host, through navra, in both browsers.
 * Prints a table and writes `results/hosts.json`. Exits with 1 when one of them fails.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { BROWSERS, findBrowser } from "../browsers/find.ts";
import { bundleAgentPage } from "../demo/serve.ts";
import { installFolder } from "../servers/install.ts";
import { runTool } from "../tools/run.ts";
import { buildHost, createMachine } from "./machine.ts";
import { hostedServers } from "./servers.ts";
import { allowAll, type HostRow, openHosted, prepareWork, walkServer } from "./walk.ts";

const { values } = parseArgs({ options: { browser: { type: "string" }, only: { type: "string" } } });

async function main(): Promise<readonly HostRow[]> {
  installFolder("hosts");
  await bundleAgentPage();
  await buildHost();
  const rows: HostRow[] = [];
  for (const browser of BROWSERS.filter((one) => values.browser === undefined || one === values.browser)) {
    const { code, output } = await runTool("vite", ["build", "--mode", browser, "--logLevel", "warn"]);
    if (code !== 0) throw new Error(output);
    const machine = await createMachine();
    try {
      prepareWork(machine.work);
      const chromium = await findBrowser("chromium");
      const servers = hostedServers(machine.work, chromium).filter(
        ({ name }) => values.only === undefined || values.only.split(",").includes(name),
      );
      await allowAll(machine, servers);
      const hosted = await openHosted(
        browser,
        machine,
        servers.map(({ name }) => name),
      );
      try {
        for (const server of servers) rows.push(shown(await walkServer(hosted, server)));
      } finally {
        await hosted.scene.close();
      }
    } finally {
      await machine.discard();
    }
  }
  return rows;
}

function shown(row: HostRow): HostRow {
  const { server, version, browser, tools, calls, ok, note } = row;
  const figures = `${String(tools).padStart(3)} tools ${String(calls).padStart(2)} calls`;
  console.log(`${ok ? "ok  " : "FAIL"} ${browser.padEnd(9)} ${`${server} ${version}`.padEnd(58)} ${figures}  ${note}`);
  return row;
}

const rows = await main();
const folder = new URL("../../results/", import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL("hosts.json", folder), `${JSON.stringify(rows, null, 2)}\n`);
const failed = rows.filter(({ ok }) => !ok).length;
console.log(`${rows.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 && rows.length > 0 ? 0 : 1);
