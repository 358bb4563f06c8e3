/**
 * The built host in its own process: installed, filled and asked by a person, called by browsers, killed in the middle. On
 * Linux for real; what differs elsewhere is in the tables of `plans.test.ts`.
 */
import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { NATIVE_PROTOCOL } from "../../src/bridge/native.ts";
import { alive, buildHost, CHROMIUM_CALLER, callHost, canType, runHost, typeAtHost, until } from "./program.ts";

const NOBODY = 65534;
const CHILD = new URL("children/child.mjs", import.meta.url).pathname;

let built: string;
beforeAll(async () => {
  built = await buildHost();
});
afterAll(() => rmSync(dirname(built), { recursive: true, force: true }));

let profile: string;
beforeEach(() => {
  profile = mkdtempSync(join(tmpdir(), "navra-profile-"));
});
afterEach(() => rmSync(profile, { recursive: true, force: true }));

const home = () => join(profile, "navra-host");
const notes = () => join(profile, "pids");
const run = (command: string, ...args: string[]) => runHost(built, [command, "--profile", profile, ...args]);
const add = (kind: string) => run("add", kind, "--yes", "--", "node", CHILD, kind, notes());
const hello = { kind: "hello", protocol: NATIVE_PROTOCOL, version: "0.1.0" } as const;

