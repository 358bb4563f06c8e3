/** What a command really runs, as a table: accepted with what is pinned, or refused with the remedy. */
import { describe, expect, it } from "vitest";
import { classify } from "../../src/host/allow/classify.ts";

describe("What really runs", () => {
  it.each([
    ["/usr/local/bin/mcp-server", ["--port", "-e"], { kind: "program" }],
    ["node", ["server.js", "-e", "x"], { kind: "script", index: 0 }],
    ["/usr/bin/node", ["--no-warnings", "server.js"], { kind: "script", index: 1 }],
    ["node.exe", ["--", "server.js"], { kind: "script", index: 1 }],
    ["python3.12", ["-u", "server.py", "-c", "x"], { kind: "script", index: 1 }],
    ["deno", ["run", "--allow-net=a.example", "server.ts"], { kind: "script", index: 2 }],
    ["java", ["-jar", "server.jar"], { kind: "script", index: 1 }],
    ["bash", ["start.sh"], { kind: "script", index: 0 }],
    ["/usr/bin/node-20", ["server.js"], { kind: "script", index: 0 }],
    ["py", ["-3.12", "server.py"], { kind: "script", index: 1 }],
    ["powershell", ["-NoProfile", "-File", "server.ps1"], { kind: "script", index: 2 }],
    ["/opt/watch-2-mcp", ["-e"], { kind: "program" }],
  ] as const)("is found: %s %j", (program, args, expected) => {
    expect(classify(program, args)).toEqual(expected);
  });

  it.each([
    ["npx", ["-y", "server@1.2.3", "/tmp"], "npm", "server", "1.2.3", ["/tmp"], undefined],
    ["C:\\nodejs\\npx.cmd", ["@scope/server@1.2.3-rc.1"], "npm", "@scope/server", "1.2.3-rc.1", [], undefined],
    ["npx", ["--package=server@1.0.0", "other", "-x"], "npm", "server", "1.0.0", ["-x"], "other"],
    ["npm", ["exec", "--yes", "server@1.0.0"], "npm", "server", "1.0.0", [], undefined],
    ["bunx", ["server@1.0.0"], "npm", "server", "1.0.0", [], undefined],
    [
      "uvx",
      ["mcp-server-git==2025.1.14", "--repository", "."],
      "uv",
      "mcp-server-git",
      "2025.1.14",
      ["--repository", "."],
      undefined,
    ],
    ["uvx", ["--from", "pkg@1.0", "tool"], "uv", "pkg", "1.0", [], "tool"],
    ["uv", ["tool", "run", "pkg==1.0"], "uv", "pkg", "1.0", [], undefined],
    ["pipx", ["run", "pkg==1.0"], "uv", "pkg", "1.0", [], undefined],
  ] as const)("is a package at an exact version: %s %j", (program, words, manager, name, version, args, command) => {
    expect(classify(program, words)).toEqual({
      kind: "package",
      spec: { manager, name, version, args, ...(command === undefined ? {} : { command }) },
    });
  });

  it.each([
    ["node", ["-e", "code"], "-e"],
    ["node", ["--eval=code"], "--eval"],
    ["node", ["-p", "code"], "-p"],
    ["node", ["-r", "./other.js", "server.js"], "-r"],
    ["node", ["--require=./other.js", "server.js"], "--require"],
    ["node", ["--import", "./other.js", "server.js"], "--import"],
    ["node", ["--loader=./x.mjs", "server.js"], "--loader"],
    ["node", ["--env-file=.env", "server.js"], "--env-file"],
    ["node", ["--inspect=0.0.0.0", "server.js"], "--inspect"],
    ["node", [], "path"],
    ["node", ["-"], "path"],
    ["deno", ["run", "https://a.example/x.ts"], "address"],
    ["deno", ["eval", "--allow-all"], undefined],
    ["python", ["-c", "code"], "-c"],
    ["python", ["-m", "module"], "uvx"],
    ["python", ["-mmodule"], "uvx"],
    ["ruby", ["-e", "code"], "-e"],
    ["perl", ["-e", "code"], "-e"],
    ["php", ["-r", "code"], "-r"],
    ["bash", ["-c", "code"], "-c"],
    ["bash", ["-lc", "code"], "-lc"],
    ["pwsh", ["-Command", "code"], "-Command"],
    ["cmd.exe", ["/c", "x"], "cmd"],
    ["env", ["node", "x.js"], "env"],
    ["sudo", ["x"], "sudo"],
    ["docker", ["run", "image"], "docker"],
    ["npx", ["-y", "server"], "npm view server version"],
    ["npx", ["server@latest"], "npm view server version"],
    ["npx", ["server@^1.2.3"], "npm view"],
    ["npx", ["server@1"], "npm view"],
    ["npx", ["server@npm:other@1.0.0"], "npm view"],
    ["npx", ["github:someone/server"], "by name"],
    ["npx", ["./folder"], "by name"],
    ["npx", ["https://a.example/x.tgz"], "by name"],
    ["npx", ["-c", "code"], "-c"],
    ["npx", ["--call=code", "server@1.0.0"], "--call"],
    ["npx", ["--node-options=--import=x", "server@1.0.0"], "--node-options"],
    ["npx", ["--registry=https://a.example", "server@1.0.0"], "--registry"],
    ["npx", ["-p", "one@1.0.0", "-p", "two@1.0.0", "x"], "one package"],
    ["npx", [], "version"],
    ["npm", ["run", "start"], "by its path"],
    ["yarn", ["start"], "by its path"],
    ["uvx", ["mcp-server-git"], "pypi.org/project/mcp-server-git"],
    ["uvx", ["mcp-server-git>=1"], "by name"],
    ["uvx", ["--from", "git+https://a.example/x", "x"], "by name"],
    ["uvx", ["--with", "other", "pkg==1.0"], "--with"],
    ["uv", ["run", "server.py"], "uvx"],
    ["/usr/local/bin/server", ["a\0b"], "zero byte"],
    ["/usr/bin/node-20", ["-e", "code"], "-e"],
    ["nodejs18", ["--eval", "code"], "--eval"],
    ["python3.12-dbg", ["-c", "code"], "-c"],
    ["perl5.36-x86_64-linux-gnu", ["-e", "code"], "-e"],
    ["py.exe", ["-3.12", "-c", "code"], "-c"],
    ["py", ["-3", "-m", "module"], "uvx"],
    ["luajit", ["-e", "code"], "-e"],
    ["julia", ["-e", "code"], "-e"],
    ["powershell.exe", ["x.ps1; more"], "-File"],
    ["bun", ["x", "server"], "npm view server version"],
    ["/lib64/ld-linux-x86-64.so.2", ["/usr/bin/node", "-e", "code"], "starts another program"],
    ["qemu-x86_64", ["x"], "starts another program"],
    ["strace", ["node", "-e", "code"], "starts another program"],
    ["systemd-run", ["--user", "x"], "starts another program"],
    ["gawk", ["BEGIN { system(1) }"], "whatever its arguments"],
    ["git", ["-c", "core.pager=x", "log"], "whatever its arguments"],
    ["node", ["-e\u001b[2J"], "\\u{1b}"],
    ["npm", ["\u001b[2J"], "\\u{1b}"],
  ] as const)("is refused with the way to do it: %s %j", (program, args, remedy) => {
    const found = classify(program, args);
    if (remedy === undefined) expect(found.kind).not.toBe("program");
    else expect(found).toEqual({ kind: "refused", message: expect.stringContaining(remedy) });
  });
});
