/** The files that decide what may run: who may have written them, how they change, what a full disk does. */

import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readOwned, UnsafeFile, withLock, writeOwned } from "../../src/host/allow/safe-file.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "navra-files-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = () => join(folder, "servers.json");

describe("A file that decides", () => {
  it("is written for its owner alone, in a folder for its owner alone", () => {
    const path = join(folder, "deep", "servers.json");
    writeOwned(path, "one");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, "deep")).mode & 0o777).toBe(0o700);
    expect(readOwned(path)).toBe("one");
  });

  it("is nothing when it is not there", () => {
    expect(readOwned(file())).toBeUndefined();
    expect(readOwned(join(folder, "no", "such", "file"))).toBeUndefined();
  });

  it.each([[0o602], [0o620], [0o666], [0o644], [0o640]])("is refused with the mode %o", (mode) => {
    writeOwned(file(), "one");
    chmodSync(file(), mode);
    expect(() => readOwned(file())).toThrow(/chmod 600/);
  });

  it("is refused in a folder where others can put files", () => {
    writeOwned(file(), "one");
    chmodSync(folder, 0o777);
    expect(() => readOwned(file())).toThrow(/chmod 700/);
  });

  it("is refused when it is a link", () => {
    writeFileSync(join(folder, "other"), "one", { mode: 0o600 });
    symlinkSync(join(folder, "other"), file());
    expect(() => readOwned(file())).toThrow(/link/);
  });

  it.runIf(process.getuid?.() === 0)("is refused when it belongs to another user", () => {
    writeOwned(file(), "one");
    chownSync(file(), 12345, 12345);
    expect(() => readOwned(file())).toThrow(/another user/);
    chownSync(file(), 0, 0);
    chownSync(folder, 12345, 12345);
    expect(() => readOwned(file())).toThrow(/another user/);
  });
});

describe("A change", () => {
  it("replaces the file as a whole and leaves nothing beside it", () => {
    writeOwned(file(), "one");
    writeOwned(file(), "two");
    expect(readFileSync(file(), "utf8")).toBe("two");
    expect(readdirSync(folder)).toEqual(["servers.json"]);
  });

  it("waits for another process's change", async () => {
    const order: string[] = [];
    let first = () => {};
    const held = withLock(file(), async () => {
      order.push("first begins");
      await new Promise<void>((resolve) => {
        first = resolve;
      });
      order.push("first ends");
    });
    const second = withLock(file(), () => order.push("second"));
    await Promise.resolve();
    first();
    await Promise.all([held, second]);
    expect(order).toEqual(["first begins", "first ends", "second"]);
    expect(existsSync(`${file()}.lock`)).toBe(false);
  });

  it("is not held up by the lock of a process that is gone", async () => {
    const gone = spawnSync(process.execPath, ["-e", ""]).pid;
    writeFileSync(`${file()}.lock`, String(gone));
    expect(await withLock(file(), () => "done")).toBe("done");
  });

  it("says so when the lock is never given up", async () => {
    writeFileSync(`${file()}.lock`, String(process.pid));
    await expect(withLock(file(), () => "done")).rejects.toThrow(UnsafeFile);
  });

  it.runIf(canMount())("on a full disk leaves the old file and says what to do", () => {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=16k,mode=700", "tmpfs", folder]);
    try {
      writeOwned(file(), "old");
      expect(() => writeOwned(file(), "x".repeat(64 * 1024))).toThrow(/Make room/);
      expect(readOwned(file())).toBe("old");
      expect(readdirSync(folder)).toEqual(["servers.json"]);
    } finally {
      execFileSync("umount", [folder]);
    }
  });

  it.runIf(canMount())("on a disk without room for a single byte says so, and holds up nobody afterwards", async () => {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=16k,mode=700", "tmpfs", folder]);
    try {
      const filler = join(folder, "filler");
      spawnSync("dd", ["if=/dev/zero", `of=${filler}`, "bs=4k", "count=8"], { stdio: "ignore" });
      await expect(withLock(file(), () => "done")).rejects.toThrow(/Make room/);
      expect(readdirSync(folder)).toEqual(["filler"]);
      rmSync(filler);
      expect(await withLock(file(), () => "done")).toBe("done");
    } finally {
      execFileSync("umount", [folder]);
    }
  });

  it("that may not write so much leaves the old file too", () => {
    writeOwned(file(), "old");
    const script = `
      import { writeOwned } from ${JSON.stringify(new URL("../../src/host/allow/safe-file.ts", import.meta.url).pathname)};
      try { writeOwned(${JSON.stringify(file())}, "x".repeat(2 * 1024 * 1024)); } catch (problem) { console.log(problem.message); }
    `;
    const at = join(folder, "write.mts");
    writeFileSync(at, script);
    const tsx = new URL("../../node_modules/.bin/tsx", import.meta.url).pathname;
    const done = spawnSync("bash", ["-c", `trap '' XFSZ; ulimit -f 1024; exec "$0" "$1"`, tsx, at], {
      encoding: "utf8",
      env: { ...process.env, TSX_DISABLE_CACHE: "1" },
    });
    expect(done.stdout).toMatch(/Make room/);
    expect(readOwned(file())).toBe("old");
  });
});

function canMount(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  const at = mkdtempSync(join(tmpdir(), "navra-mount-"));
  const done = spawnSync("mount", ["-t", "tmpfs", "tmpfs", at], { stdio: "ignore" });
  if (done.status === 0) spawnSync("umount", [at]);
  rmSync(at, { recursive: true, force: true });
  return done.status === 0;
}