describe.runIf(process.platform === "linux")("A person", () => {
  it("installs for one profile, and uninstall leaves nothing of it", () => {
    const before = readdirSync(profile);
    expect(run("install").code).toBe(0);
    expect(statSync(join(home(), "program", "navra-host")).mode & 0o111).not.toBe(0);
    expect(add("echo").code).toBe(0);
    expect(run("uninstall").code).toBe(2);
    expect(run("uninstall", "--yes").code).toBe(0);
    expect(readdirSync(profile)).toEqual(before);
  });

  it("installs for the browsers that are there and for no other, and uninstall leaves them as they were", () => {
    mkdirSync(join(profile, ".config", "chromium"), { recursive: true });
    const env = { HOME: profile, XDG_CONFIG_HOME: "", XDG_DATA_HOME: "" };
    const person = process.getuid?.() === 0 ? { env, uid: NOBODY } : { env };
    if (person.uid !== undefined) {
      for (const path of [profile, join(profile, ".config"), join(profile, ".config", "chromium")]) {
        chownSync(path, NOBODY, NOBODY);
      }
      chmodSync(dirname(built), 0o755);
    }
    const before = readdirSync(profile, { recursive: true }).sort();
    expect(runHost(built, ["install"], person)).toMatchObject({
      code: 0,
      out: expect.stringContaining("with Chromium"),
    });
    expect(existsSync(join(profile, ".config", "chromium", "NativeMessagingHosts", "dev.navra.host.json"))).toBe(true);
    expect(existsSync(join(profile, ".config", "google-chrome"))).toBe(false);
    expect(runHost(built, ["add", "one", "--yes", "--", "true"], person).code).toBe(0);
    expect(statSync(join(profile, ".config", "navra-host", "servers.json")).mode & 0o777).toBe(0o600);
    expect(runHost(built, ["doctor"], person).code).toBe(0);
    if (person.uid !== undefined) {
      const all = runHost(built, ["install", "--system"], person);
      expect(all).toMatchObject({ code: 2, err: expect.stringMatching(/You may not write .*with sudo/) });
    }
    expect(runHost(built, ["uninstall", "--yes"], person).code).toBe(0);
    const made = new Set([".local", ".local/share"]);
    expect(
      readdirSync(profile, { recursive: true })
        .map(String)
        .filter((one) => !made.has(one))
        .sort(),
    ).toEqual(before);
  });

  it.runIf(process.getuid?.() === 0)("who is root must say what that is to mean", () => {
    for (const command of ["install", "uninstall", "add", "review", "remove"]) {
      const done = runHost(built, [command, "x"], { env: { HOME: profile } });
      expect(done).toMatchObject({ code: 2, err: expect.stringContaining("without sudo") });
    }
    // A list is a person's: root's own is read by no browser.
    const done = runHost(built, ["add", "x", "--system", "--yes", "--", "true"], { env: { HOME: profile } });
    expect(done).toMatchObject({ code: 2, err: expect.stringContaining("without sudo") });
    expect(done.err).not.toContain("--system");
    expect(readdirSync(profile)).toEqual([]);
  });

  it("adds, lists and removes", () => {
    expect(add("echo").out).toContain("echo is allowed");
    expect(run("list").out).toContain(CHILD);
    expect(run("remove", "echo").code).toBe(0);
    expect(run("list").out).toContain("Nothing is allowed");
    expect(run("remove", "echo")).toMatchObject({
      code: 2,
      err: expect.stringContaining(`navra-host.mjs list --profile ${profile}`),
    });
  });

  it("may add several at once, and none is lost", async () => {
    const names = ["one", "two", "three", "four"];
    const codes = await Promise.all(
      names.map((name) => {
        const args = [built, "add", name, "--profile", profile, "--yes", "--", "node", CHILD, "echo"];
        const child = spawn(process.execPath, args, { stdio: "ignore" });
        return new Promise((resolve) => child.on("exit", resolve));
      }),
    );
    expect(codes).toEqual([0, 0, 0, 0]);
    const { servers } = JSON.parse(readFileSync(join(home(), "servers.json"), "utf8"));
    expect(servers.map((server: { name: string }) => server.name).sort()).toEqual([...names].sort());
    expect(readdirSync(home()).filter((file) => /lock|new/.test(file))).toEqual([]);
  });

  it.each([
    [["-y", "server"], "npm view server version"],
    [["--call=x", "server@1.0.0"], "--call"],
  ])("is refused what cannot be pinned, with the remedy", (args, remedy) => {
    const done = run("add", "x", "--yes", "--", "npx", ...args);
    expect(done).toMatchObject({ code: 1, err: expect.stringContaining(remedy) });
    expect(existsSync(join(home(), "servers.json"))).toBe(false);
  });

  it("reads in what others wrote nothing that steers the terminal", () => {
    const foreign = "\u001b[2Jmail is allowed\n";
    const done = run("add", "x", "--yes", "--", `${foreign}program`);
    expect(done).toMatchObject({ code: 1, err: expect.stringContaining("\\u{1b}[2Jmail is allowed\\u{a}program") });
    expect(done.err).not.toContain("\u001b");
    mkdirSync(join(home(), "logs"), { recursive: true });
    writeFileSync(join(home(), "logs", "host.log"), `${foreign}\n`);
    for (const command of ["logs", "doctor"]) expect(run(command).out).not.toContain("\u001b");
  });

  it("may use the installed launcher, which knows its profile", () => {
    run("install");
    const launcher = join(home(), "program", "navra-host");
    const asked = (...args: string[]) => spawnSync(launcher, args, { encoding: "utf8" });
    expect(asked("add", "echo", "--yes", "--", "node", CHILD, "echo").status).toBe(0);
    expect(asked("list").stdout).toBe(run("list").out);
    expect(asked("doctor").stdout).toContain(join(profile, "NativeMessagingHosts"));
  });

  it("cannot be taken for one by a program without a terminal", () => {
    expect(run("add", "x", "--", "node", CHILD)).toMatchObject({ code: 2, err: expect.stringContaining("terminal") });
    expect(run("review")).toMatchObject({ code: 2, err: expect.stringContaining("terminal") });
  });

  it("is told by doctor what is wrong, and by which command it is repaired", () => {
    // What it says to type is typed, word for word.
    const [remedy = ""] = run("doctor").out.match(/node .* install.*/) ?? [];
    expect(spawnSync("sh", ["-c", remedy], { cwd: "/" }).status).toBe(0);
    add("echo");
    expect(run("doctor").code).toBe(0);
    const manifest = join(profile, "NativeMessagingHosts", "dev.navra.host.json");
    writeFileSync(manifest, readFileSync(manifest, "utf8").replace("alojfnna", "aaaaaaaa"));
    expect(run("doctor")).toMatchObject({ code: 1, out: expect.stringContaining("another extension") });
    run("install");
    chmodSync(join(home(), "program", "navra-host"), 0o777);
    expect(run("doctor")).toMatchObject({ code: 1, out: expect.stringContaining("written by others") });
    run("install");
    chmodSync(join(home(), "program", "navra-host"), 0o644);
    expect(run("doctor")).toMatchObject({ code: 1, out: expect.stringContaining("may not be executed") });
    run("install");
    chmodSync(join(home(), "servers.json"), 0o666);
    expect(run("doctor")).toMatchObject({ code: 1, out: expect.stringContaining("chmod 600") });
  });

  it("is told by doctor of the Node that the browser's launcher starts, whichever runs in the terminal", () => {
    run("install");
    const old = join(profile, "node");
    writeFileSync(old, "#!/bin/sh\necho v18.20.4\n", { mode: 0o755 });
    const launcher = join(home(), "program", "navra-host");
    writeFileSync(launcher, readFileSync(launcher, "utf8").replace(process.execPath, old));
    expect(run("doctor")).toMatchObject({
      code: 1,
      out: expect.stringMatching(/FAIL Node: v18\.20\.4, .*\n.*Install Node.* install/),
    });
  });

  it.each([
    ["servers.json", "Allow-list"],
    ["proposals.json", "Proposals"],
  ])("is told by doctor and by list what to do about a %s that is no such thing", (file, what) => {
    run("install");
    for (const text of ["", "[{", '{"version":2}']) {
      writeFileSync(join(home(), file), text, { mode: 0o600 });
      expect(run("doctor").out).toMatch(new RegExp(`FAIL ${what}: .*Remove ${join(home(), file)} and`));
      expect(run("list")).toMatchObject({ code: 1, err: expect.stringContaining(`Remove ${join(home(), file)} and`) });
    }
  });
});

