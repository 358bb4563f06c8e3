/**
 * What the server of these tests offers, said once for both official packages: a handler for each method, which sees what
 * the agent sent and speaks through the same few functions whichever package serves it. Every method of the protocol has
 * something here, and every kind of ending.
 */

export type Params = Readonly<Record<string, unknown>>;

export interface Speaker {
  readonly signal: AbortSignal;
  /** The agent wants to hear how far it is. */
  readonly token: unknown;
  /** About this request. */
  notify(method: string, params: Params): Promise<void>;
  log(level: string, data: unknown): Promise<void>;
  /** Asks the agent for something; the handler may be run from its start again with the answer. */
  ask(method: string, params: Params): Promise<Params>;
  /** Resources that somebody of this session is subscribed to; in the newer era the package sees to it. */
  readonly subscribed: Pick<Set<unknown>, "add" | "delete" | "has">;
  /** About no request. */
  announce(method: string, params?: Params): void;
  /** Ends the request with a JSON-RPC error. */
  fail(code: number, message: string, data?: unknown): never;
}

export type Feature = (params: Params, speaker: Speaker) => Params | Promise<Params>;

export const CAPABILITIES = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  completions: {},
  logging: {},
};

export const INFO = {
  name: "an official server",
  version: "7.1.0",
  title: "Official",
  websiteUrl: "https://one.example/",
};
export const INSTRUCTIONS = "Begin with echo. “Quotes”, \u{1F30D} and a\ttab are part of this.";

const said = (text: string, more: Params = {}): Params => ({ content: [{ type: "text", text }], ...more });

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";

const FORM = {
  message: "Which colour?",
  requestedSchema: {
    type: "object",
    properties: {
      colour: { type: "string", title: "Colour", enum: ["red", "green"], default: "red" },
      size: { type: "integer", minimum: 1, maximum: 9 },
    },
    required: ["colour"],
  },
};

const PAGE = {
  mode: "url",
  message: "Sign in over there.",
  elicitationId: "e-1",
  url: "https://one.example/sign-in?a=1",
};

interface Tool {
  readonly definition: Params;
  readonly run: (args: Params, speaker: Speaker) => Params | Promise<Params>;
}

const ANY = { type: "object", properties: {} };

const tool = (run: Tool["run"], definition: Params = {}): Tool => ({
  definition: { description: "One of the tools.", inputSchema: ANY, ...definition },
  run,
});

const asking = (method: string, params: Params): Tool =>
  tool(async (_args, { ask }) => said(inOrder(await ask(method, params))));

/** The packages' parsers put members into an order of their own. */
function inOrder(value: Params): string {
  return JSON.stringify(Object.fromEntries(Object.entries(value).sort(([a], [b]) => a.localeCompare(b))));
}

