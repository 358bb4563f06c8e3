/**
 * What the protocol asks of a client that a server asks back, sentence by sentence, and the test that shows it.
 *
 * @see MCP 2025-11-25 and 2026-07-28 · Client features: Elicitation, Sampling, Roots
 */
import type { Requirement } from "./client-side.ts";

const FORM = "test/core/elicit/form.test.ts";
const ASKED = "test/core/elicit/questions.test.ts";
const SECRET = "test/core/elicit/asks-secret.test.ts";
const ADDRESS = "test/core/elicit/page-address.test.ts";
const DOOR = "test/worker/handlers/questions.test.ts";
const SHOWN = "test/ui/consent/question-windows.test.ts";
const BACK = "test/core/back.test.ts";
const OPENED = "test/platform/worker/open-page.test.ts";
const WALKED = "test/e2e/questions.e2e.ts";

export const SERVER_TO_CLIENT: readonly Requirement[] = [
  {
    section: "elicitation",
    says: "The client says which modes it has, and is asked for no other",
    shown: [
      [ASKED, "is nobody where the agent declared none and the person did not let the server ask"],
      [ASKED, "is the person where the agent declared none, and the server is told that there are forms and pages"],
      [BACK, "in URL mode needs that mode declared"],
    ],
  },
  {
    section: "elicitation",
    says: "It is clear which server asks",
    shown: [[SHOWN, "names server, site, tool and agent, and says who sees the answer"]],
  },
  {
    section: "elicitation",
    says: "The person can decline and cancel at any time",
    shown: [
      [ASKED, "is declined, or cancelled, as the person said"],
      [ASKED, "is a cancellation when nobody answers in time"],
    ],
  },
  {
    section: "elicitation, form",
    says: "Every shape of the schema is offered, and defaults are filled in",
    shown: [
      [FORM, "reads one choice from %s"],
      [FORM, "reads several choices from %s"],
      [FORM, "shows older names beside the values"],
      [FORM, "begins with the defaults that fit"],
    ],
  },
  {
    section: "elicitation, form",
    says: "An answer is validated against the schema",
    shown: [
      ["test/laws/forms.test.ts", "pass only where the schema accepts them"],
      [ASKED, "never leaves where it %s"],
    ],
  },
  {
    section: "elicitation, form",
    says: "Servers must not ask for sensitive information in a form",
    shown: [
      [SECRET, "%s is flagged as %s"],
      [ASKED, "leaves with something flagged only where that was confirmed"],
      [BACK, "is a question to the person where its form asks for a secret"],
    ],
  },
  {
    section: "elicitation, url",
    says: "Nothing is fetched before, and nothing is opened without consent",
    shown: [
      [DOOR, "is opened by the yes, and not before"],
      [WALKED, "opens a page only after a yes, in a plain tab, and is over when the server says so"],
    ],
  },
  {
    section: "elicitation, url",
    says: "The whole address is shown and its host stands out; letters that can look like others are warned of",
    shown: [
      [SHOWN, "shows the whole address and makes its host stand out"],
      [SHOWN, "shows a host in other letters in both forms"],
    ],
  },
  {
    section: "elicitation, url",
    says: "It is opened where neither client nor model can read it",
    shown: [[OPENED, "makes a tab beside the one that asked, in its window, and brings that window to the front"]],
  },
  {
    section: "elicitation, url",
    says: "Only safe addresses are opened",
    shown: [
      [ADDRESS, "%s may be opened: %s, with the doubts %j"],
      [OPENED, "never opens %s"],
    ],
  },
  {
    section: "elicitation, url",
    says: "A yes is not the end: the person can open again, be done, and give up",
    shown: [
      [SHOWN, "offers to open again, to be done, and to give the call up, once it is open"],
      [ASKED, "ends the agent's call where the person gives it up"],
    ],
  },
  {
    section: "elicitation, url",
    says: "A completion is heard for what is open and passed over otherwise",
    shown: [[ASKED, "is over when the server says so, and the page does not hear of it"]],
  },
  {
    section: "elicitation, url",
    says: "A page that a server demands by an error is opened in navra's own window where the agent knows of no pages",
    shown: [
      [ASKED, "is asked of the person for %s, and the call is made again"],
      [ASKED, "is the agent's where it knows of pages and comes first"],
    ],
  },
  {
    section: "sampling",
    says: "A person can look at what is put before the model, and refuse it",
    shown: [[BACK, "for the agent's model is shown to the person first, with its whole text"]],
  },
  {
    section: "sampling",
    says: "Tools come only where they were declared",
    shown: [[BACK, "may bring tools for the model only where the agent declared that"]],
  },
  {
    section: "roots",
    says: "A list is given only where it was declared",
    shown: [[ASKED, "is nobody for what is asked of a model or of folders"]],
  },
  {
    section: "tasks",
    says: "What a task asks is asked once in the task's life, by its key",
    shown: [
      [ASKED, "is one question however often the agent looks, before the answer and after"],
      ["test/core/tasks.test.ts", "is put to the person once, however often the agent looks"],
    ],
  },
  {
    section: "tasks",
    says: "An answer goes back by `tasks/update`, and some keys may be answered before others",
    shown: [[ASKED, "is shared: the agent sees and answers what it declared"]],
  },
  {
    section: "tasks",
    says: "Nothing is answered any more once the task is over",
    shown: [
      [ASKED, "is withdrawn when the task %s, and the server hears nothing"],
      [ASKED, "is withdrawn when the agent cancels the task"],
    ],
  },
  {
    section: "tasks of 2025-11-25",
    says: "An answer to a request of a task's names the task in its `_meta`",
    shown: [[ASKED, "a task of 2025-11-25 asks the person while navra waits for it for %s, and the answer names it"]],
  },
  {
    section: "input required",
    says: "Only calls, prompts and resources may ask in their result",
    shown: [[ASKED, "bothers nobody where the server asks as only a call may"]],
  },
];
