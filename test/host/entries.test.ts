/**
 * From a proposal to a pinned entry, and what becomes of the pin when something is replaced: by another file under the same
 * name, a link that leads elsewhere, one changed byte of the same length with its old times.
 */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Proposal } from "../../src/bridge/native.ts";
import { allow, disallow, propose, readEntries, readProposals, settle } from "../../src/host/allow/allow-list.ts";
import { entryProblem } from "../../src/host/allow/check-entry.ts";
import { type Home, homeAt } from "../../src/host/allow/home.ts";
import { draftEntry, makeEntry } from "../../src/host/allow/make-entry.ts";
import { treeOf } from "../../src/host/allow/pin-file.ts";
import { parseValues, valuesFor, variableProblem } from "../../src/host/allow/values.ts";
import { planServer } from "../../src/host/port/plan-server.ts";

let folder: string;
let home: Home;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "navra-entries-"));
  home = homeAt(join(folder, "home"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const proposalOf = (change: Partial<Proposal>): Proposal => ({
  name: "one",
  program: "node",
  args: [],
  cwd: folder,
  env: [],
  ...change,
});

const draft = (change: Partial<Proposal>) =>
  draftEntry(proposalOf(change), { path: process.env.PATH ?? "", folder, platform: "linux", extensions: undefined });

const entryOf = (change: Partial<Proposal>) => makeEntry(draft(change), home, { say: () => {}, now: 1 });

function script(name: string, text = "#!/bin/sh\nexit 0\n"): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
}

describe("An entry", () => {
  it("pins the interpreter and the script by absolute path and content", async () => {
    const path = script("server.js", "process.exit()");
    const entry = await entryOf({ args: ["server.js", "--flag"] });
    expect(entry.program).toMatch(/^\/.*node$/);
    expect(entry.args).toEqual([path, "--flag"]);
    expect(entry.files.map((file) => file.path)).toEqual([entry.program, path]);
    expect(await entryProblem(entry)).toBeUndefined();
  });

  it("pins the interpreter that a script's first line names", async () => {
    const path = script("server", "#!/usr/bin/env node\n");
    const entry = await entryOf({ program: path });
    expect(entry.files.map((file) => file.path)).toEqual([path, expect.stringMatching(/\/node$/)]);
  });

  it.each([
    ["a program that is not there", { program: "no-such-program" }, /not found/],
    ["a relative working folder", { cwd: "somewhere" }, /absolute/],
    ["a folder that is not there", { cwd: "/no/such/folder" }, /no folder/],
    ["a script that is not there", { args: ["nothing.js"] }, /no script/],
    ["a command line instead of a program", { program: "node server.js" }, /not found/],
    ["code as an argument", { args: ["-e", "1"] }, /-e/],
    ["a variable that loads code", { program: "true", env: ["NODE_OPTIONS"] }, /NODE_OPTIONS/],
    ["a name with a path in it", { name: "../x", program: "true" }, /name/],
  ])("is refused for %s", async (_, change, reason) => {
    await expect(async () => await entryOf(change)).rejects.toThrow(reason);
  });

  it("finds a script from the terminal's folder, or from the working folder where one is given", async () => {
    script("server.js", "1");
    mkdirSync(join(folder, "deep"));
    script("deep/server.js", "2");
    const of = (cwd: string) => draft({ cwd, args: ["./server.js"] }).script;
    expect(of("")).toBe(join(folder, "server.js"));
    expect(of(join(folder, "deep"))).toBe(join(folder, "deep", "server.js"));
  });

  it("is refused for an interpreter under another name", async () => {
    symlinkSync(process.execPath, join(folder, "harmless"));
    await expect(async () => await entryOf({ program: "./harmless", args: ["-e", "1"] })).rejects.toThrow(/-e/);
  });

  it("is refused for a file that everyone can write", async () => {
    chmodSync(script("server.js"), 0o777);
    await expect(entryOf({ args: ["server.js"] })).rejects.toThrow(/chmod o-w/);
  });

  it("is refused for a file in a folder where everyone can replace it", async () => {
    mkdirSync(join(folder, "open"));
    script("open/server.js");
    chmodSync(join(folder, "open"), 0o777);
    await expect(entryOf({ args: ["open/server.js"] })).rejects.toThrow(`chmod o-w ${join(folder, "open")}`);
    symlinkSync(join(folder, "open"), join(folder, "link"));
    await expect(entryOf({ args: ["link/server.js"] })).rejects.toThrow(`chmod o-w ${join(folder, "open")}`);
    chmodSync(join(folder, "open"), 0o1777);
    expect(await entryOf({ args: ["open/server.js"] })).toMatchObject({ program: process.execPath });
  });
});

describe("What was allowed is not started any more when", () => {
  it("the program was replaced by another file", async () => {
    const path = script("server");
    const entry = await entryOf({ program: path });
    rmSync(path);
    script("server", "#!/bin/sh\necho other\n");
    expect(await entryProblem(entry)).toMatch(/has changed.*review one/);
  });

  it("a byte of it was changed, with the same length and the old times put back", async () => {
    const path = script("server");
    const entry = await entryOf({ program: path });
    const { atime, mtime } = statSync(path);
    writeFileSync(path, "#!/bin/sh\nexit 1\n");
    utimesSync(path, atime, mtime);
    expect(await entryProblem(entry)).toMatch(/has changed/);
  });

  it("a link on the way leads to another file of the same content", async () => {
    mkdirSync(join(folder, "a"));
    mkdirSync(join(folder, "b"));
    for (const one of ["a", "b"]) script(`${one}/server`);
    symlinkSync(join(folder, "a"), join(folder, "current"));
    const entry = await entryOf({ program: join(folder, "current", "server") });
    expect(await entryProblem(entry)).toBeUndefined();
    symlinkSync(join(folder, "b"), join(folder, "next"));
    renameSync(join(folder, "next"), join(folder, "current"));
    expect(await entryProblem(entry)).toMatch(/leads to another file/);
  });

  it("it is not there any more", async () => {
    const path = script("server");
    const entry = await entryOf({ program: path });
    rmSync(path);
    expect(await entryProblem(entry)).toMatch(/not there any more/);
  });

  it("a file of its installed package was changed or added", async () => {
    const packages = join(folder, "packages");
    mkdirSync(join(packages, "lib"), { recursive: true });
    writeFileSync(join(packages, "lib", "index.js"), "1");
    const own = { manager: "npm", name: "p", version: "1.0.0", integrity: "sha512-x", folder: packages } as const;
    const entry = {
      ...(await entryOf({ program: script("server") })),
      package: { ...own, ...(await treeOf(packages)) },
    };
    expect(await entryProblem(entry)).toBeUndefined();
    writeFileSync(join(packages, "lib", "more.js"), "2");
    expect(await entryProblem(entry)).toMatch(/package p has changed/);
    rmSync(join(packages, "lib", "more.js"));
    expect(await entryProblem(entry)).toBeUndefined();
    writeFileSync(join(packages, "lib", "index.js"), "3");
    expect(await entryProblem(entry)).toMatch(/package p has changed/);
  });

  it("but a file that was only touched still is", async () => {
    const path = script("server");
    const entry = await entryOf({ program: path });
    utimesSync(path, 1, 1);
    expect(await entryProblem(entry)).toBeUndefined();
  });
});

describe("The list", () => {
  it("holds what was put in, replaces by name, and gives it up", async () => {
    const entry = await entryOf({ program: script("server") });
    await allow(home, entry);
    await allow(home, { ...entry, args: ["x"] });
    expect(readEntries(home)).toEqual([{ ...entry, args: ["x"] }]);
    expect(statSync(home.servers).mode & 0o777).toBe(0o600);
    expect(await disallow(home, "one")).toBe(true);
    expect(await disallow(home, "one")).toBe(false);
    expect(readEntries(home)).toEqual([]);
  });

  it("keeps every entry of many changes at once", async () => {
    const entry = await entryOf({ program: script("server") });
    const names = Array.from({ length: 12 }, (_, index) => `server-${index}`);
    await Promise.all(names.map((name) => allow(home, { ...entry, name })));
    expect(
      readEntries(home)
        .map((one) => one.name)
        .sort(),
    ).toEqual([...names].sort());
  });

  it.each([
    ["no JSON", "{"],
    ["another form", '{"version":2,"servers":[]}'],
    ["an entry that lacks its pins", '{"version":1,"servers":[{"name":"x","program":"/bin/sh","args":["-c","x"]}]}'],
  ])("is refused as a whole when it is %s", async (_, text) => {
    await allow(home, await entryOf({ program: script("server") }));
    writeFileSync(home.servers, text);
    const surroundings = { platform: "linux", home, surroundings: {} } as const;
    await expect(planServer("x", surroundings)).rejects.toMatchObject({ reason: "not-startable" });
  });

  it("starts nothing under a name that it does not have", async () => {
    await allow(home, await entryOf({ program: script("server") }));
    await expect(planServer("other", { platform: "linux", home, surroundings: {} })).rejects.toMatchObject({
      reason: "not-listed",
      message: expect.stringContaining("navra-host add"),
    });
  });

  it("gives a server its own values and of ours only what every program needs", async () => {
    await allow(home, await entryOf({ program: script("server"), env: ["API_KEY", "OTHER"] }));
    mkdirSync(join(home.folder, "env"), { mode: 0o700 });
    writeFileSync(home.values("one"), "# comment\nAPI_KEY=se=cret\n", { mode: 0o600 });
    const surroundings = { HOME: "/home/me", OTHER: "from the host", AWS_SECRET: "no", NODE_OPTIONS: "--import=x" };
    const { env } = await planServer("one", { platform: "linux", home, surroundings });
    expect(env).toEqual({ HOME: "/home/me", API_KEY: "se=cret", OTHER: "from the host", PATH: process.env.PATH });
    await expect(planServer("one", { platform: "linux", home, surroundings: {} })).rejects.toThrow(
      /OTHER has no value/,
    );
    chmodSync(home.values("one"), 0o644);
    await expect(planServer("one", { platform: "linux", home, surroundings })).rejects.toThrow(/chmod 600/);
  });
});

describe("Proposals", () => {
  it("wait beside the list and never in it", async () => {
    await propose(home, proposalOf({ program: "/bin/sh" }), 5);
    expect(readProposals(home)).toEqual([
      { proposal: proposalOf({ program: "/bin/sh" }), at: 5, words: expect.stringMatching(/^\w+ \w+ \w+ \w+$/) },
    ]);
    expect(readEntries(home)).toEqual([]);
    await expect(planServer("one", { platform: "linux", home, surroundings: {} })).rejects.toMatchObject({
      reason: "not-listed",
    });
  });

  it("show the words of what is stored, whatever the file says", async () => {
    await propose(home, proposalOf({ program: "/bin/true" }), 5);
    const [before] = readProposals(home);
    writeFileSync(home.proposals, readFileSync(home.proposals, "utf8").replace("/bin/true", "/bin/false"));
    expect(readProposals(home)[0]?.words).not.toBe(before?.words);
  });

  it("are bounded in number and length", async () => {
    for (let count = 0; count < 20; count += 1) await propose(home, proposalOf({ name: `s${count}` }), 1);
    await expect(propose(home, proposalOf({ name: "more" }), 1)).rejects.toThrow(/review/);
    await propose(home, proposalOf({ name: "s3", args: ["again"] }), 2);
    expect(readProposals(home)).toHaveLength(20);
    await expect(propose(home, proposalOf({ args: ["x".repeat(9000)] }), 1)).rejects.toThrow(/too long/);
  });

  it("that were replaced meanwhile are not settled by an answer to the old one", async () => {
    await propose(home, proposalOf({}), 1);
    const [old] = readProposals(home);
    await propose(home, proposalOf({ args: ["changed"] }), 2);
    await settle(home, { name: "one" }, old?.words);
    expect(readProposals(home)).toHaveLength(1);
    await settle(home, { name: "one" });
    expect(readProposals(home)).toEqual([]);
  });
});

describe("Variables", () => {
  it.each([
    "PATH",
    "LD_PRELOAD",
    "NODE_OPTIONS",
    "PYTHONPATH",
    "DYLD_INSERT_LIBRARIES",
    "BASH_ENV",
    "npm_config_registry",
  ])("that change which code runs are refused: %s", (name) => {
    expect(variableProblem(name)).toMatch(/other code/);
  });

  it.each(["A B", "", "1A", "A=B", "A\nB"])("must have a name: %j", (name) => {
    expect(variableProblem(name)).toMatch(/no name/);
  });

  it("keep what is behind the first equals sign as it is", () => {
    expect([...parseValues("A=b=c \r\n\n#D=e\n F = g")]).toEqual([
      ["A", "b=c "],
      ["F", " g"],
    ]);
    expect(() => valuesFor(home, { name: "one", env: ["A"] }, {})).toThrow(/A has no value/);
  });
});
