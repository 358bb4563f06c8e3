// @vitest-environment happy-dom
/** A door survives the worker: reads are repeated, changes never are, and what may have been missed is told. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Topic } from "../../src/core/ports.ts";
import type { ControlClient, DoorState } from "../../src/platform/door.ts";

type Message = { readonly ask: number; readonly method: string };

/** The browser's side of one port. */
class FakePort {
  readonly sent: Message[] = [];
  readonly #messages: ((message: unknown) => void)[] = [];
  readonly #ends: (() => void)[] = [];
  readonly onMessage = { addListener: (listener: (message: unknown) => void) => this.#messages.push(listener) };
  readonly onDisconnect = { addListener: (listener: () => void) => this.#ends.push(listener) };

  postMessage(message: Message): void {
    this.sent.push(message);
  }
  say(message: unknown): void {
    for (const listener of this.#messages) listener(message);
  }
  end(): void {
    for (const listener of this.#ends) listener();
  }
}

const ports: FakePort[] = [];
let client: ControlClient;

beforeEach(async () => {
  vi.useFakeTimers();
  ports.length = 0;
  const connect = ({ name }: { readonly name: string }) => {
    expect(name).toBe("popup");
    const port = new FakePort();
    ports.push(port);
    return port;
  };
  const id = "fake";
  Object.assign(globalThis, {
    chrome: { runtime: { id } },
    browser: { runtime: { id, connect }, i18n: { getMessage: (key: string) => key } },
  });
  const { openDoor } = await import("../../src/platform/door.ts");
  client = openDoor("popup");
});

afterEach(() => {
  vi.useRealTimers();
});

function port(index = ports.length - 1): FakePort {
  const found = ports[index];
  if (!found) throw new Error(`no port ${index}`);
  return found;
}

describe("a control door", () => {
  it("answers each ask with its own answer", async () => {
    const first = client.call("approvals.read", null);
    const second = client.call("site.read", { tabId: 1 });
    const [one, two] = port().sent;
    port().say({ ask: two?.ask, result: "two" });
    port().say({ ask: one?.ask, result: "one" });
    expect([await first, await second]).toEqual(["one", "two"]);
  });

  it("rejects with the worker's sentence", async () => {
    const asked = client.call("site.read", { tabId: 1 });
    port().say({ ask: port().sent[0]?.ask, problem: "There is no such tab." });
    await expect(asked).rejects.toThrow("There is no such tab.");
  });

  it("repeats a read after the port was lost", async () => {
    const asked = client.call("site.read", { tabId: 1 });
    port().end();
    vi.advanceTimersByTime(200);
    expect(ports.length).toBe(2);
    port().say({ ask: port().sent[0]?.ask, result: "late" });
    expect(await asked).toBe("late");
  });

  it("never repeats a change, and says that nobody knows whether it happened", async () => {
    const asked = client.call("rule.delete", { id: "r1" });
    port().end();
    await expect(asked).rejects.toThrow("shared_ask_lost");
    vi.advanceTimersByTime(200);
    expect(port().sent).toEqual([]);
  });

  it("opens again at once when the person acts", () => {
    port().end();
    expect(ports.length).toBe(1);
    window.dispatchEvent(new Event("pointerdown"));
    expect(ports.length).toBe(2);
  });

  it("waits longer after every failure, until something answers", () => {
    port().end();
    vi.advanceTimersByTime(200);
    port().end();
    vi.advanceTimersByTime(399);
    expect(ports.length).toBe(2);
    vi.advanceTimersByTime(1);
    expect(ports.length).toBe(3);
    port().say({ changed: [] });
    port().end();
    vi.advanceTimersByTime(200);
    expect(ports.length).toBe(4);
  });

  it("tells news, and every topic after it was away", () => {
    const heard: (readonly Topic[])[] = [];
    client.onNews((topics) => heard.push(topics));
    port().say({ changed: ["rules"] });
    port().end();
    vi.advanceTimersByTime(200);
    expect(heard[0]).toEqual(["rules"]);
    expect(heard[1]).toContain("approvals");
  });

  it("says whether it is open", () => {
    const states: DoorState[] = [];
    client.onState((state) => states.push(state));
    port().say({ changed: [] });
    port().end();
    vi.advanceTimersByTime(200);
    expect(states).toEqual(["waking", "open", "lost", "waking"]);
  });

  it("keeps quiet after unsubscribing", () => {
    const heard: (readonly Topic[])[] = [];
    client.onNews((topics) => heard.push(topics))();
    port().say({ changed: ["rules"] });
    expect(heard).toEqual([]);
  });

  it("survives a message that makes no sense", () => {
    expect(() => {
      for (const message of [null, 7, "x", {}, { ask: 99, result: 1 }]) port().say(message);
    }).not.toThrow();
  });
});
