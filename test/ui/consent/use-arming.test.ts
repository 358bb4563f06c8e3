// @vitest-environment happy-dom
/** The button of an approval as it is drawn, on a machine that is late with everything. */
import { h, render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ARM_MS } from "../../../src/ui/consent/arming.ts";
import { useArming } from "../../../src/ui/consent/use-arming.ts";

let now = 0;
let look: () => void = () => undefined;

beforeEach(() => {
  now = 1_000;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  vi.spyOn(document, "hasFocus").mockReturnValue(true);
  vi.stubGlobal("setInterval", (tick: () => void) => {
    look = tick;
    return 0;
  });
  vi.stubGlobal("clearInterval", () => undefined);
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      observe(): void {}
      disconnect(): void {}
    },
  );
});

afterEach(() => {
  act(() => render(null, document.body));
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function Button({ content }: { readonly content: string }) {
  const { armed, share } = useArming(content, 0, { current: document.body });
  return h("output", null, `${armed ? "armed" : "waiting"} ${share.toFixed(2)}`);
}

const show = (content: string) => act(() => render(h(Button, { content }), document.body));
const drawn = () => document.body.textContent;
const tickAt = (ms: number) => {
  now = 1_000 + ms;
  act(() => look());
};

describe("the button of an approval", () => {
  it("is drawn armed once the time has passed", () => {
    show("one");
    tickAt(ARM_MS - 10);
    expect(drawn()).toMatch(/^waiting/);
    tickAt(ARM_MS);
    expect(drawn()).toBe("armed 1.00");
  });

  it.each([ARM_MS + 150, ARM_MS + 60_000])("is drawn armed however late the next look comes: after %d ms", (late) => {
    show("one");
    tickAt(ARM_MS - 10);
    tickAt(late);
    expect(drawn()).toBe("armed 1.00");
  });

  it("is drawn from the beginning for something else, and armed again however late that is noticed", () => {
    show("one");
    tickAt(ARM_MS);
    show("another");
    expect(drawn()).toMatch(/^waiting/);
    tickAt(10 * ARM_MS);
    expect(drawn()).toBe("armed 1.00");
  });
});
