/**
 * Local servers, from a browser without the helper to real programs behind it: what the person is told, who decides what
 * runs, and that calls take the same way as every other.
 */
import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DOOR_PAGES } from "../../src/bridge/doors.ts";
import { installedBrowser } from "../browsers/find.ts";
import { openScene, type Scene } from "../demo/scene.ts";
import type { Tab } from "../drivers/driver.ts";
import { until } from "../drivers/wait.ts";
import { buildHost, createMachine, type Machine } from "../hosts/machine.ts";
import { hostedServers } from "../hosts/servers.ts";
import { allowAll, openHosted, prepareWork, walkServer } from "../hosts/walk.ts";
import { installFolder } from "../servers/install.ts";
import { journeyBrowsers } from "./browsers.ts";
import { call, recordOf, startCall } from "./journey.ts";

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

/** The real servers take a gigabyte of packages; `NAVRA_HOSTS=1` brings them, as `npm run hosts` does. */
const WITH_SERVERS = process.env.NAVRA_HOSTS === "1";
const FEW: ReadonlySet<string> = new Set(["filesystem", "everything", "memory", "runner"]);

beforeAll(async () => {
  if (WITH_SERVERS) installFolder("hosts");
  await buildHost();
}, 300_000);

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

  it.runIf(WITH_SERVERS)(
    "only stores what is proposed, shows the same four words on both screens, and runs it after a yes",
    async () => {
      const page = await scene.driver.extensionPage(LOCAL_PAGE);
      await page.waitFor("#local-name");
      const [memory] = hostedServers(machine.work, "").filter(({ name }) => name === "memory");
      const script = new URL(`../hosts/node_modules/${memory?.package}/${memory?.script}`, import.meta.url).pathname;
      await page.type("#local-name", "notes");
      await page.type("#local-program", process.execPath);
      await page.type("#local-args", script);
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

      const proposal = { name: "notes", program: process.execPath, args: [script], cwd: machine.work, env: [] };
      expect(await scene.control.ask("local.propose", { proposal })).toEqual({ words });
      const allowed = await machine.terminal(["review"], "yes\n");
      expect(allowed.output).toContain(words);
      expect(await scene.control.ask("server.test", { id })).toMatchObject({
        health: { state: "ok" },
        catalogue: { serverName: expect.stringContaining("memory") },
      });
      await page.close();
    },
  );

  it.runIf(WITH_SERVERS)("refuses in its own words what could run anything", async () => {
    const proposal = { name: "shell", program: process.execPath, args: ["-e", "1"], cwd: "", env: [] };
    await scene.control.ask("local.propose", { proposal });
    const { output } = await machine.terminal(["review"], "yes\n");
    expect(output).toContain("cannot be allowed");
    expect((await scene.control.ask("local.read", null)).servers.map(({ name }) => name)).toEqual(["notes"]);
  });
});

describe.runIf(WITH_SERVERS).each(journeyBrowsers())("Real local servers in %s", (browser) => {
  let machine: Machine;
  let hosted: { readonly scene: Scene; readonly page: Tab };
  const chromium = installedBrowser("chromium") ?? "";
  // A few of them here; `npm run hosts` walks the whole table.
  const named = hostedServers("", chromium)
    .map(({ name }) => name)
    .filter((name) => FEW.has(name));
  beforeAll(async () => {
    machine = await createMachine();
    prepareWork(machine.work);
    await allowAll(
      machine,
      hostedServers(machine.work, chromium).filter(({ name }) => FEW.has(name)),
    );
    hosted = await openHosted(browser, machine, named);
  }, 240_000);
  afterAll(async () => {
    await hosted?.scene.close();
    await machine?.discard();
  });

  it.each(named)("%s is listed, called, cancelled and restarted", async (name) => {
    const [server] = hostedServers(machine.work, chromium).filter((one) => one.name === name);
    if (!server) throw new Error(`${name} is not in the table.`);
    const row = await walkServer(hosted, server);
    expect(row.ok, row.note).toBe(true);
  });

  it("fails only the calls of a program that died, by its name, and records them", async () => {
    const { scene, page } = hosted;
    const other = startCall(page, {
      server: "everything",
      name: "trigger-long-running-operation",
      arguments: { duration: 2, steps: 2 },
      key: "other",
    });
    const slow = { code: "setTimeout(() => {}, 20000)", languageId: "javascript" };
    const dying = startCall(page, { server: "runner", name: "run-code", arguments: slow, key: "dying" });
    const pids = () => machine.processes().filter((line) => line.includes("mcp-server-code-runner"));
    const [pid] = await until(async () => (pids().length > 0 ? pids() : undefined), {
      what: "the program",
      timeoutMs: 10_000,
    });
    process.kill(Number.parseInt(pid ?? "", 10), "SIGKILL");
    const ending = await dying.ending;
    expect(ending).toMatchObject({ ok: false, refusal: { name: "upstream-broken", retry: "check" } });
    expect(ending.text).toContain("runner");
    expect(await other.ending).toMatchObject({ ok: true });
    expect(await recordOf(scene.control, "run-code")).toMatchObject({
      outcome: { kind: "fault", name: "upstream-broken" },
    });
    const again = { name: "run-code", arguments: { code: "console.log('alive')", languageId: "javascript" } };
    await until(async () => (await call(page, { server: "runner", ...again, key: "again" })).ok, {
      what: "the program to be started again",
      timeoutMs: 90_000,
    });
  }, 150_000);

  it("shows what a program wrote beside its messages, and how its last run ended", async () => {
    const page = await hosted.scene.driver.extensionPage(LOCAL_PAGE);
    await page.waitFor('[data-local="filesystem"] button[aria-expanded]');
    await page.click('[data-local="filesystem"] button[aria-expanded]');
    await page.waitFor('[data-log="filesystem"] .slip');
    expect(await page.text('[data-log="filesystem"]')).toContain("Filesystem");
    expect(await page.text('[data-local="runner"]')).toMatch(/SIGKILL|signal/);
    await page.click("[data-act=check-all]");
    await page.waitFor("[data-act=check-all]:not([disabled])");
    await page.close();
  });

  it("begins anew after the browser ended the worker", async () => {
    const { scene, page } = hosted;
    await scene.driver.killWorker();
    await until(async () => machine.processes().every((line) => !line.includes("server-memory")), {
      what: "the programs to end with the port",
      timeoutMs: 10_000,
    });
    const ending = await call(page, { server: "memory", name: "read_graph", arguments: {} });
    expect(ending).toMatchObject({ ok: true, text: expect.stringContaining("writes programs") });
  });

  it("leaves no program behind when the browser ends", async () => {
    await hosted.scene.driver.close();
    await until(async () => machine.processes().length === 0, {
      what: "every program to end",
      timeoutMs: 10_000,
    });
    rmSync(machine.work, { recursive: true, force: true });
  });
});
