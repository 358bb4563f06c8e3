/** Logs: written for their owner, bounded, and never in anybody's way. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLogFile, lastLines, logPath } from "../../src/host/log-file.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "navra-log-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("A log", () => {
  it("keeps what was written, in order, for its owner alone", () => {
    const path = logPath(join(folder, "logs"), "files");
    const log = createLogFile(path);
    log.append("one\n");
    log.append(Buffer.from("two\n"));
    log.flush();
    log.append("three\n");
    log.flush();
    expect(lastLines(path, 2)).toEqual(["two", "three"]);
    if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("begins anew when it is long, and keeps one that came before", () => {
    const path = join(folder, "host.log");
    writeFileSync(path, "x".repeat(600 * 1024));
    const log = createLogFile(path);
    log.append("new\n");
    log.flush();
    expect(readFileSync(path, "utf8")).toBe("new\n");
    expect(statSync(`${path}.1`).size).toBe(600 * 1024);
  });

  it("drops what a server writes faster than it can be kept", () => {
    const path = join(folder, "host.log");
    const log = createLogFile(path);
    for (let count = 0; count < 10; count += 1) log.append("x".repeat(100 * 1024));
    log.flush();
    expect(statSync(path).size).toBe(200 * 1024);
  });

  it("that cannot be written, as on a full disk, is dropped and ends nothing", () => {
    writeFileSync(join(folder, "file"), "");
    const path = join(folder, "file", "host.log");
    const log = createLogFile(path);
    log.append("lost\n");
    expect(() => log.flush()).not.toThrow();
    expect(existsSync(path)).toBe(false);
    expect(lastLines(path, 5)).toEqual([]);
  });
});
