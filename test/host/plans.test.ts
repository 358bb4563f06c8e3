/** What would be written and spawned on Linux, macOS and Windows, as tables over the pure planning functions. */
import { describe, expect, it } from "vitest";
import { homeFolder } from "../../src/host/allow/home.ts";
import { binOf, planPackage } from "../../src/host/allow/package-plan.ts";
import { resolveProgram } from "../../src/host/allow/resolve-program.ts";
import { carryOut } from "../../src/host/browsers/carry-out.ts";
import {
  launcherText,
  type Machine,
  planInstall,
  planRemoval,
  type Scope,
  type Step,
} from "../../src/host/browsers/install-plan.ts";
import { configFiles, readConfig } from "../../src/host/commands/config-files.ts";
import { planSpawn } from "../../src/host/run/spawn-plan.ts";

const USER: Scope = { kind: "user" };
const LINUX: Machine = { platform: "linux", env: { HOME: "/home/me" }, node: "/opt/node/bin/node", exists: () => true };
const MAC: Machine = {
  platform: "darwin",
  env: { HOME: "/Users/me" },
  node: "/opt/homebrew/bin/node",
  exists: () => true,
};
const WINDOWS: Machine = {
  platform: "win32",
  env: {
    USERPROFILE: "C:\\Users\\me",
    APPDATA: "C:\\Users\\me\\AppData\\Roaming",
    LOCALAPPDATA: "C:\\Users\\me\\AppData\\Local",
    ProgramFiles: "C:\\Program Files",
  },
  node: "C:\\Program Files\\nodejs\\node.exe",
  exists: () => true,
};

const manifests = (steps: readonly Step[]) =>
  steps.flatMap((step) => (step.kind === "file" && step.path.endsWith(".json") ? [step.path] : []));

