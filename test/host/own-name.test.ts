/** What a person is told to type works where they are, whoever they are. */
import { describe, expect, it } from "vitest";
import { ownName } from "../../src/host/own-name.ts";

const machine = (platform: "linux" | "win32", env: Record<string, string>) => ({
  platform,
  env,
  node: "/usr/bin/node",
  exists: () => true,
});
const LINUX = machine("linux", { HOME: "/home/me" });
const WINDOWS = machine("win32", { LOCALAPPDATA: "C:\\Users\\A B\\AppData\\Local" });
const INSTALLED = "/home/me/.local/share/navra-host/navra-host.mjs";

describe("navra-host in a sentence", () => {
  it.each([
    [
      "what was installed",
      { machine: LINUX, scope: { kind: "user" }, bundle: INSTALLED, folder: "/" },
      "/home/me/.local/share/navra-host/navra-host review files",
    ],
    [
      "what was built, from the folder it was built in",
      { machine: LINUX, scope: { kind: "user" }, bundle: "/src/navra/dist/host/navra-host.mjs", folder: "/src/navra" },
      "node dist/host/navra-host.mjs review files",
    ],
    [
      "what was built, from elsewhere",
      { machine: LINUX, scope: { kind: "user" }, bundle: "/src/my navra/navra-host.mjs", folder: "/home/me" },
      'node "/src/my navra/navra-host.mjs" review files',
    ],
    [
      "a profile's",
      { machine: LINUX, scope: { kind: "profile", folder: "/tmp/p q" }, bundle: "/src/navra-host.mjs", folder: "/src" },
      'node navra-host.mjs review --profile "/tmp/p q" files',
    ],
    [
      "a profile's, installed, which knows its profile",
      {
        machine: LINUX,
        scope: { kind: "profile", folder: "/tmp/p" },
        bundle: "/tmp/p/navra-host/program/navra-host.mjs",
        folder: "/",
      },
      "/tmp/p/navra-host/program/navra-host review files",
    ],
    [
      "what was installed on Windows",
      {
        machine: WINDOWS,
        scope: { kind: "user" },
        bundle: "C:\\Users\\A B\\AppData\\Local\\navra-host\\navra-host.mjs",
        folder: "C:\\",
      },
      '"C:\\Users\\A B\\AppData\\Local\\navra-host\\navra-host.bat" review files',
    ],
  ] as const)("becomes %s", (_, where, typed) => {
    expect(ownName(where)("Look: navra-host review files")).toBe(`Look: ${typed}`);
  });

  it("says for everyone on the machine only where that makes a difference", () => {
    const spellOut = ownName({ machine: LINUX, scope: { kind: "system" }, bundle: "/b/navra-host.mjs", folder: "/b" });
    expect(spellOut("navra-host install")).toBe("node navra-host.mjs install --system");
    expect(spellOut("navra-host add NAME")).toBe("node navra-host.mjs add NAME");
  });

  it("stays where it is no command", () => {
    const spellOut = ownName({ machine: LINUX, scope: { kind: "user" }, bundle: INSTALLED, folder: "/" });
    expect(spellOut("Another navra-host is changing it.")).toBe("Another navra-host is changing it.");
  });
});
