/** Once before all journeys: the agent page, the servers' packages, and extension and host where they were not built just now. */
import { bundleAgentPage } from "../demo/serve.ts";
import { buildHost } from "../hosts/machine.ts";
import { installFolder } from "../servers/install.ts";
import { runTool } from "../tools/run.ts";
import { journeyBrowsers } from "./browsers.ts";

export async function setup(): Promise<void> {
  installFolder("servers");
  await bundleAgentPage();
  if (process.env.NAVRA_BUILT === "1") return;
  await buildHost();
  if (process.env.NAVRA_DIST !== undefined) return;
  for (const browser of journeyBrowsers()) {
    const { code, output } = await runTool("vite", ["build", "--mode", browser, "--logLevel", "warn"]);
    if (code !== 0) throw new Error(output);
  }
}
