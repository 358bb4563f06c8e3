/** Real local servers: that calls take the same way as every other, and how a program lives, dies and is started again. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DOOR_PAGES } from "../../src/bridge/doors.ts";
import type { Scene } from "../demo/scene.ts";
import type { Tab } from "../drivers/driver.ts";
import { until } from "../drivers/wait.ts";
import { createMachine, type Machine } from "../hosts/machine.ts";
import { everythingServer } from "../hosts/servers.ts";
import { allowAll, openHosted, prepareWork, walkServer } from "../hosts/walk.ts";
import { journeyBrowsers } from "./browsers.ts";
import { call, recordOf, startCall } from "./journey.ts";

const LOCAL_PAGE = `${DOOR_PAGES.dashboard}#servers/local`;

/** Two of the same real server, told apart by how they are started. `npm run hosts` walks fifteen different ones. */
const EVERYTHING = everythingServer({ name: "everything" });
const TWIN = everythingServer({ name: "twin", args: ["stdio"] });
const SCRIPT = join(EVERYTHING.packages, EVERYTHING.package, EVERYTHING.script);
const CRASHING = fileURLToPath(new URL("../host/children/child.mjs", import.meta.url));

describe.each(journeyBrowsers())("Real local servers in %s", (browser) => {
  let machine: Machine;
  let hosted: { readonly scene: Scene; readonly page: Tab };
  beforeAll(async () => {
    machine = await createMachine();
    prepareWork(machine.work);
    await allowAll(machine, [EVERYTHING, TWIN]);
    await machine.allow({ name: "crashing", program: process.execPath, args: [CRASHING, "exits"] });
    hosted = await openHosted(browser, machine, ["everything", "twin", "crashing"]);
  });
  afterAll(async () => {
    await hosted?.scene.close();
    await machine?.discard();
  });

  const processesOf = (name: "everything" | "twin") => {
    const ending = name === "twin" ? `${SCRIPT} stdio ` : `${SCRIPT} `;
    return machine.processes().filter((line) => line.endsWith(ending));
  };

  it("are listed, called, cancelled and restarted", async () => {
    const row = await walkServer(hosted, EVERYTHING);
    expect(row.ok, row.note).toBe(true);
  });

  it("fail only the calls of a program that died, by its name, and the next call finds a fresh one", async () => {
    const { scene, page } = hosted;
    const slow = "trigger-long-running-operation";
    const other = startCall(page, {
      server: "everything",
      name: slow,
      arguments: { duration: 2, steps: 2 },
      key: "other",
    });
    const dying = startCall(page, { server: "twin", name: slow, arguments: { duration: 60, steps: 60 }, key: "dying" });
    await page.waitFor(() => window.agent.reports("dying") > 0);
    // navra looks at the list again in a run of its own, because this server says at its start that it changed.
    const alone = { what: "the run of the call to be alone", timeoutMs: 20_000 };
    await until(async () => processesOf("twin").length === 1, alone);
    const [line = ""] = processesOf("twin");
    kill(line);
    const ending = await dying.ending;
    expect(ending).toMatchObject({ ok: false, refusal: { name: "upstream-broken", retry: "check" } });
    expect(ending.text).toContain("twin");
    expect(await recordOf(scene.control, slow, "twin")).toMatchObject({
      outcome: { kind: "fault", name: "upstream-broken" },
    });
    const again = await call(page, { server: "twin", name: "echo", arguments: { message: "alive" }, key: "again" });
    expect(again).toMatchObject({ ok: true, text: expect.stringContaining("alive") });
    expect(await other.ending).toMatchObject({ ok: true });
  });

  it("show what they wrote beside their messages, and how their last run ended", async () => {
    const page = await hosted.scene.driver.extensionPage(LOCAL_PAGE);
    await page.waitFor('[data-local="twin"] button[aria-expanded]');
    await page.click('[data-local="twin"] button[aria-expanded]');
    await page.waitFor('[data-log="twin"] .slip');
    expect(await page.text('[data-log="twin"]')).toContain("Starting default (STDIO) server");
    expect(await page.text('[data-local="twin"]')).toMatch(/SIGKILL/);
    await page.click("[data-act=check-all]");
    await page.waitFor("[data-act=check-all]:not([disabled])");
    await page.close();
  });

  it("are stopped when they crash again and again, in words that say so, until the person restarts them", async () => {
    const { scene } = hosted;
    const id = (await scene.control.ask("servers.read", null)).servers.find(({ server }) => server.name === "crashing")
      ?.server.id;
    const problem = async () => {
      const { health } = await scene.control.ask("server.test", { id: id ?? "" });
      return health.state === "failing" ? health.problem : "";
    };
    expect(await problem()).toContain("crashing ended with code 7");
    await until(async () => (await problem()).includes("crashed again and again and was stopped"), {
      what: "the server to be stopped",
      timeoutMs: 30_000,
    });
    const page = await scene.driver.extensionPage(LOCAL_PAGE);
    await page.waitFor('[data-local="crashing"]');
    expect(await page.text('[data-local="crashing"]')).toContain("stopped");
    await page.click('[data-local="crashing"] [data-act=restart]');
    await until(async () => !(await page.text('[data-local="crashing"]')).includes("stopped"), {
      what: "the page to show that it may start again",
      timeoutMs: 5_000,
    });
    await page.close();
    expect(await problem()).toContain("crashing ended with code 7");
  });

  it("begin anew after the browser ended the worker", async () => {
    const { scene, page } = hosted;
    await scene.driver.killWorker();
    await until(async () => processesOf("everything").length === 0, {
      what: "the programs to end with the port",
      timeoutMs: 10_000,
    });
    const ending = await call(page, { server: "everything", name: "echo", arguments: { message: "anew" } });
    expect(ending).toMatchObject({ ok: true, text: expect.stringContaining("anew") });
  });

  it("leave no program behind when the browser is killed", async () => {
    // The browser names its profile; the helper lies in it, and the servers only work there.
    const browsers = machine
      .processes()
      .filter((line) => line.includes(machine.folder) && !line.includes("navra-host"));
    expect(browsers).not.toEqual([]);
    expect(processesOf("everything")).not.toEqual([]);
    for (const line of browsers) kill(line);
    await until(async () => machine.processes().length === 0, {
      what: "every program to end",
      timeoutMs: 10_000,
    });
    rmSync(machine.work, { recursive: true, force: true });
  });
});

/** The process of that line, which may have gone with another one. */
function kill(line: string): void {
  try {
    process.kill(Number.parseInt(line, 10), "SIGKILL");
  } catch (problem) {
    if ((problem as NodeJS.ErrnoException).code !== "ESRCH") throw problem;
  }
}