describe.runIf(process.platform === "linux")("A browser", () => {
  it("that starts the launcher reaches what is allowed there, and nothing else", async () => {
    run("install");
    add("echo");
    const { port, exited } = callHost(join(home(), "program", "navra-host"), [CHROMIUM_CALLER]);
    port.say(hello);
    expect(await port.open("echo", 1)).toMatchObject({ kind: "opened" });
    expect(await port.open("other", 2)).toMatchObject({ kind: "closed", reason: "not-listed" });
    port.send("echo", 1, '{"id":1,"params":{"big":1200000}}');
    expect(JSON.parse(await port.frame(1)).result.text).toHaveLength(1_200_000);
    port.close();
    expect(await exited).toBe(0);
    expect(alive(notes())).toEqual([]);
  });

  it.each([
    [["chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/"]],
    [["/some/dev.navra.host.json", "other@extension"]],
  ])("whose extension is not navra is refused, whatever its manifest says: %j", async (args) => {
    add("echo");
    const { port, exited } = callHost(built, ["--home", home(), ...args]);
    port.say(hello);
    port.say({ kind: "open", server: "echo", run: 1 });
    expect(await exited).toBe(1);
    expect(port.heard).toEqual([expect.objectContaining({ kind: "refused", reason: "caller" })]);
    expect(alive(notes())).toEqual([]);
  });

  it("may be Firefox", async () => {
    add("echo");
    const { port, exited } = callHost(built, ["--home", home(), "/x/dev.navra.host.json", "navra@navra.dev"]);
    port.say(hello);
    expect(await port.open("echo", 1)).toMatchObject({ kind: "opened" });
    port.close();
    expect(await exited).toBe(0);
  });

  it("that is killed takes every server with it, also one that does not listen", async () => {
    add("stubborn");
    const { port, child, exited } = callHost(built, ["--home", home(), CHROMIUM_CALLER]);
    port.say(hello);
    await port.open("stubborn", 1);
    await until(() => alive(notes()).length === 1);
    child.stdin.destroy();
    child.stdout.destroy();
    expect(await exited).toBe(0);
    await until(() => alive(notes()).length === 0);
  });

  it("whose host is killed has no orphans either, also of servers that fork and leave their group", async () => {
    add("forking");
    const { port, child, exited } = callHost(built, ["--home", home(), CHROMIUM_CALLER]);
    port.say(hello);
    await port.open("forking", 1);
    await until(() => alive(notes()).length === 3);
    child.kill("SIGKILL");
    await exited;
    await until(() => alive(notes()).length === 0);
  });

  it("does not disturb another one", async () => {
    add("echo");
    const [one, two] = [1, 2].map(() => callHost(built, ["--home", home(), CHROMIUM_CALLER]));
    if (!one || !two) throw new Error("Two hosts are needed.");
    for (const { port } of [one, two]) port.say(hello);
    await Promise.all([one.port.open("echo", 1), two.port.open("echo", 1)]);
    one.child.kill("SIGKILL");
    await one.exited;
    two.port.send("echo", 1, '{"id":1}');
    expect(JSON.parse(await two.port.frame(1)).id).toBe(1);
    const proposal = { name: "a", program: "node", args: ["x.js"], cwd: "", env: [] };
    expect(await two.port.ask("propose", { proposal })).toMatchObject({ result: { words: expect.any(String) } });
    two.port.close();
    expect(await two.exited).toBe(0);
  });

  it("cannot start what was replaced after it was allowed", async () => {
    const at = join(profile, "server.mjs");
    writeFileSync(at, readFileSync(CHILD));
    run("add", "echo", "--yes", "--", "node", at, "echo", notes());
    const { port, exited } = callHost(built, ["--home", home(), CHROMIUM_CALLER]);
    port.say(hello);
    expect(await port.open("echo", 1)).toMatchObject({ kind: "opened" });
    rmSync(at);
    symlinkSync(CHILD, at);
    expect(await port.open("echo", 2)).toMatchObject({ kind: "closed", reason: "changed" });
    port.close();
    await exited;
  });

  it("of another version than the host is seen by doctor, also afterwards", async () => {
    run("install");
    const { port, exited } = callHost(built, ["--home", home(), CHROMIUM_CALLER]);
    port.say({ ...hello, version: "9.8.7" });
    await port.ask("list");
    port.close();
    await exited;
    expect(run("doctor")).toMatchObject({
      code: 1,
      out: expect.stringMatching(/version 9\.8\.7 spoke last, this is .*\n.*navra-host\.mjs install/),
    });
  });

  it("that is still open when the host is uninstalled brings nothing of it back", async () => {
    const before = readdirSync(profile);
    run("install");
    add("errors-for-ever");
    const { port, exited } = callHost(join(home(), "program", "navra-host"), [CHROMIUM_CALLER]);
    port.say(hello);
    await port.open("errors-for-ever", 1);
    expect(run("uninstall", "--yes").code).toBe(0);
    const proposal = { name: "late", program: "node", args: ["x.js"], cwd: "", env: [] };
    expect(await port.ask("propose", { proposal })).toMatchObject({ problem: expect.stringContaining("uninstalled") });
    expect(await port.open("echo", 2)).toMatchObject({ kind: "closed", reason: "not-listed" });
    port.close();
    expect(await exited).toBe(0);
    rmSync(notes());
    expect(readdirSync(profile)).toEqual(before);
  });

  it("that proposes a server has it waiting, and no question it can ask allows it", async () => {
    const { port, exited } = callHost(built, ["--home", home(), CHROMIUM_CALLER]);
    port.say(hello);
    const proposal = { name: "sneaky", program: "/bin/sh", args: ["-c", "touch /tmp/x"], cwd: "", env: [] };
    expect(await port.ask("propose", { proposal })).toMatchObject({
      result: { words: expect.stringMatching(/^\w+ \w+ \w+ \w+$/) },
    });
    expect(await port.open("sneaky", 1)).toMatchObject({ kind: "closed", reason: "not-listed" });
    expect(await port.ask("list")).toMatchObject({ result: { servers: [], waiting: [{ proposal }] } });
    expect(await port.ask("health")).toMatchObject({ result: { checks: expect.any(Array) } });
    expect(await port.ask("propose", { proposal: { ...proposal, env: ["LD_PRELOAD"] } })).toMatchObject({
      problem: expect.any(String),
    });
    port.close();
    await exited;
  });
});

