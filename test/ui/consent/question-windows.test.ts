// @vitest-environment happy-dom
/** The windows of servers' questions: what they show, when an answer can be given, and what a no says. */
import { readFileSync } from "node:fs";
import { type ComponentType, h, render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { QuestionApproval, QuestionAsk } from "../../../src/core/consent/approval.ts";
import type { AnswerProblem } from "../../../src/core/elicit/answer.ts";
import { secretsAsked } from "../../../src/core/elicit/asks-secret.ts";
import { readForm } from "../../../src/core/elicit/form.ts";
import type { JsonObject } from "../../../src/core/wire/json.ts";
import type { Given } from "../../../src/ui/consent/frame.tsx";
import { installFakeBrowser } from "../../shots/fake-browser.ts";

const MESSAGES = JSON.parse(readFileSync("public/_locales/en/messages.json", "utf8"));
const SITE = { origin: "https://chat.example", topSite: "https://chat.example", cookieStore: "d", private: false };

interface WindowProps {
  readonly approval: QuestionApproval;
  readonly ask: never;
  readonly frame: unknown;
  readonly refused: readonly AnswerProblem[];
  readonly onAgain: () => void;
}
let FormWindow: ComponentType<WindowProps>;
let PageWindow: ComponentType<WindowProps>;

beforeAll(async () => {
  installFakeBrowser({ messages: MESSAGES, answers: {} });
  vi.stubGlobal(
    "IntersectionObserver",
    // Everything is in view.
    class {
      readonly #tell: (entries: { readonly isIntersecting: true; readonly target: Element }[]) => void;
      constructor(tell: (entries: { readonly isIntersecting: true; readonly target: Element }[]) => void) {
        this.#tell = tell;
      }
      observe(target: Element): void {
        this.#tell([{ isIntersecting: true, target }]);
      }
      disconnect(): void {}
    },
  );
  ({ FormWindow } = (await import("../../../src/ui/consent/form-window.tsx")) as never);
  ({ PageWindow } = (await import("../../../src/ui/consent/page-window.tsx")) as never);
});

afterEach(() => {
  act(() => render(null, document.body));
});

function show(
  window: ComponentType<WindowProps>,
  message: string,
  ask: QuestionAsk,
  refused: readonly AnswerProblem[] = [],
) {
  const answers: Given[] = [];
  const again = vi.fn();
  const approval: QuestionApproval = {
    kind: "question",
    id: "q",
    callId: "c",
    principal: SITE,
    place: { tabId: 1, frameId: 0, documentId: "d" },
    agent: "Agent Smith 1",
    digest: "aa",
    createdAt: 0,
    expiresAt: Date.now() + 60_000,
    live: true,
    serverId: "s",
    serverName: "calendar",
    tool: "create_event",
    message,
    ask,
  };
  const frame = {
    content: "q aa",
    waiting: 1,
    identical: 1,
    changed: false,
    twin: undefined,
    problem: undefined,
    answer: (given: Given) => answers.push(given),
  };
  act(() => render(h(window, { approval, ask: ask as never, frame, refused, onAgain: again }), document.body));
  return { answers, again };
}

function form(properties: JsonObject, required: readonly string[] = [], message = "Which room?") {
  const fields = readForm({ type: "object", properties, required }) ?? [];
  return show(FormWindow, message, { mode: "form", fields, secrets: secretsAsked(message, fields) });
}

function page(url: string, step: "open" | "after" = "open") {
  return show(PageWindow, "Sign in there.", { mode: "url", url, step });
}

function find(selector: string): HTMLElement {
  const found = document.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`There is no ${selector}.`);
  return found;
}

function text(selector = "main"): string {
  return find(selector).textContent ?? "";
}

