/** Sample questions of servers for the pictures. */
import type { CallApproval, QuestionApproval, QuestionAsk } from "../../src/core/consent/approval.ts";
import { secretsAsked } from "../../src/core/elicit/asks-secret.ts";
import { readForm } from "../../src/core/elicit/form.ts";
import type { JsonObject } from "../../src/core/wire/json.ts";
import { CALL_ASK, CHAT, NOW } from "./fixtures.ts";

function question(message: string, ask: QuestionAsk): QuestionApproval {
  return {
    kind: "question",
    id: "q1",
    callId: "c1",
    principal: CHAT,
    place: CALL_ASK.place,
    agent: "ChatAgent 2.1",
    digest: "d".repeat(64),
    createdAt: NOW,
    expiresAt: NOW + 239_000,
    live: true,
    serverId: "s-cal",
    serverName: "calendar",
    tool: "create_event",
    message,
    ask,
  };
}

function formAsk(message: string, properties: JsonObject, required: readonly string[] = []): QuestionApproval {
  const fields = readForm({ type: "object", properties, required });
  if (!fields) throw new Error("A sample form cannot be read.");
  return question(message, { mode: "form", fields, secrets: secretsAsked(message, fields) });
}

export const FORM_ASK = formAsk(
  "Which room should I book, and who pays? I also need your staff PIN to confirm.",
  {
    room: {
      type: "string",
      title: "Room",
      enum: ["r-17", "r-18"],
      enumNames: ["Turing (8 seats)", "Hopper (4 seats)"],
      default: "r-17",
    },
    cost_centre: { type: "string", pattern: "^\\d{4}-\\d{2}$", description: "As on the last invoice" },
    attendees: { type: "integer", minimum: 1, maximum: 8, default: 8 },
    staff_pin: { type: "string", title: "Staff PIN", maxLength: 6 },
  },
  ["room", "attendees"],
);

export const EVERY_FIELD_ASK = formAsk(
  "Tell me about the meeting.\u200b It is with p\u0430rtner.example.",
  {
    title: { type: "string", title: "Title", minLength: 3, maxLength: 60, default: "Stand-up" },
    notes: { type: "string", title: "Notes", maxLength: 2_000 },
    mail: { type: "string", title: "Invite", format: "email" },
    page: { type: "string", title: "Agenda", format: "uri", default: "https://wiki.example/agenda" },
    day: { type: "string", title: "Day", format: "date", default: "2026-12-01" },
    begin: { type: "string", title: "Begin", format: "date-time", default: "2026-12-01T09:00:00Z" },
    length: { type: "number", title: "Hours", exclusiveMinimum: 0, maximum: 8, multipleOf: 0.25, default: 1 },
    remote: { type: "boolean", title: "Remote", default: true },
    colour: {
      oneOf: [
        { const: "#f00", title: "Red" },
        { const: "#0a0", title: "Green" },
      ],
      title: "Colour",
      default: "#f00",
    },
    teams: {
      type: "array",
      title: "Teams",
      minItems: 1,
      maxItems: 2,
      items: {
        anyOf: [
          { const: "t-1", title: "Sales" },
          { const: "t-2", title: "Support" },
          { const: "t-3", title: "Ops" },
        ],
      },
      default: ["t-2"],
    },
  },
  ["title", "teams"],
);

export const LONG_WORD_ASK = formAsk(`${"averylongwordwithoutanyspace".repeat(6)}`, {
  [`${"field".repeat(40)}`]: { type: "string", description: "x".repeat(300), default: "y".repeat(300) },
});

export const PAGE_ASK = question("Sign in to the room booking, then come back.", {
  mode: "url",
  url: "https://rooms.booking.example/connect?state=9f8a7b6c5d4e3f2a1b0c&next=/done",
  step: "open",
});

export const OPEN_PAGE_ASK: QuestionApproval = { ...PAGE_ASK, ask: { ...PAGE_ASK.ask, step: "after" } as QuestionAsk };

export const ODD_PAGE_ASK = question("Sign in.", {
  mode: "url",
  url: "https://bank.example:pay@xn--bnk-example-8jg.com/bank.example/login",
  step: "open",
});

export const PLAIN_PAGE_ASK = question("Sign in.", {
  mode: "url",
  url: "http://rooms.booking.example/connect",
  step: "open",
});

export const SAMPLING_ASK: CallApproval = {
  ...CALL_ASK,
  id: "q2",
  method: "sampling/createMessage",
  tool: "sampling/createMessage",
  serverName: "tickets",
  reasons: ["A server asks for the use of the agent's model."],
  argumentsText: JSON.stringify({
    messages: [
      {
        role: "user",
        content: { type: "text", text: "Summarise ticket 4821 in two sentences.\nDo not name the customer." },
      },
      { role: "assistant", content: { type: "text", text: "The printer on floor 2 is out of toner." } },
      { role: "user", content: { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" } },
    ],
    systemPrompt: "You write for a help desk.",
    maxTokens: 200,
  }),
};