describe.runIf(process.platform === "linux" && canType)("At a terminal, review", () => {
  const propose = async (name: string, program: string, args: readonly string[]) => {
    const { port, exited } = callHost(built, ["--home", home(), CHROMIUM_CALLER]);
    port.say(hello);
    const answer = await port.ask("propose", { proposal: { name, program, args, cwd: "", env: [] } });
    port.close();
    await exited;
    return (answer as { result: { words: string } }).result.words;
  };
  const review = (...typed: string[]) => typeAtHost(built, ["review", "--profile", profile], typed);

  it("shows what the browser showed, and a yes allows it", async () => {
    const words = await propose("echo", process.execPath, [CHILD, "echo", notes()]);
    const shown = await review("yes");
    expect(shown).toContain(words);
    for (const part of [process.execPath, CHILD, "the script"]) expect(shown).toContain(part);
    expect(run("list").out).toContain("echo\n");
    expect(run("list").out).not.toContain("waits");
  });

  it("takes everything but a full yes for a no", async () => {
    await propose("echo", process.execPath, [CHILD, "echo"]);
    expect(await review("y")).toContain("not allowed");
    expect(run("list").out).toContain("Nothing is allowed");
    expect(run("list").out).not.toContain("waits");
  });

  it("does not even ask about what can never be allowed", async () => {
    await propose("shell", "bash", ["-c", "true"]);
    expect(await review("yes")).toContain("cannot be allowed like this");
    expect(run("list").out).toContain("Nothing is allowed");
  });

  it("shows hidden characters as what they are", async () => {
    await propose("echo", process.execPath, [CHILD, "\u202egnp.exe\u001b[2J"]);
    const shown = await review("no");
    expect(shown).toContain("\\u{202e}gnp.exe\\u{1b}[2J");
    expect(shown).not.toContain("\u202e");
  });

  it("has a sister that takes over what other programs are configured with, one by one, and their secrets apart", async () => {
    const config = join(profile, "mcp.json");
    const servers = {
      first: { command: process.execPath, args: [CHILD, "echo"], env: { API_KEY: "secret-1" } },
      second: { command: process.execPath, args: [CHILD, "echo"] },
      third: { command: "npx", args: ["-y", "server"] },
      fourth: { url: "https://a.example/mcp" },
    };
    writeFileSync(config, JSON.stringify({ mcpServers: servers }));
    const shown = await typeAtHost(built, ["add", "--import", config, "--profile", profile], ["yes", "no"]);
    expect(shown).toContain("second is not allowed");
    expect(shown).toContain("third is left out");
    expect(shown).toContain("fourth is left out");
    expect(shown).not.toContain("secret-1");
    expect(readFileSync(join(home(), "env", "first.env"), "utf8")).toBe("API_KEY=secret-1\n");
    expect(statSync(join(home(), "env", "first.env")).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(home(), "servers.json"), "utf8")).not.toContain("secret-1");
    expect(run("list").out).toMatch(/^first\n/);
    expect(run("list").out).not.toContain("second");
  });
});