describe("Installing", () => {
  it("writes a manifest where each browser looks on Linux", () => {
    expect(manifests(planInstall(LINUX, USER).steps)).toEqual([
      "/home/me/.config/google-chrome/NativeMessagingHosts/dev.navra.host.json",
      "/home/me/.config/chromium/NativeMessagingHosts/dev.navra.host.json",
      "/home/me/.config/microsoft-edge/NativeMessagingHosts/dev.navra.host.json",
      "/home/me/.config/BraveSoftware/Brave-Browser/NativeMessagingHosts/dev.navra.host.json",
      "/home/me/.config/vivaldi/NativeMessagingHosts/dev.navra.host.json",
      "/home/me/.config/opera/NativeMessagingHosts/dev.navra.host.json",
      "/home/me/.mozilla/native-messaging-hosts/dev.navra.host.json",
    ]);
  });

  it("writes for everyone on Linux where the distribution's browsers look", () => {
    expect(manifests(planInstall(LINUX, { kind: "system" }).steps)).toEqual([
      "/etc/opt/chrome/native-messaging-hosts/dev.navra.host.json",
      "/etc/chromium/native-messaging-hosts/dev.navra.host.json",
      "/etc/opt/edge/native-messaging-hosts/dev.navra.host.json",
      "/etc/opt/brave/native-messaging-hosts/dev.navra.host.json",
      "/etc/opt/vivaldi/native-messaging-hosts/dev.navra.host.json",
      "/etc/opt/opera/native-messaging-hosts/dev.navra.host.json",
      "/usr/lib/mozilla/native-messaging-hosts/dev.navra.host.json",
    ]);
  });

  it("writes a manifest where each browser looks on macOS", () => {
    const support = "/Users/me/Library/Application Support";
    expect(manifests(planInstall(MAC, USER).steps)).toEqual([
      `${support}/Google/Chrome/NativeMessagingHosts/dev.navra.host.json`,
      `${support}/Chromium/NativeMessagingHosts/dev.navra.host.json`,
      `${support}/Microsoft Edge/NativeMessagingHosts/dev.navra.host.json`,
      `${support}/BraveSoftware/Brave-Browser/NativeMessagingHosts/dev.navra.host.json`,
      `${support}/Vivaldi/NativeMessagingHosts/dev.navra.host.json`,
      `${support}/com.operasoftware.Opera/NativeMessagingHosts/dev.navra.host.json`,
      `${support}/Mozilla/NativeMessagingHosts/dev.navra.host.json`,
    ]);
  });

  it("names a manifest in each browser's registry key on Windows", () => {
    const { steps } = planInstall(WINDOWS, USER);
    const keys = steps.flatMap((step) => (step.kind === "registry" ? [[step.key, step.value]] : []));
    const chromium = "C:\\Users\\me\\AppData\\Local\\navra-host\\dev.navra.host.chromium.json";
    const firefox = "C:\\Users\\me\\AppData\\Local\\navra-host\\dev.navra.host.firefox.json";
    expect([...new Map(keys.map(([key, value]) => [key, value]))]).toEqual([
      ["HKCU\\Software\\Google\\Chrome\\NativeMessagingHosts\\dev.navra.host", chromium],
      ["HKCU\\Software\\Chromium\\NativeMessagingHosts\\dev.navra.host", chromium],
      ["HKCU\\Software\\Microsoft\\Edge\\NativeMessagingHosts\\dev.navra.host", chromium],
      ["HKCU\\Software\\BraveSoftware\\Brave-Browser\\NativeMessagingHosts\\dev.navra.host", chromium],
      ["HKCU\\Software\\Vivaldi\\NativeMessagingHosts\\dev.navra.host", chromium],
      ["HKCU\\Software\\Opera Software\\NativeMessagingHosts\\dev.navra.host", chromium],
      ["HKCU\\Software\\Mozilla\\NativeMessagingHosts\\dev.navra.host", firefox],
    ]);
  });

  it("names it for everyone on Windows in the machine's keys, each browser's own and Chrome's, which some of them read", () => {
    const { steps, launcher } = planInstall(WINDOWS, { kind: "system" });
    const keys = steps.flatMap((step) => (step.kind === "registry" ? [step.key] : []));
    expect([...new Set(keys)]).toEqual(
      [
        "Google\\Chrome",
        "Chromium",
        "Microsoft\\Edge",
        "BraveSoftware\\Brave-Browser",
        "Vivaldi",
        "Opera Software",
        "Mozilla",
      ].map((key) => `HKLM\\Software\\${key}\\NativeMessagingHosts\\dev.navra.host`),
    );
    expect(launcher).toBe("C:\\Program Files\\navra-host\\navra-host.bat");
    expect(manifests(steps).every((path) => path.startsWith("C:\\Program Files\\navra-host\\"))).toBe(true);
  });

  it("writes on Windows one manifest for each kind of browser, which starts the batch file", () => {
    const { steps, launcher } = planInstall(WINDOWS, USER);
    const texts = new Map(
      steps.flatMap((step) =>
        step.kind === "file" && step.path.endsWith(".json") ? [[step.path, JSON.parse(step.text)]] : [],
      ),
    );
    expect([...texts.values()]).toEqual([
      expect.objectContaining({
        path: launcher,
        type: "stdio",
        allowed_origins: ["chrome-extension://alojfnnadgbneekkmjpbjaibclkemhdj/"],
      }),
      expect.objectContaining({ path: launcher, type: "stdio", allowed_extensions: ["navra@navra.dev"] }),
    ]);
    const batch = steps.find((step) => step.kind === "file" && step.path === launcher);
    expect(batch).toMatchObject({
      text: '@echo off\r\n"C:\\Program Files\\nodejs\\node.exe" "C:\\Users\\me\\AppData\\Local\\navra-host\\navra-host.mjs" %*\r\n',
    });
  });

  it("writes for everyone on macOS where each browser looks", () => {
    const support = "/Library/Application Support";
    expect(manifests(planInstall(MAC, { kind: "system" }).steps)).toEqual([
      "/Library/Google/Chrome/NativeMessagingHosts/dev.navra.host.json",
      `${support}/Chromium/NativeMessagingHosts/dev.navra.host.json`,
      "/Library/Microsoft/Edge/NativeMessagingHosts/dev.navra.host.json",
      `${support}/BraveSoftware/Brave-Browser/NativeMessagingHosts/dev.navra.host.json`,
      `${support}/Vivaldi/NativeMessagingHosts/dev.navra.host.json`,
      `${support}/com.operasoftware.Opera/NativeMessagingHosts/dev.navra.host.json`,
      `${support}/Mozilla/NativeMessagingHosts/dev.navra.host.json`,
    ]);
  });

  it.each([
    ["Linux", LINUX, "/home/me/.config/chromium", ["chromium"]],
    ["Linux", LINUX, "/home/me/.mozilla", ["firefox"]],
    ["Linux", LINUX, "/home/me/.config/mozilla/firefox", ["firefox"]],
    ["macOS", MAC, "/Users/me/Library/Application Support/Vivaldi", ["vivaldi"]],
    ["Windows", WINDOWS, "C:\\Users\\me\\AppData\\Local\\Microsoft\\Edge\\User Data", ["edge"]],
    ["Windows", WINDOWS, "C:\\Users\\me\\AppData\\Roaming\\Opera Software\\Opera Stable", ["opera"]],
    ["Linux", LINUX, "/nothing", []],
  ])("registers on %s only with browsers that are there", (_, machine, only, ids) => {
    const { browsers, steps } = planInstall({ ...machine, exists: (path) => path === only }, USER);
    expect(browsers.map((browser) => browser.id)).toEqual(ids);
    expect(manifests(steps)).toHaveLength(ids.length);
  });

  it("allows exactly one extension, by the kind of browser, and starts the launcher by its absolute path", () => {
    const { steps, launcher } = planInstall(LINUX, USER);
    const texts = steps.flatMap((step) =>
      step.kind === "file" && step.path.endsWith(".json") ? [JSON.parse(step.text)] : [],
    );
    expect(texts[0]).toEqual({
      name: "dev.navra.host",
      description: expect.any(String),
      path: launcher,
      type: "stdio",
      allowed_origins: ["chrome-extension://alojfnnadgbneekkmjpbjaibclkemhdj/"],
    });
    expect(texts[6]).toMatchObject({ path: launcher, allowed_extensions: ["navra@navra.dev"] });
    expect(texts[6]).not.toHaveProperty("allowed_origins");
    expect(launcher).toBe("/home/me/.local/share/navra-host/navra-host");
  });

  it.each([
    [LINUX, ["/p/NativeMessagingHosts", "/p/.mozilla/native-messaging-hosts"]],
    // Firefox asks macOS for the person's folder, and on Windows every browser reads the registry alone.
    [MAC, ["/p/NativeMessagingHosts"]],
    [WINDOWS, []],
  ])("for one profile writes into that profile alone, and only what a browser reads there", (machine, folders) => {
    const { steps, browsers } = planInstall(machine, { kind: "profile", folder: "/p" });
    expect(browsers).toEqual([]);
    for (const step of steps) expect("path" in step && step.path.replaceAll("\\", "/").startsWith("/p/")).toBe(true);
    expect(manifests(steps)).toEqual(folders.map((one) => `${one}/dev.navra.host.json`));
  });

  it.each([
    ["Linux", LINUX, USER],
    ["Linux, for everyone", LINUX, { kind: "system" }],
    ["Linux, one profile", LINUX, { kind: "profile", folder: "/tmp/profile" }],
    ["macOS", MAC, USER],
    ["macOS, for everyone", MAC, { kind: "system" }],
    ["Windows", WINDOWS, USER],
    ["Windows, for everyone", WINDOWS, { kind: "system" }],
  ] as const)("is undone by removal, file by file and key by key: %s", (_, machine, scope) => {
    const removal = planRemoval({ ...machine, exists: () => false }, scope);
    for (const step of planInstall(machine, scope).steps) {
      if (step.kind === "registry") expect(removal.registry).toContain(step.key);
      else if (step.kind !== "folder")
        expect(removal.files.includes(step.path) || step.path.startsWith(removal.place)).toBe(true);
    }
  });
});

