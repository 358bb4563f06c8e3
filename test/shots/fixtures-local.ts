/** What the page of local servers is shown with: a helper that works with a mixed list, and one that does not work. */
import type { LocalView } from "../../src/bridge/native-view.ts";
import type { Answers } from "./state.ts";

const MINUTE = 60_000;

export function localAnswers(now: number): Answers {
  return {
    "local.read": view(now),
    "local-log.read": { lines: ["Server started", "warning: no index, reading\u202e every file"], noise: 3 },
    "local-checks.read": {
      checks: [
        { what: "Node", ok: true, found: "v20.20.2, /usr/bin/node" },
        {
          what: "Firefox",
          ok: false,
          found: "no manifest at /home/ada/.mozilla/native-messaging-hosts/dev.navra.host.json",
          remedy: "/home/ada/.local/share/navra-host/navra-host install",
        },
      ],
    },
    "local.propose": { words: "copper heron quiet lake" },
    "local.withdraw": null,
    "local.restart": null,
  };
}

export function helperIn(state: "missing" | "refused" | "old"): Answers {
  return { "local.read": { host: { state }, servers: [], waiting: [] } };
}

function view(now: number): LocalView {
  const node = { program: "/usr/bin/node", cwd: "/home/ada", env: [], crashes: 0, stopped: false } as const;
  return {
    host: { state: "ready", version: "0.1.0", node: "20.20.2", platform: "linux", same: true },
    servers: [
      { ...node, name: "notes", args: ["/home/ada/notes/server.mjs", "--stdio"], running: true, serverId: "s1" },
      { ...node, name: "files", args: ["/home/ada/files/index.js", "/home/ada/Documents"], running: false },
      {
        ...node,
        name: "sheets",
        args: ["/home/ada/sheets/index.js"],
        running: false,
        crashes: 5,
        stopped: true,
        last: {
          at: now - 4 * MINUTE,
          message: "sheets ended with code 1. Look at what it wrote, repair it, then restart it here.",
        },
      },
    ],
    review: "/home/ada/.local/share/navra-host/navra-host review",
    waiting: [
      {
        proposal: {
          name: "tickets",
          program: "npx",
          args: ["@example/tickets-mcp@2.4.0"],
          cwd: "",
          env: ["TICKETS_TOKEN"],
        },
        words: "anvil maple river stone",
        at: now - MINUTE,
      },
    ],
  };
}
