/**
 * The client role: the suite is the server. Each scenario is acted out by the page against the suite's own address, as a
 * server that the person registered and connected. One scenario at a time: they measure times, and share one machine.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { until } from "../drivers/wait.ts";
import type { Place } from "./place.ts";
import { runSuite, type SuiteRun } from "./suite.ts";

const COMMAND = fileURLToPath(new URL("./client-command.mjs", import.meta.url));
/** A scenario that takes longer is left; what the suite saw until then counts. */
const SCENARIO_MS = 20_000;
const QUIET_MS = 3000;

export async function clientRole(place: Place, revision: string): Promise<SuiteRun> {
  let lastAsked = Number.POSITIVE_INFINITY;
  // The suite starts all its clients at once and is busy with that; its servers answer late until it is done.
  let turn: Promise<unknown> = until(async () => Date.now() - lastAsked > QUIET_MS, {
    what: "the suite to have started",
    timeoutMs: 120_000,
  });
  const door = createServer((request, response) => {
    let text = "";
    lastAsked = Date.now();
    request.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
    request.on("end", () => {
      const mine = turn.then(() => actOut(place, JSON.parse(text) as Asked));
      turn = mine.catch(() => undefined);
      mine
        .catch((thrown: unknown) => String(thrown))
        .then((problem) => response.end(JSON.stringify(problem === undefined ? {} : { problem })));
    });
  });
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
  const { port } = door.address() as AddressInfo;
  try {
    return await runSuite({
      leg: "client",
      revision,
      // The suite splits the command at blanks.
      args: ["--command", `${process.execPath} ${COMMAND}`, "--timeout", "600000"],
      environment: { NAVRA_CONFORMANCE_RUNNER: `http://127.0.0.1:${port}/` },
    });
  } finally {
    door.close();
    door.closeAllConnections();
  }
}

interface Asked {
  readonly scenario: string;
  readonly version: string;
  readonly url: string;
  readonly context?: string;
}

async function actOut(place: Place, { scenario, version, url, context }: Asked): Promise<string | undefined> {
  const server = await place.connect(url);
  try {
    const errand = { scenario, version, server: server.name, ...(context !== undefined && { context }) };
    const problem = await within(SCENARIO_MS, place.page.act(errand));
    const seen = server.problem === undefined ? [] : [`When it was added: ${server.problem}`];
    return problem === undefined ? undefined : [problem, ...seen].join("\n");
  } finally {
    // Ends its sessions and streams too: a stream that stays open would keep the suite from ending.
    await place.disconnect(server);
  }
}

function within(ms: number, work: Promise<string | undefined>): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(`The scenario did not end within ${ms} ms.`), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