describe.runIf(process.platform !== "win32")("A registry key that cannot be written", () => {
  it("is said to be so, instead of saying that it was", () => {
    const key = "HKLM\\Software\\Mozilla\\NativeMessagingHosts\\dev.navra.host";
    expect(() => carryOut([{ kind: "registry", key, value: "C:\\x.json" }], "")).toThrow(key);
  });
});

describe("The launcher", () => {
  it("quotes what a shell would read", () => {
    expect(launcherText({ platform: "linux", node: "/opt/it's/node", program: "/p $x/h.mjs", home: "/h" })).toBe(
      `#!/bin/sh\nexec '/opt/it'\\''s/node' '/p $x/h.mjs' '--home' '/h' "$@"\n`,
    );
  });
  it("quotes what a batch file would read", () => {
    expect(
      launcherText({ platform: "win32", node: "C:\\N O\\node.exe", program: "C:\\100%\\h.mjs", home: undefined }),
    ).toBe('@echo off\r\n"C:\\N O\\node.exe" "C:\\100%%\\h.mjs" %*\r\n');
  });
});

describe("A program's name", () => {
  const files = (...paths: string[]) => ({ isProgram: (path: string) => paths.includes(path) });
  it.each([
    ["is looked for in PATH order", "node", "linux", "/a:/b", files("/b/node", "/a/node"), "/a/node"],
    [
      "skips folders that are not absolute",
      "node",
      "linux",
      ".::bin:/b",
      files("/w/node", "/w/bin/node", "/b/node"),
      "/b/node",
    ],
    ["with a slash is taken from the folder", "./run", "linux", "/a", files("/w/run"), "/w/run"],
    ["is not found in the current folder", "run", "linux", "/a", files("/w/run"), undefined],
    [
      "takes npx.cmd on Windows and not the shell script beside it",
      "npx",
      "win32",
      "C:\\n",
      files("C:\\n\\npx", "C:\\n\\npx.cmd"),
      "C:\\n\\npx.cmd",
    ],
    ["prefers what PATHEXT names first", "x", "win32", "C:\\n", files("C:\\n\\x.cmd", "C:\\n\\x.exe"), "C:\\n\\x.exe"],
    [
      "with its extension is taken as it is",
      "x.exe",
      "win32",
      '"C:\\n m";D:\\',
      files("C:\\n m\\x.exe"),
      "C:\\n m\\x.exe",
    ],
    ["never means a file of the current folder on Windows", "x", "win32", ".;C:\\n", files("C:\\w\\x.exe"), undefined],
  ] as const)("%s", (_, program, platform, path, { isProgram }, expected) => {
    const from = platform === "win32" ? "C:\\w" : "/w";
    expect(resolveProgram(program, { platform, path, from, isProgram })).toBe(expected);
  });
});

