/**
 * `npm start`: builds, starts two real servers, serves the agent page, and opens it in a browser with navra and example
 * rules. `npm start -- --once [--browser chromium|firefox]` walks the same way headless and prints a table; so does a
 * machine without a display.
 */
import { parseArgs } from "node:util";
import { BROWSERS, type BrowserName, findBrowser, installedBrowser } from "../browsers/find.ts";
import { runTool } from "../tools/run.ts";
import { openScene, type Scene } from "./scene.ts";
import { bundleAgentPage } from "./serve.ts";
import { saveExampleRules, walk } from "./walk.ts";

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { once: { type: "boolean" }, browser: { type: "string" } } });
  const browser = chooseBrowser(values.browser);
  if (browser === undefined) {
    console.error(`--browser takes ${BROWSERS.join(" or ")}.`);
    return 2;
  }
  const visible = values.once !== true && hasDisplay();
  if (values.once !== true && !visible) console.log("There is no display here, so this walks without one.\n");

  console.log(`Browser: ${await findBrowser(browser)}`);
  await Promise.all([buildExtension(browser), bundleAgentPage()]);
  const scene = await openScene({ browser, servers: { everything: true, share: true }, visible });
  try {
    await saveExampleRules(scene);
    return visible ? await show(scene) : await walkOnce(scene);
  } finally {
    await scene.close();
  }
}

/** An installed one before one that must be brought. */
function chooseBrowser(wanted: string | undefined): BrowserName | undefined {
  if (wanted !== undefined) return BROWSERS.find((browser) => browser === wanted);
  return BROWSERS.find((browser) => installedBrowser(browser) !== undefined) ?? "chromium";
}

function hasDisplay(): boolean {
  if (process.platform !== "linux") return true;
  return Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

async function buildExtension(browser: BrowserName): Promise<void> {
  const { code, output } = await runTool("vite", ["build", "--mode", browser, "--logLevel", "warn"]);
  if (code !== 0) throw new Error(output);
}

async function walkOnce(scene: Scene): Promise<number> {
  const problems = await walk(scene);
  for (const problem of problems) console.error(problem);
  return problems.length === 0 ? 0 : 1;
}

async function show(scene: Scene): Promise<number> {
  const page = await scene.agentPage();
  await page.front();
  console.log(`The agent page is open at ${scene.site.url}`);
  console.log(`  everything  ${scene.servers.everything}\n  srift       ${scene.servers.share}`);
  console.log("Press Connect there. Close the browser, or press Ctrl-C here, to end.");
  const interrupted = new Promise<void>((resolve) => process.once("SIGINT", () => resolve()));
  await Promise.race([scene.driver.ended(), interrupted]);
  return 0;
}

process.exitCode = await main();
// A browser or a server that hangs must not keep a finished demo alive.
setTimeout(() => process.exit(), 2000).unref();
