/**
 * A package as a person allows it: really installed by npm from a registry of the test's own, without its install scripts,
 * pinned in every file, and run.
 */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NATIVE_PROTOCOL } from "../../src/bridge/native.ts";
import { buildHost, CHROMIUM_CALLER, callHost } from "./program.ts";

let built: string;
let folder: string;
let registry: Server;
let tarball: Buffer;
let integrity: string;

beforeAll(async () => {
  built = await buildHost();
  folder = mkdtempSync(join(tmpdir(), "navra-packages-"));
  tarball = packed(join(folder, "source"));
  integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
  registry = createServer((request, response) => {
    if (request.url?.endsWith(".tgz")) response.end(tarball);
    else if (request.url === "/@navra-test%2fecho") response.end(JSON.stringify(packument()));
    else response.writeHead(404).end("{}");
  });
  await new Promise<void>((resolve) => registry.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  registry.close();
  for (const one of [folder, dirname(built)]) rmSync(one, { recursive: true, force: true });
});

describe("A package", () => {
  it("is installed at its version without its scripts, pinned whole, and run by name", async () => {
    const profile = join(folder, "profile");
    const done = await add(profile, "@navra-test/echo@1.0.0");
    expect(done).toMatchObject({ code: 0 });
    expect(existsSync(join(folder, "ran-a-script"))).toBe(false);
    const list = JSON.parse(readFileSync(join(profile, "navra-host", "servers.json"), "utf8"));
    const [entry] = list.servers;
    expect(entry).toMatchObject({
      program: process.execPath,
      asked: { program: "npx", args: ["-y", "@navra-test/echo@1.0.0", "--said"] },
      package: { manager: "npm", name: "@navra-test/echo", version: "1.0.0", integrity },
    });
    const { port, exited } = callHost(built, ["--home", join(profile, "navra-host"), CHROMIUM_CALLER]);
    port.say({ kind: "hello", protocol: NATIVE_PROTOCOL, version: "0.1.0" });
    await port.open("echo", 1);
    expect(JSON.parse(await port.frame(1))).toEqual({ args: ["--said"] });
    writeFileSync(join(entry.package.folder, "node_modules", "@navra-test", "echo", "more.js"), "other code");
    expect(await port.open("echo", 2)).toMatchObject({
      reason: "changed",
      message: expect.stringMatching(/navra-host\.mjs review .*echo$/),
    });
    port.close();
    await exited;
  });

  it("whose bytes are not what the registry promised is not installed, and nothing of it is left", async () => {
    const right = integrity;
    integrity = `sha512-${createHash("sha512").update("other").digest("base64")}`;
    try {
      const profile = join(folder, "other-profile");
      expect(await add(profile, "@navra-test/echo@1.0.0")).toMatchObject({
        code: 1,
        err: expect.stringContaining("could not be installed"),
      });
      expect(existsSync(join(profile, "navra-host", "servers.json"))).toBe(false);
      expect(spawnSync("find", [profile, "-name", "echo*"], { encoding: "utf8" }).stdout).toBe("");
    } finally {
      integrity = right;
    }
  });

  it("that cannot be had anew stays as it was allowed, and one that can takes its place whole", async () => {
    const profile = join(folder, "fourth-profile");
    const packages = join(profile, "navra-host", "packages");
    await add(profile, "@navra-test/echo@1.0.0");
    const [first] = readdirSync(packages);
    expect(await add(profile, "@navra-test/echo@9.9.9")).toMatchObject({ code: 1 });
    expect(readdirSync(packages)).toEqual([first]);
    const { port, exited } = callHost(built, ["--home", join(profile, "navra-host"), CHROMIUM_CALLER]);
    port.say({ kind: "hello", protocol: NATIVE_PROTOCOL, version: "0.1.0" });
    expect(await port.open("echo", 1)).toMatchObject({ kind: "opened" });
    expect(await add(profile, "@navra-test/echo@1.0.0")).toMatchObject({ code: 0 });
    expect(readdirSync(packages)).toHaveLength(1);
    expect(readdirSync(packages)).not.toEqual([first]);
    expect(await port.open("echo", 2)).toMatchObject({ kind: "opened" });
    port.close();
    await exited;
  });

  it("at a version that is not there says so", async () => {
    const done = await add(join(folder, "third-profile"), "@navra-test/echo@9.9.9");
    expect(done).toMatchObject({ code: 1, err: expect.stringContaining("could not be installed") });
  });
});

function add(profile: string, spec: string): Promise<{ readonly code: number | null; readonly err: string }> {
  mkdirSync(profile, { recursive: true });
  const args = [built, "add", "echo", "--profile", profile, "--yes", "--", "npx", "-y", spec, "--said"];
  const { port } = registry.address() as AddressInfo;
  const env = {
    ...process.env,
    npm_config_registry: `http://127.0.0.1:${port}/`,
    npm_config_cache: join(profile, "cache"),
    npm_config_fetch_retries: "0",
  };
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  let err = "";
  child.stderr.on("data", (bytes) => {
    err += bytes;
  });
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, err })));
}

function packument(): object {
  const { port } = registry.address() as AddressInfo;
  const dist = { tarball: `http://127.0.0.1:${port}/echo-1.0.0.tgz`, integrity };
  const scripts = { postinstall: `touch ${join(folder, "ran-a-script")}` };
  const version = {
    name: "@navra-test/echo",
    version: "1.0.0",
    bin: { echo: "cli.js" },
    scripts,
    hasInstallScript: true,
    dist,
  };
  return { name: "@navra-test/echo", "dist-tags": { latest: "1.0.0" }, versions: { "1.0.0": version } };
}

/** The package's file, as npm would publish it. */
function packed(source: string): Buffer {
  const inside = join(source, "package");
  mkdirSync(inside, { recursive: true });
  const scripts = { postinstall: `touch ${join(folder, "ran-a-script")}` };
  const manifest = { name: "@navra-test/echo", version: "1.0.0", bin: { echo: "cli.js" }, scripts };
  writeFileSync(join(inside, "package.json"), JSON.stringify(manifest));
  writeFileSync(
    join(inside, "cli.js"),
    "#!/usr/bin/env node\nconsole.log(JSON.stringify({ args: process.argv.slice(2) }));\nprocess.stdin.resume();\n",
  );
  const done = spawnSync("tar", ["-czf", "-", "package"], { cwd: source });
  return done.stdout;
}