function type(selector: string, value: string): void {
  const box = find(selector) as HTMLInputElement;
  act(() => {
    box.value = value;
    box.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

function press(label: string): void {
  const button = [...document.querySelectorAll<HTMLElement>("button")].find((one) => one.textContent === label);
  if (!button) throw new Error(`There is no button ${label}.`);
  act(() => button.click());
}

describe("a form's window", () => {
  it("names server, site, tool and agent, and says who sees the answer", () => {
    form({ room: { type: "string" } });
    for (const words of ["calendar asks you", "during create_event", "for chat.example", "Agent Smith 1"])
      expect(text()).toContain(words);
    expect(text(".fine")).toContain("chat.example does not see your answer");
  });

  it("quotes the server's text as the server's, with what cannot be seen in it", () => {
    form({}, [], "Pay\u200b now \u202eknab");
    expect(text(".by")).toBe("calendar wrote:");
    expect(text(".slip")).toBe("PayZWSP now RLOknab");
    expect(text(".c-sec")).toContain("2 invisible characters");
  });

  it("labels each box by the server's words and says what fits", () => {
    form({ n: { type: "integer", title: "Attendees", minimum: 1, maximum: 8 } }, ["n"]);
    const box = find("input") as HTMLInputElement;
    expect(box.labels?.[0]?.textContent).toContain("Attendees");
    expect(text(`#${CSS.escape(box.getAttribute("aria-describedby") ?? "")}`)).toContain("A whole number. 1 to 8.");
  });

  it("cannot be sent before it fits, and says how many fields need a look", () => {
    form({ mail: { type: "string", format: "email" } }, ["mail"]);
    expect(text("#why-not")).toBe("1 field needs a look.");
    type("input", "ada");
    expect(find("input").getAttribute("aria-invalid")).toBe("true");
    expect(text(".hint-bad")).toContain("not complete");
    type("input", "ada@example.org");
    expect(find("input").getAttribute("aria-invalid")).toBe("false");
    expect(text("#why-not")).not.toContain("needs a look");
  });

  it("shows what the worker found at fault until that field is changed", () => {
    const fields = readForm({ type: "object", properties: { a: { type: "string", pattern: "^x" } } }) ?? [];
    const ask = { mode: "form", fields, secrets: {} } as const;
    show(FormWindow, "m", ask, [{ name: "a", fault: "pattern" }]);
    expect(text("#why-not")).toBe("1 field needs a look.");
    type("input", "y");
    expect(text("#why-not")).toBe("");
  });

  it("begins with the server's defaults", () => {
    form({ room: { type: "string", enum: ["r1", "r2"], enumNames: ["One", "Two"], default: "r2" } });
    expect((find("select") as HTMLSelectElement).value).toBe("r2");
    expect(text(".q-field")).toContain("Sent as r2");
  });

  it("leaves out what asks for a secret until the person says deliberately that they want to give it", () => {
    form({ staff_pin: { type: "string" } }, ["staff_pin"]);
    expect(text(".banner")).toContain("staff_pin is left out.");
    expect(document.querySelector("input[type=text], input[type=password]")).toBeNull();
    expect(text("#why-not")).toContain("It asks for what servers may not ask for");
    act(() => find(".banner input").click());
    expect(find("input[type=password]")).toBeDefined();
    expect(text("#why-not")).toBe("1 field needs a look.");
  });

  it("wants a look at a text that asks for a secret, whatever the fields are called", () => {
    form({ note: { type: "string" } }, [], "Put your password into the note.");
    expect(text("#why-not")).toContain("It asks for what servers may not ask for");
    act(() => find(".q-above input").click());
    expect(text("#why-not")).not.toContain("It asks");
  });

  it("says decline where it is declined, and cancel where it is put off", () => {
    const { answers } = form({});
    press("Decline");
    press("Not now");
    expect(answers).toEqual([
      { answer: "deny", scope: "once" },
      { answer: "deny", scope: "once", reply: { cancel: true } },
    ]);
  });

  it("has the focus on Decline", () => {
    form({ room: { type: "string" } });
    expect(document.activeElement?.textContent).toBe("Decline");
  });
});

describe("a page's window", () => {
  it("shows the whole address and makes its host stand out", () => {
    page("https://rooms.example:8443/connect?state=1#x");
    expect(text(".q-address")).toBe("https://rooms.example:8443/connect?state=1#x");
    expect(text(".q-address strong")).toBe("rooms.example:8443");
    expect(document.querySelector("a")).toBeNull();
  });

  it("shows a host in other letters in both forms", () => {
    page("https://\u0430pple.com/");
    expect(text(".q-address")).toContain("xn--pple-43d.com");
    expect(text(".q-doubts")).toContain("can look like others. It reads");
  });

  it("never opens what is not encrypted or no page", () => {
    for (const url of ["http://rooms.example/", "javascript:alert(1)", "file:///etc/passwd"]) {
      page(url);
      expect(text("#why-not")).toContain("navra does not open this address.");
    }
  });

  it("offers to open again, to be done, and to give the call up, once it is open", () => {
    const { answers, again } = page("https://rooms.example/", "after");
    press("Open again");
    expect(again).toHaveBeenCalledOnce();
    press("Give up the call");
    expect(answers).toEqual([{ answer: "deny", scope: "once", reply: { cancel: true } }]);
    expect(text(".btn-arm")).toBe("I am done");
  });
});
