/**
 * The helper for local servers, from a browser without it to a program behind it: what the person is told and how it is
 * repaired, and who decides what runs.
 */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DOOR_PAGES } from "../../src/bridge/doors.ts";
import { openScene, type Scene } from "../demo/scene.ts";
import { createMachine, type Machine } from "../hosts/machine.ts";
import { everythingServer } from "../hosts/servers.ts";
import { prepareWork } from "../hosts/walk.ts";
import { journeyBrowsers } from "./browsers.ts";

const LOCAL_PAGE = `${DOOR_PAGES.dashboard}#servers/local`;

const NEWER = `const body = Buffer.from(JSON.stringify({ kind: "hello", protocol: 99, version: "9", node: "9", platform: "x" }));
const head = Buffer.alloc(4);
head.writeUInt32LE(body.length);
process.stdin.once("data", () => process.stdout.write(Buffer.concat([head, body])));`;

const MISINSTALLED = [
  {
    what: "is for another extension",
    how: { extension: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" },
    // Firefox does not tell a manifest for somebody else from none at all.
    state: { chromium: "refused", firefox: "missing" },
    command: "install",
  },
  {
    what: "speaks another protocol",
    how: { script: NEWER },
    state: { chromium: "old", firefox: "old" },
    command: "install",
  },
  { what: "ends at once", how: {}, state: { chromium: "broken", firefox: "broken" }, command: "doctor" },
] as const;

const EVERYTHING = everythingServer({ name: "everything" });
const SCRIPT = join(EVERYTHING.packages, EVERYTHING.package, EVERYTHING.script);

describe.each(journeyBrowsers())("The helper for local servers in %s", (browser) => {
  let machine: Machine;
  let scene: Scene;
  beforeAll(async () => {
    machine = await createMachine({ installed: false });
    prepareWork(machine.work);
    scene = await openScene({ browser, servers: {}, machine: machine.browser(browser) });
  });
  afterAll(async () => {
    await scene?.close();
    await machine?.discard();
  });

  it("says that it is missing, with the one command that installs it, where the person looks", async () => {
    const page = await scene.driver.extensionPage(LOCAL_PAGE);
    await page.waitFor('[data-helper="missing"]');
    expect(await page.text('[data-helper="missing"]')).toContain("node dist/host/navra-host.mjs install");
    const draft = { name: "notes", url: "local:notes", trust: "trusted" } as const;
    const { server } = await scene.control.ask("server.add", { draft });
    expect(await scene.control.ask("server.test", { id: server?.id ?? "" })).toMatchObject({
      health: { state: "failing", problem: expect.stringContaining("not installed") },
    });
    const site = await scene.agentPage();
    const popup = await scene.driver.openPopup(site);
    await popup.waitFor("#helper");
    expect(await popup.text(".p-now")).toContain("node dist/host/navra-host.mjs install");
    await popup.close();
    await page.close();
  });

  it.each(MISINSTALLED)("says what repairs a helper that $what", async ({ how, state, command }) => {
    machine.misinstall(how);
    expect((await scene.control.ask("local.read", null)).host.state).toBe(state[browser]);
    const page = await scene.driver.extensionPage(LOCAL_PAGE);
    await page.waitFor(`[data-helper="${state[browser]}"]`);
    expect(await page.text(".cmd")).toContain(`node dist/host/navra-host.mjs ${command}`);
    await page.close();
  });

  it("works as soon as it is installed, and starts nothing that was not allowed", async () => {
    const { code, output } = await machine.navraHost(["install"]);
    expect(code, output).toBe(0);
    const view = await scene.control.ask("local.read", null);
    expect(view).toMatchObject({ host: { state: "ready", same: true }, servers: [], waiting: [] });
    const [notes] = (await scene.control.ask("servers.read", null)).servers;
    expect(await scene.control.ask("server.test", { id: notes?.server.id ?? "" })).toMatchObject({
      health: { state: "failing", problem: expect.stringContaining("was not allowed on this machine") },
    });
  });

  it("only stores what is proposed, shows the same four words on both screens, and runs it after a yes", async () => {
    const page = await scene.driver.extensionPage(LOCAL_PAGE);
    await page.waitFor("#local-name");
    await page.type("#local-name", "notes");
    await page.type("#local-program", process.execPath);
    await page.type("#local-args", SCRIPT);
    await page.type("#local-cwd", machine.work);
    await page.click(".form button[type=submit]");
    await page.waitFor("[data-words]");
    const words = (await page.text("[data-words]")).trim();
    expect(words.split(" ")).toHaveLength(4);
    await page.waitFor('[data-waiting="notes"]');

    const [notes] = (await scene.control.ask("servers.read", null)).servers;
    const id = notes?.server.id ?? "";
    expect((await scene.control.ask("server.test", { id })).health.state).toBe("failing");
    expect((await machine.navraHost(["review"])).code).not.toBe(0);

    const refused = await machine.terminal(["review"], "no\n");
    expect(refused.output).toContain(words);
    expect((await scene.control.ask("server.test", { id })).health.state).toBe("failing");

    const proposal = { name: "notes", program: process.execPath, args: [SCRIPT], cwd: machine.work, env: [] };
    expect(await scene.control.ask("local.propose", { proposal })).toEqual({ words });
    const allowed = await machine.terminal(["review"], "yes\n");
    expect(allowed.output).toContain(words);
    expect(await scene.control.ask("server.test", { id })).toMatchObject({
      health: { state: "ok" },
      catalogue: { serverName: expect.stringContaining("everything") },
    });
    await page.close();
  });

  it("refuses in its own words what could run anything", async () => {
    const proposal = { name: "shell", program: process.execPath, args: ["-e", "1"], cwd: "", env: [] };
    await scene.control.ask("local.propose", { proposal });
    const { output } = await machine.terminal(["review"], "yes\n");
    expect(output).toContain("cannot be allowed");
    expect((await scene.control.ask("local.read", null)).servers.map(({ name }) => name)).toEqual(["notes"]);
  });
});
