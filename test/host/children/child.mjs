// A server that behaves as its first argument says; the second is a file for what it wants to leave behind.
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [, , kind, file = "/dev/null"] = process.argv;
const note = (line) => appendFileSync(file, `${line}\n`);
const say = (value) => process.stdout.write(`${typeof value === "string" ? value : JSON.stringify(value)}\n`);
const echo = () =>
  createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, params } = JSON.parse(line);
    if (params?.big) say({ jsonrpc: "2.0", id, result: { text: '"'.repeat(params.big) } });
    else if (params?.plain)
      say({ jsonrpc: "2.0", id, result: { text: 'row: "a", 12.5;\n'.repeat(params.plain / 16) } });
    else if (id !== undefined) say({ jsonrpc: "2.0", id, result: params ?? null });
  });

note(process.pid);
switch (kind) {
  case "echo":
    echo();
    break;
  case "stubborn":
    for (const name of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(name, () => {});
    setInterval(() => {}, 1000);
    echo();
    break;
  case "forking": {
    const script = `process.on("SIGTERM",()=>{});require("fs").appendFileSync(${JSON.stringify(file)},process.pid+"\\n");setInterval(()=>{},1000)`;
    spawn(process.execPath, ["-e", script], { stdio: "inherit" });
    spawn(process.execPath, ["-e", script], { stdio: "ignore", detached: true }).unref();
    echo();
    break;
  }
  case "closes-output":
    echo();
    setTimeout(() => process.stdout.end(), 100);
    setInterval(() => {}, 1000);
    break;
  case "writes-for-ever": {
    const line = `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/message", params: { data: "x".repeat(60_000) } })}\n`;
    const go = () => {
      while (process.stdout.write(line));
      process.stdout.once("drain", go);
    };
    go();
    break;
  }
  case "errors-for-ever": {
    const go = () => {
      while (process.stderr.write(`${"e".repeat(5000)}\n`));
      process.stderr.once("drain", go);
    };
    go();
    echo();
    break;
  }
  case "garbage":
    process.stdout.write("Welcome!\n[info] ready\n");
    createInterface({ input: process.stdin }).on("line", (line) => {
      process.stdout.write("in the middle\n");
      say({ jsonrpc: "2.0", id: JSON.parse(line).id, result: {} });
    });
    break;
  case "one-endless-line":
    // 100 MB of no message, then one.
    createInterface({ input: process.stdin }).once("line", async (line) => {
      const piece = "x".repeat(1024 * 1024);
      for (let count = 0; count < 100; count += 1) {
        if (!process.stdout.write(piece)) await new Promise((resolve) => process.stdout.once("drain", resolve));
      }
      say("");
      say({ jsonrpc: "2.0", id: JSON.parse(line).id, result: {} });
    });
    break;
  case "one-endless-message": {
    const piece = "x".repeat(1024 * 1024);
    process.stdout.write('{"jsonrpc":"2.0","method":"');
    const go = () => {
      while (process.stdout.write(piece));
      process.stdout.once("drain", go);
    };
    go();
    break;
  }
  case "deaf":
    process.stdin.pause();
    setInterval(() => {}, 1000);
    break;
  case "reply-and-exit":
    createInterface({ input: process.stdin }).once("line", (line) => {
      process.stderr.write("last words\n");
      say({ jsonrpc: "2.0", id: JSON.parse(line).id, result: { text: "y".repeat(3_000_000) } });
      process.exitCode = 3;
      process.stdin.destroy();
    });
    break;
  case "exits":
    process.stderr.write("cannot start\n");
    process.exit(7);
}
