/**
 * `npm run conformance`: the official suite against the built extension in real browsers, in both roles and both wires.
 * Writes `results/conformance.json` and exits with 1 when a scenario failed that must pass. `--browser` and `--leg` narrow it
 * down, `--log` names a folder for what the suite printed.
 */
import { parseArgs } from "node:util";
import { installFolder } from "../servers/install.ts";

const { values } = parseArgs({
  options: {
    browser: { type: "string", multiple: true },
    leg: { type: "string", multiple: true },
    log: { type: "string" },
  },
});

installFolder("conformance");
installFolder("conformance/suite");
const { conduct } = await import("./conduct.ts");
process.exit((await conduct(values)) ? 0 : 1);