const TOOLS: Readonly<Record<string, Tool>> = {
  echo: tool((args) => said(JSON.stringify(args), { structuredContent: { args } }), {
    title: "Echo",
    description: "Says what it was given.",
    inputSchema: {
      type: "object",
      properties: { text: { type: "string" }, deep: { $ref: "#/$defs/deep" } },
      required: ["text"],
      $defs: { deep: { type: "array", items: { type: "object" } } },
      additionalProperties: true,
    },
    outputSchema: { type: "object", properties: { args: { type: "object" } }, required: ["args"] },
    annotations: { title: "Echo", readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    icons: [{ src: "https://one.example/echo.png", mimeType: "image/png", sizes: ["48x48"] }],
    _meta: { "com.example/kind": { order: [3, 1, 2] } },
  }),
  rich: tool(() => ({
    content: [
      { type: "text", text: "words", annotations: { audience: ["user"], priority: 0.5 } },
      { type: "image", data: PIXEL, mimeType: "image/png" },
      { type: "audio", data: PIXEL, mimeType: "audio/wav" },
      { type: "resource_link", uri: "test://a", name: "a", description: "A link.", mimeType: "text/plain" },
      { type: "resource", resource: { uri: "test://a", mimeType: "text/plain", text: "inside" } },
    ],
    _meta: { "com.example/trace": "abc" },
  })),
  meta: tool((_args, { token }) => said(typeof token)),
  unlucky: tool(() => said("It did not work.", { isError: true })),
  refusing: tool((_args, { fail }) => fail(-32050, "The server says no.", { reason: { deep: [1, null, "x"] } })),
  picky: tool((_args, { fail }) => fail(-32602, "The path must be absolute.")),
  broken: tool((_args, { fail }) => fail(-32603, "Something broke inside.")),
  slow: tool(
    (_args, { signal }) =>
      new Promise((resolve) => signal.addEventListener("abort", () => resolve(said("too late")), { once: true })),
  ),
  steps: tool(async (_args, { token, notify }) => {
    for (const progress of token === undefined ? [] : [0, 50, 99.5]) {
      const message = `${progress} of 100`;
      await notify("notifications/progress", { progressToken: token, progress, total: 100, message });
    }
    return said("Three steps.");
  }),
  logs: tool(async (_args, { log }) => {
    await log("debug", "too fine");
    await log("warning", { deep: ["careful", 1] });
    await log("error", "bad");
    return said("Logged.");
  }),
  form: asking("elicitation/create", FORM),
  page: asking("elicitation/create", PAGE),
  model: asking("sampling/createMessage", {
    messages: [{ role: "user", content: { type: "text", text: "What is the capital of France?" } }],
    systemPrompt: "Be short.",
    maxTokens: 50,
    temperature: 0.25,
  }),
  roots: asking("roots/list", {}),
  demanding: tool((_args, { fail }) => {
    const { message, elicitationId, url } = PAGE;
    return fail(-32042, "Sign in first.", { elicitations: [{ mode: "url", message, elicitationId, url }] });
  }),
  finished: tool((_args, { announce }) => {
    announce("notifications/elicitation/complete", { elicitationId: PAGE.elicitationId });
    return said("Finished.");
  }),
  touch: tool((_args, { announce, subscribed }) => {
    if (subscribed.has("test://a")) announce("notifications/resources/updated", { uri: "test://a" });
    return said("Touched.");
  }),
  tools_change: announcing("notifications/tools/list_changed"),
  prompts_change: announcing("notifications/prompts/list_changed"),
  resources_change: announcing("notifications/resources/list_changed"),
};

function announcing(method: string): Tool {
  return tool((_args, { announce }) => {
    announce(method);
    return said("Told.");
  });
}

/** The tools of the fixture by name, for tests that look whether each of them is called. */
export const TOOL_NAMES = Object.keys(TOOLS);

const RESOURCES = ["a", "b", "c"].map((name) => ({
  uri: `test://${name}`,
  name,
  title: name.toUpperCase(),
  mimeType: "text/plain",
  annotations: { priority: 0.1 },
  size: 12,
}));

const PROMPTS = [
  { name: "plain", description: "Says one thing." },
  { name: "given", title: "Given", arguments: [{ name: "topic", description: "About what", required: true }] },
  { name: "other" },
];

const TEMPLATES = ["x", "y", "z"].map((name) => ({ uriTemplate: `test://${name}/{id}`, name, mimeType: "text/plain" }));

/** Half at a time; a cursor is whatever the server likes. */
function page(items: readonly Params[], member: string, { cursor }: Params, fail: Speaker["fail"]): Params {
  const at = cursor === undefined ? 0 : Number(/^p:(\d+) ?\{"\u00fc":\[\]\}$/.exec(String(cursor))?.[1] ?? "NaN");
  if (Number.isNaN(at)) fail(-32602, "This cursor is not one of ours.");
  const next = at + Math.ceil(items.length / 2);
  return {
    [member]: items.slice(at, next),
    ...(next < items.length && { nextCursor: `p:${next} {"\u00fc":[]}` }),
  };
}

export const FEATURES: Readonly<Record<string, Feature>> = {
  "tools/list": (params, { fail }) =>
    page(
      Object.entries(TOOLS).map(([name, { definition }]) => ({ name, ...definition })),
      "tools",
      params,
      fail,
    ),
  "tools/call"(params, speaker) {
    const called = TOOLS[String(params.name)];
    if (!called) return speaker.fail(-32602, `Unknown tool: ${params.name}`);
    return called.run((params.arguments ?? {}) as Params, speaker);
  },
  "prompts/list": (params, { fail }) => page(PROMPTS, "prompts", params, fail),
  "prompts/get"({ name, arguments: args }, { fail }) {
    if (!PROMPTS.some((one) => one.name === name)) return fail(-32602, `Unknown prompt: ${name}`);
    const content = { type: "text", text: `${name}: ${JSON.stringify(args ?? null)}` };
    return { description: "A prompt.", messages: [{ role: "user", content }], _meta: { "com.example/p": 1 } };
  },
  "resources/list": (params, { fail }) => page(RESOURCES, "resources", params, fail),
  "resources/templates/list": (params, { fail }) => page(TEMPLATES, "resourceTemplates", params, fail),
  "resources/read"({ uri }, { fail }) {
    if (uri === "test://b") return { contents: [{ uri, mimeType: "image/png", blob: PIXEL }] };
    if (!/^test:\/\/[acxyz]/.test(String(uri))) return fail(-32002, "Resource not found", { uri });
    return { contents: [{ uri, mimeType: "text/plain", text: `The text of ${uri}\r\n\u2028`, _meta: { n: 1 } }] };
  },
  "resources/subscribe"({ uri }, { subscribed }) {
    subscribed.add(uri);
    return {};
  },
  "resources/unsubscribe"({ uri }, { subscribed }) {
    subscribed.delete(uri);
    return {};
  },
  "completion/complete": ({ ref, argument, context }) => ({
    completion: { values: [JSON.stringify({ ref, argument, context })], total: 12, hasMore: true },
  }),
};
