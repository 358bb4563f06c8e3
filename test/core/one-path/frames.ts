/**
 * Frames of an agent's, good, hostile and malformed: every method of the protocol, every kind of ending a call can have, and
 * what is no call at all; over and over with other ids and arguments. What servers do in the other direction is the server's
 * part: each of its tools does something that a server may do, or should not.
 */
import { MODERN_META } from "../../fakes/gateway.ts";
import { GITHUB_TOKEN } from "../inspect/samples.ts";
import { INVISIBLE } from "./brain.ts";

export interface Sent {
  readonly text: string;
  /** Frames that answer it. */
  readonly replies: number;
  /** The id of a call that the agent takes back once the server has it. */
  readonly cancelled?: unknown;
}

interface Kind {
  /** Revisions it is about. */
  readonly era: "both" | "legacy" | "modern";
  readonly make: (about: About) => Sent;
}

interface About {
  readonly at: number;
  readonly id: unknown;
  readonly meta: object;
}

const DECLARING = { ...MODERN_META, "io.modelcontextprotocol/clientCapabilities": { elicitation: {}, roots: {} } };

function request(method: string, params: (at: number) => object = () => ({}), era: Kind["era"] = "both"): Kind {
  return {
    era,
    make({ at, id, meta }) {
      const own = params(at) as { _meta?: object };
      const _meta = { ...own._meta, ...meta };
      const whole = { ...own, ...(Object.keys(_meta).length > 0 && { _meta }) };
      return { text: JSON.stringify({ jsonrpc: "2.0", id, method, params: whole }), replies: 1 };
    },
  };
}

function call(name: string, args: object = { path: "/a" }, _meta: object = {}): Kind {
  return request("tools/call", (at) => ({ name, arguments: { ...args, at }, _meta }));
}

/** Text as it is, with the id put in; answered or not. */
function raw(text: (id: string, meta: string) => string, replies = 1, era: Kind["era"] = "both"): Kind {
  return { era, make: ({ id, meta }) => ({ text: text(JSON.stringify(id), JSON.stringify(meta)), replies }) };
}

function taken(name: string): Kind {
  return {
    era: "both",
    make: (about) => ({ ...call(name).make(about), replies: 0, cancelled: about.id }),
  };
}

const KINDS: readonly Kind[] = [
  // Calls that end well, or as the policy or the person says.
  call("file_read", { path: "/etc/hostname" }),
  call("file_read", { path: "grüße 😀 \u2028" }),
  call("file_read", { path: "/a", deep: [[{ x: [null, true] }]] }),
  raw(
    (id, meta) =>
      `{"params":{"name":"file_read","_meta":${meta},"arguments":{"path":"\\u002fa" , "n":9007199254740993,"m":1e2}},"id":${id}, "method":"tools\\/call","jsonrpc":"2.0"}`,
  ),
  call("file_write", { path: "/allowed" }),
  call("file_write", { path: "/denied" }),
  call("file_burn"),
  call("unlucky"),
  call("refusing"),
  call("nowhere"),
  call("chatty", { path: "/a" }, { progressToken: "mine" }),
  call("chatty", { path: "/a" }, { progressToken: 7 }),
  taken("slow"),
  // What texts contain.
  call("file_read", { path: `with ${GITHUB_TOKEN}` }),
  call("file_read", { path: `plain${INVISIBLE}` }),
  call("hidden"),
  call("leaky"),
  // What servers ask.
  call("curious"),
  call("nosy"),
  call("rooted"),
  call("reaching"),
  call("pinging"),
  // What servers should not do.
  call("doubled"),
  call("garbled"),
  call("versionless"),
  call("undecided"),
  call("foreign"),
  call("twice"),
  call("straying", { path: "/a" }, { progressToken: "mine" }),
  call("inventing"),
  // Every other method.
  request("tools/list"),
  request("tools/list", () => ({ cursor: "next" })),
  request("resources/list"),
  request("resources/templates/list"),
  request("resources/read", (at) => ({ uri: `file:///${at}` })),
  request("resources/read", () => ({ uri: "file:///missing" })),
  request("prompts/list"),
  request("prompts/get", (at) => ({ name: "p", arguments: { at: String(at) } })),
  request("completion/complete", () => ({
    ref: { type: "ref/prompt", name: "p" },
    argument: { name: "a", value: "" },
  })),
  request("skills/list"),
  request("skills/get", () => ({ uri: "skill://a/SKILL.md" })),
  request("resources/directory/read", () => ({ uri: "skill://a" })),
  request("ping", () => ({}), "legacy"),
  request(
    "initialize",
    () => ({ protocolVersion: "2025-11-25", capabilities: { elicitation: {}, roots: {} } }),
    "legacy",
  ),
  request("resources/subscribe", (at) => ({ uri: `file:///${at}` }), "legacy"),
  request("resources/unsubscribe", (at) => ({ uri: `file:///${at - 1}` }), "legacy"),
  request("logging/setLevel", () => ({ level: "info" }), "legacy"),
  request("server/discover", () => ({}), "modern"),
  request("subscriptions/listen", () => ({ notifications: { toolsListChanged: true } }), "modern"),
  request("tasks/get", (at) => ({ taskId: `t-${at}` }), "modern"),
  request("tasks/update", (at) => ({ taskId: `t-${at}`, inputResponses: {} }), "modern"),
  request("tasks/cancel", (at) => ({ taskId: `t-${at}` }), "modern"),
  // What is no call.
  request("no/such"),
  request("x".repeat(300)),
  request("tools/call", () => ({ arguments: {} })),
  request("tools/call", () => ({ name: "file_read", arguments: [] })),
  request(
    "tools/call",
    () => ({ name: "file_read", _meta: { "io.modelcontextprotocol/protocolVersion": "1999-01-01" } }),
    "legacy",
  ),
  raw(
    (id) =>
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"file_read","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`,
  ),
  raw(() => "{"),
  raw((id) => `{"jsonrpc":"2.0","id":${id},"method":"tools/list","params":{"a":1,"a":2}}`),
  raw((id) => `{"jsonrpc":"1.0","id":${id},"method":"tools/list"}`),
  raw(() => '{"jsonrpc":"2.0","id":null,"method":"tools/list"}'),
  raw(() => '{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}'),
  raw(() => `{"jsonrpc":"2.0","id":"${"i".repeat(300)}","method":"tools/list"}`),
  raw((id) => `{"jsonrpc":"2.0","id":${id},"method":"tools/list","params":${"[".repeat(2_000)}${"]".repeat(2_000)}}`),
  raw((id) => `[{"jsonrpc":"2.0","id":${id},"method":"tools/list"}]`),
  raw(() => '"tools/list"'),
  raw(() => '{"jsonrpc":"2.0","method":"notifications/initialized"}', 0),
  raw(() => '{"jsonrpc":"2.0","method":"notifications/made_up","params":{"a":1}}', 0),
  raw(() => '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"nobody"}}', 0),
  raw((id) => `{"jsonrpc":"2.0","id":${id},"result":{"action":"accept"}}`, 0),
];

const ROUNDS = 4;

export function framesOf(modern: boolean): readonly Sent[] {
  const kinds = KINDS.filter(({ era }) => era === "both" || (era === "modern") === modern);
  return Array.from({ length: ROUNDS * kinds.length }, (_, at) => {
    const id = at % 3 === 0 ? `a-${at}` : at + 1;
    const { make } = kinds[at % kinds.length] as Kind;
    return make({ at, id, meta: modern ? DECLARING : {} });
  });
}