describe("A start", () => {
  const base = { cwd: "/w", surroundings: {}, path: "/bin", values: {} };
  it("is a program and its arguments, whatever they hold", () => {
    const args = ["a b", "$(x)", "; rm", "&&", "%PATH%", '"'];
    expect(planSpawn({ ...base, platform: "linux", program: "/bin/x", args })).toMatchObject({
      program: "/bin/x",
      args,
      verbatim: false,
    });
    expect(planSpawn({ ...base, platform: "win32", program: "C:\\x.exe", args })).toMatchObject({
      program: "C:\\x.exe",
      args,
      verbatim: false,
    });
  });
  it("of a .cmd file goes through cmd.exe with every argument in quotes", () => {
    const request = {
      ...base,
      platform: "win32",
      program: "C:\\N O\\npx.cmd",
      surroundings: { SystemRoot: "C:\\Windows" },
    } as const;
    expect(planSpawn({ ...request, args: ["-y", "a & b", "c\\", "^<>|"] })).toMatchObject({
      program: "C:\\Windows\\System32\\cmd.exe",
      args: ["/d", "/v:off", "/s", "/c", '""C:\\N O\\npx.cmd" "-y" "a & b" "c\\\\" "^<>|""'],
      verbatim: true,
    });
  });
  it.each(['a"b', "100%", "a\nb", "a\r"])(
    "of a .cmd file refuses an argument that cmd.exe would read: %j",
    (argument) => {
      expect(() => planSpawn({ ...base, platform: "win32", program: "C:\\x.cmd", args: [argument] })).toThrow(
        /node\.exe/,
      );
    },
  );
  it("gives a server's own values precedence over nothing but what it was given", () => {
    const { env } = planSpawn({
      ...base,
      platform: "linux",
      program: "/x",
      args: [],
      values: { HOME: "/other" },
      surroundings: { HOME: "/me", SECRET: "x" },
    });
    expect(env).toEqual({ HOME: "/other", PATH: "/bin" });
  });
});

describe("A package", () => {
  const tools = { node: "/n/node", npm: "/n/npm-cli.js", uv: "/n/uv" };
  it("is installed by npm without scripts, at its exact version", () => {
    const spec = { manager: "npm", name: "@a/b", version: "1.2.3", args: [] } as const;
    expect(planPackage(spec, "/f", tools).commands).toEqual([
      {
        program: "/n/node",
        args: [
          ...["/n/npm-cli.js", "install", "--prefix", "/f", "--ignore-scripts", "--save-exact", "--omit=dev"],
          ...["--no-audit", "--no-fund", "--no-bin-links", "--", "@a/b@1.2.3"],
        ],
      },
    ]);
    expect(() => planPackage(spec, "/f", { ...tools, npm: undefined })).toThrow(/npm was not found/);
  });
  it("is installed by uv from wheels alone, which run nothing", () => {
    const spec = { manager: "uv", name: "p", version: "1.0", args: [] } as const;
    expect(planPackage(spec, "/f", tools).commands.map(({ args }) => args)).toEqual([
      ["venv", "--no-project", "/f/venv"],
      ["pip", "install", "--python", "/f/venv", "--only-binary", ":all:", "p==1.0"],
    ]);
    expect(() => planPackage(spec, "/f", { ...tools, uv: undefined })).toThrow(/uv was not found/);
  });
  it.each([
    ["its only command", { bin: "cli.js" }, undefined, "cli.js"],
    ["its only command under another name", { bin: { other: "o.js" } }, undefined, "o.js"],
    ["the command of its own name", { bin: { b: "b.js", c: "c.js" } }, undefined, "b.js"],
    ["the command that was named", { bin: { b: "b.js", c: "c.js" } }, "c", "c.js"],
  ])("runs %s", (_, manifest, command, file) => {
    const spec = {
      manager: "npm",
      name: "@a/b",
      version: "1.0.0",
      args: [],
      ...(command === undefined ? {} : { command }),
    } as const;
    expect(binOf(manifest, spec)).toBe(file);
  });
  it("without a command, or with several, says so", () => {
    const spec = { manager: "npm", name: "b", version: "1.0.0", args: [] } as const;
    expect(() => binOf({}, spec)).toThrow(/no command/);
    expect(() => binOf({ bin: { x: "x", y: "y" } }, spec)).toThrow(/x, y/);
  });
});

