// @vitest-environment happy-dom
/** What the windows say in our words about texts that others wrote. */
import { readFileSync } from "node:fs";
import { type ComponentType, h, render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { Piece } from "../../../src/ui/shared/reveal.ts";
import { reveal } from "../../../src/ui/shared/reveal.ts";
import { installFakeBrowser } from "../../shots/fake-browser.ts";
import { REPLY_ASK } from "../../shots/fixtures.ts";

const MESSAGES = JSON.parse(readFileSync("public/_locales/en/messages.json", "utf8"));

let UnseenNote: ComponentType<{ readonly pieces: readonly Piece[] }>;
let ReplyWindow: ComponentType<{ readonly approval: unknown; readonly frame: unknown }>;

beforeAll(async () => {
  installFakeBrowser({ messages: MESSAGES, answers: {} });
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      observe(): void {}
      disconnect(): void {}
    },
  );
  ({ UnseenNote } = await import("../../../src/ui/consent/unseen-note.tsx"));
  ({ ReplyWindow } = (await import("../../../src/ui/consent/reply-window.tsx")) as never);
});

afterEach(() => {
  act(() => render(null, document.body));
});

describe("the note on what cannot be seen", () => {
  it("counts what is invisible and says what tag characters spell", () => {
    note("a\u200bb\u{e0062}\u{e0063}\u{e0063}");
    expect(document.body.textContent).toContain("4 invisible characters. The tag characters spell bcc");
  });

  it("counts letters that only look like Latin ones", () => {
    note("p\u0430rtner");
    expect(document.body.textContent).toBe("1 letter only looks like a Latin one.");
  });

  it("says nothing about a text that is what it looks like", () => {
    note("partner");
    expect(document.body.textContent).toBe("");
  });
});

describe("the window of a held answer", () => {
  it("says how much of an answer it shows where only its beginning is there", () => {
    const approval = { ...REPLY_ASK, resultText: '{"content":[{"te', cut: true };
    const frame = { content: "c", waiting: 1, identical: 1, changed: false, twin: undefined, problem: undefined };
    act(() => render(h(ReplyWindow, { approval, frame: { ...frame, answer: vi.fn() } }), document.body));
    expect(document.querySelector(".arg .meta")?.textContent).toBe("text, 16 characters");
  });
});

function note(text: string): void {
  act(() => render(h(UnseenNote, { pieces: reveal(text) }), document.body));
}
