/**
 * Who answers what a server asks. Three ways, chosen by the person for each server:
 *
 * - `agent` (the default): the agent in the page, where it declared that it answers such things. Nobody else: navra declares
 *   nothing to the server that the agent did not, so a server finds through navra what it would find without it.
 * - `either`: the agent where it can, navra's own window where it cannot (an agent of an older revision, one without forms,
 *   a page to be opened that it does not know of, a question outside any call).
 * - `navra`: navra's own window, always. The page neither sees the question nor the answer. For servers that ask for what a
 *   page should not hear, or for sites whose forms the person does not trust.
 *
 * The agent comes first in `either` because its form is the one the site was built around, and it knows what the question is
 * about. A window of navra's is never the default, because every server that may ask is one that may phish: the person lets
 * a server speak to them once, in the dashboard, before it can.
 *
 * Only questions to the person are answered here. A question to a model is the agent's or nobody's, and so is a list of
 * folders: a browser has none.
 *
 * @see MCP 2025-11-25 · Elicitation · Capabilities
 */
import { answers, type ClientCapabilities } from "../mcp/client-capabilities.ts";
import { type Revision, vocabularyOf } from "../mcp/revision.ts";
import type { ServerEntry } from "../servers/server.ts";
import type { JsonObject } from "../wire/json.ts";
import type { RequestMessage } from "../wire/message.ts";

export type Answerer = "agent" | "navra";

interface Asking {
  readonly server: Pick<ServerEntry, "questions">;
  readonly capabilities: ClientCapabilities;
  readonly message: Pick<RequestMessage, "method" | "params">;
  /** Settled where nobody else can be meant: outside any call. */
  readonly answerer?: "navra";
}

/** Nobody where it is undefined: to the server the method does not exist. */
export function whoAnswers({ server, capabilities, message, answerer }: Asking): Answerer | undefined {
  if (answerer) return answerer;
  const own = mayAskPerson(server) && isQuestion(message);
  if (own && server.questions === "navra") return "navra";
  if (answers(capabilities, message)) return "agent";
  return own ? "navra" : undefined;
}

export function mayAskPerson({ questions = "agent" }: Pick<ServerEntry, "questions">): boolean {
  return questions !== "agent";
}

/** A question to the person in a way that navra has a window for. */
export function isQuestion({ method, params }: Pick<RequestMessage, "method" | "params">): boolean {
  const { mode = "form" } = params ?? {};
  return method === "elicitation/create" && (mode === "form" || mode === "url");
}

/** What the server is told: what the agent declared, and what navra answers itself. */
export function toldCapabilities(
  { capabilities, server }: Pick<Asking, "capabilities" | "server">,
  revision: Revision,
): ClientCapabilities {
  const ways = vocabularyOf(revision).elicitation;
  if (!mayAskPerson(server) || ways.size === 0) return capabilities;
  const modes: JsonObject = Object.fromEntries([...ways].map((way) => [way, {}]));
  const { elicitation: _agents, ...others } = capabilities.value;
  const value = { elicitation: modes, ...others };
  return { value, text: JSON.stringify(value) };
}