describe("Folders and files of others", () => {
  it.each([
    ["linux", { HOME: "/home/me" }, "/home/me/.config/navra-host"],
    ["linux", { HOME: "/home/me", XDG_CONFIG_HOME: "/c" }, "/c/navra-host"],
    ["linux", { HOME: "/home/me", XDG_CONFIG_HOME: "relative" }, "/home/me/.config/navra-host"],
    ["darwin", { HOME: "/Users/me" }, "/Users/me/Library/Application Support/navra-host"],
    ["win32", { APPDATA: "C:\\R" }, "C:\\R\\navra-host"],
  ] as const)("are where the platform keeps them: %s", (platform, env, expected) => {
    expect(homeFolder(platform, env)).toBe(expected);
  });

  it("of Claude Desktop, Cursor and VS Code are known on each platform", () => {
    expect(configFiles(LINUX, "/w").map(({ path }) => path)).toEqual([
      "/home/me/.config/Claude/claude_desktop_config.json",
      "/home/me/.cursor/mcp.json",
      "/home/me/.config/Code/User/mcp.json",
      "/w/.vscode/mcp.json",
      "/w/.cursor/mcp.json",
    ]);
    expect(configFiles({ ...LINUX, env: { HOME: "/home/me", XDG_CONFIG_HOME: "" } }, "/w")).toEqual(
      configFiles(LINUX, "/w"),
    );
    expect(configFiles(MAC, "/w")[0]?.path).toBe(
      "/Users/me/Library/Application Support/Claude/claude_desktop_config.json",
    );
    expect(configFiles(WINDOWS, "C:\\w").map(({ path }) => path)).toEqual([
      "C:\\Users\\me\\AppData\\Roaming\\Claude\\claude_desktop_config.json",
      "C:\\Users\\me\\.cursor\\mcp.json",
      "C:\\Users\\me\\AppData\\Roaming\\Code\\User\\mcp.json",
      "C:\\w\\.vscode\\mcp.json",
      "C:\\w\\.cursor\\mcp.json",
    ]);
  });

  it("are read with comments and trailing commas, and each entry is a proposal or a reason", () => {
    const text = `{
      // servers
      "servers": {
        "my server": { "type": "stdio", "command": "npx", "args": ["-y", "a@1.0.0", "https://x//y",], "env": { "KEY": "v", "ASKED": "\${input:k}" } },
        "far": { "type": "http", "url": "https://a.example/mcp" },
        "placed": { "command": "node", "args": ["\${workspaceFolder}/x.js"] },
        "odd": { "command": "node", "args": "x" },
      },
    }`;
    expect(readConfig(text)).toEqual([
      {
        kind: "server",
        proposal: {
          name: "my-server",
          program: "npx",
          args: ["-y", "a@1.0.0", "https://x//y"],
          cwd: "",
          env: ["KEY", "ASKED"],
        },
        values: { KEY: "v" },
      },
      { kind: "left-out", name: "far", why: expect.stringContaining("dashboard") },
      { kind: "left-out", name: "placed", why: expect.stringContaining("placeholder") },
      { kind: "left-out", name: "odd", why: expect.stringContaining("not understood") },
    ]);
    expect(readConfig('{"mcpServers":{"a":{"command":"x"}}}')).toHaveLength(1);
    expect(() => readConfig("{}")).toThrow(/No servers/);
  });
});
