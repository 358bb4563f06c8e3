/**
 * What an agent does, step by step: every method of the protocol, and every kind of ending. Each step gives what the agent
 * saw: its result or error, what it heard meanwhile, and what it was asked.
 */
import type { Agent } from "./agents.ts";
import type { Params } from "./features.ts";

export interface Step {
  readonly name: string;
  /** The methods of the protocol that it is about. */
  readonly methods: readonly string[];
  readonly run: (agent: Agent) => Promise<unknown>;
}

export const STEPS: readonly Step[] = [
  step("what the server said of itself", ["initialize", "server/discover"], async ({ client }) => ({
    capabilities: client.getServerCapabilities(),
    version: client.getServerVersion(),
    instructions: client.getInstructions(),
  })),
  step("ping", ["ping"], ({ client }) => client.ping()),
  step("the pages of tools", ["tools/list"], ({ client }) => pages((params) => client.listTools(params))),
  step("the pages of prompts", ["prompts/list"], ({ client }) => pages((params) => client.listPrompts(params))),
  step("the pages of resources", ["resources/list"], ({ client }) => pages((params) => client.listResources(params))),
  step("the pages of templates", ["resources/templates/list"], ({ client }) =>
    pages((params) => client.listResourceTemplates(params)),
  ),
  step("a cursor that is none", ["tools/list"], ({ client }) => client.listTools({ cursor: "made up" })),
  step("an empty cursor", ["prompts/list"], ({ client }) => client.listPrompts({ cursor: "" })),

  step("a call", ["tools/call"], ({ call }) => call("echo", { text: "grüße \u{1F30D} \u2028", n: 0.1, none: null })),
  step("a call with deep arguments", ["tools/call"], ({ call }) =>
    call("echo", { text: "", deep: [{ a: [[{}], []] }, { b: { c: -0.5e-7 } }] }),
  ),
  step("a call without arguments", ["tools/call"], ({ call }) => call("rich")),
  step("a call with `_meta` of its own", ["tools/call"], ({ call }) =>
    call("rich", {}, { meta: { "com.example/note": { deep: [1, "é"] }, traceparent: TRACE, baggage: "a=1,b=2" } }),
  ),
  step("calls at the same time", ["tools/call"], ({ call }) =>
    Promise.all(["one", "two", "three"].map((text) => call("echo", { text }))),
  ),
  step("a large result", ["tools/call"], ({ call }) => call("echo", { text: "grüße ".repeat(5_000) })),
  step("a tool that fails", ["tools/call"], ({ call }) => call("unlucky", {})),
  step("an error of the server's own", ["tools/call"], ({ call }) => call("refusing", {})),
  step("an error about parameters", ["tools/call"], ({ call }) => call("picky", {})),
  step("an error inside", ["tools/call"], ({ call }) => call("broken", {})),
  step("a tool that is not there", ["tools/call"], ({ call }) => call("nowhere", {})),
  step("a call that says too little", ["tools/call"], ({ ask }) => ask("tools/call", { arguments: {} })),
  step("a method that is not there", [], ({ ask }) => ask("no/such", { a: 1 })),

  step("progress", ["notifications/progress"], async ({ call }) => {
    const heard: Params[] = [];
    const result = await call("steps", {}, { onprogress: (progress) => heard.push(progress) });
    return { result, heard };
  }),
  step("progress that nobody asked for", [], ({ call }) => call("steps", {})),
  step("whether there is a token", [], ({ call }) => call("meta", {}, { onprogress: () => undefined })),
  step("a call that is cancelled", ["notifications/cancelled"], async ({ call }) => {
    const end = new AbortController();
    const ended = call("slow", {}, { signal: end.signal });
    setTimeout(() => end.abort(new Error("enough")), 30);
    return ended;
  }),
  step("log messages without a level", ["notifications/message"], ({ call }) => call("logs", {})),
  step("the level of log messages", ["logging/setLevel"], async (agent) => {
    if (!agent.modern()) return agent.client.setLoggingLevel("warning");
    agent.level = "warning";
    return {};
  }),
  step("log messages of that level", ["notifications/message"], async (agent) => {
    const result = await agent.call("logs", {});
    agent.level = undefined;
    return result;
  }),

  step("a prompt", ["prompts/get"], ({ client }) => client.getPrompt({ name: "plain" })),
  step("a prompt with arguments", ["prompts/get"], ({ client }) =>
    client.getPrompt({ name: "given", arguments: { topic: "é" } }),
  ),
  step("a prompt that is not there", ["prompts/get"], ({ client }) => client.getPrompt({ name: "nowhere" })),
  step("a resource", ["resources/read"], ({ client }) => client.readResource({ uri: "test://a" })),
  step("a resource of bytes", ["resources/read"], ({ client }) => client.readResource({ uri: "test://b" })),
  step("a resource by its template", ["resources/read"], ({ client }) => client.readResource({ uri: "test://x/1" })),
  step("a resource that is not there", ["resources/read"], ({ client }) => client.readResource({ uri: "test://no" })),
  step("completion of a prompt", ["completion/complete"], ({ client }) =>
    client.complete({
      ref: { type: "ref/prompt", name: "given" },
      argument: { name: "topic", value: "é" },
      context: { arguments: { other: "x" } },
    }),
  ),
  step("completion of a template", ["completion/complete"], ({ client }) =>
    client.complete({ ref: { type: "ref/resource", uri: "test://x/{id}" }, argument: { name: "id", value: "" } }),
  ),

  step(
    "changes of a resource",
    ["resources/subscribe", "resources/unsubscribe", "subscriptions/listen", "notifications/resources/updated"],
    async (agent) => {
      const end = await subscribe(agent, "test://a");
      await agent.call("touch", {});
      await heard(agent, "notifications/resources/updated");
      await end();
      return agent.call("touch", {});
    },
  ),
  ...["tools", "prompts", "resources"].map((kind) =>
    step(`a change of the list of ${kind}`, [`notifications/${kind}/list_changed`], async (agent) => {
      const end = await hearChanges(agent, kind);
      const result = await agent.call(`${kind}_change`, {});
      await heard(agent, `notifications/${kind}/list_changed`);
      await end();
      return result;
    }),
  ),
  step("roots that changed", ["notifications/roots/list_changed"], ({ client }) => client.sendRootsListChanged()),

  ...["accept", "decline", "cancel"].map((action) =>
    asked(`a form: ${action}`, {
      tool: "form",
      method: "elicitation/create",
      answer: { action, ...(action === "accept" && { content: { colour: "green", size: 3 } }) },
    }),
  ),
  ...["accept", "decline"].map((action) =>
    asked(`a page to open: ${action}`, { tool: "page", method: "elicitation/create", answer: { action } }),
  ),
  asked("a question to the model", {
    tool: "model",
    method: "sampling/createMessage",
    answer: {
      role: "assistant",
      model: "m-1",
      stopReason: "endTurn",
      content: { type: "text", text: "Paris \u{1F1EB}\u{1F1F7}" },
    },
  }),
  step("a question that the agent fails at", ["elicitation/create"], (agent) => {
    agent.answers = () => {
      throw new Error("The agent has no answer.");
    };
    return agent.call("form", {});
  }),
  step("a page that is demanded by an error", ["tools/call"], ({ call }) => call("demanding", {})),
  step("a page that is finished", ["notifications/elicitation/complete"], async (agent) => {
    const result = await agent.call("finished", {});
    if (!agent.modern()) await heard(agent, "notifications/elicitation/complete");
    return result;
  }),
  asked("the roots", {
    tool: "roots",
    method: "roots/list",
    answer: { roots: [{ uri: "file:///home/é", name: "home" }] },
  }),
];

/** The trace that the agent is in, in one step. */
export const TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

function step(name: string, methods: readonly string[], run: Step["run"]): Step {
  return { name, methods, run };
}

interface Asked {
  readonly tool: string;
  readonly method: string;
  readonly answer: Params;
}

function asked(name: string, { tool, method, answer }: Asked): Step {
  return step(name, [method], (agent) => {
    agent.answers = () => answer;
    return agent.call(tool, {});
  });
}

/** The first page without a cursor, every other by the one before it. */
async function pages(list: (params: Params) => Promise<Params>): Promise<readonly Params[]> {
  const got: Params[] = [];
  let cursor: unknown;
  do {
    const next = await list(cursor === undefined ? {} : { cursor });
    got.push(next);
    cursor = next.nextCursor;
  } while (cursor !== undefined && got.length < 9);
  return got;
}

async function subscribe({ client, modern }: Agent, uri: string): Promise<() => Promise<unknown>> {
  if (modern()) {
    const subscription = await client.listen?.({ resourceSubscriptions: [uri] });
    return async () => subscription?.close();
  }
  await client.subscribeResource({ uri });
  return () => client.unsubscribeResource({ uri });
}

/** In a session changes are told without being asked for. */
async function hearChanges({ client, modern }: Agent, kind: string): Promise<() => Promise<unknown>> {
  if (!modern()) return async () => undefined;
  const subscription = await client.listen?.({ [`${kind}ListChanged`]: true });
  return async () => subscription?.close();
}

const PATIENCE_MS = 1_000;

/** Waits for a notification; whether it came is compared afterwards. */
async function heard(agent: Agent, method: string): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!agent.heard.some((one) => one.method === method) && performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
