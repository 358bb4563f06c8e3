import { describe, expect, it } from "vitest";
import type { Windows } from "webextension-polyfill";
import type { Approval } from "../../../src/core/consent/approval.ts";
import { createPrompts, type PromptsOptions } from "../../../src/platform/worker/prompts.ts";

/** A browser with windows, notices and a session store; several workers can live in it one after another. */
class FakeBrowser {
  readonly log: string[] = [];
  readonly windows = new Map<number, string>();
  readonly session = new Map<string, unknown>();
  watched = new Set<number>();
  shown = new Set<number>();
  time = 0;
  #removed: ((id: number) => void)[] = [];
  #clicked: ((id: string) => void)[] = [];
  #next = 100;

  worker() {
    this.#removed = [];
    this.#clicked = [];
    const prompts = createPrompts(this.#options());
    prompts.listen();
    return prompts;
  }

  closeWindow(id: number): void {
    this.windows.delete(id);
    for (const listener of this.#removed) listener(id);
  }

  click(notice: string): void {
    for (const listener of this.#clicked) listener(notice);
  }

  #options(): PromptsOptions {
    return {
      windows: {
        create: async (data) => {
          const id = this.#next++;
          this.windows.set(id, String(data?.url));
          this.log.push(`window ${data?.url} ${data?.type} ${data?.width}x${data?.height}`);
          return { id } as Windows.Window;
        },
        get: async (id) => {
          if (!this.windows.has(id)) throw new Error("No window with id");
          return { id, tabs: [{ id: id + 1000 }] } as Windows.Window;
        },
        update: async (id) => {
          this.log.push(`focus ${this.windows.get(id)}`);
          return { id } as Windows.Window;
        },
        onRemoved: this.#event<(id: number) => void>((listener) => this.#removed.push(listener)),
      },
      tabs: {
        update: (async (tabId: number, { url }: { url: string }) => {
          this.windows.set(tabId - 1000, url);
        }) as unknown as PromptsOptions["tabs"]["update"],
      },
      notifications: {
        create: (async (id: string, { title }: { title: string }) => {
          this.log.push(`notice ${id} ${title}`);
          return id;
        }) as unknown as PromptsOptions["notifications"]["create"],
        clear: async (id) => {
          this.log.push(`clear ${id}`);
          return true;
        },
        onClicked: this.#event<(id: string) => void>((listener) => this.#clicked.push(listener)),
      },
      session: {
        get: async () => Object.fromEntries(this.session),
        set: async (items) => {
          for (const [key, value] of Object.entries(items)) this.session.set(key, structuredClone(value));
        },
      },
      reader: {
        isWatched: async (tabId) => this.watched.has(tabId),
        isShown: async (tabId) => this.shown.has(tabId),
      },
      pageFor: (id) => `consent?id=${id}`,
      words: ({ principal }) => ({ title: principal.private ? "someone" : principal.origin, message: "" }),
      iconUrl: "icon",
      now: () => this.time,
    };
  }

  #event<Listener>(add: (listener: Listener) => void) {
    return { addListener: add } as never;
  }
}

const approval = (id: string, tabId: number) =>
  ({ id, place: { tabId }, principal: { origin: `https://${id}.example`, private: false } }) as unknown as Approval;

/** Everything that was started by an event has run when a turn of the queue came after it. */
const settled = async () => {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
};

describe("prompts", () => {
  it("open one window of the right size for the tab that the person looks at", async () => {
    const browser = new FakeBrowser();
    browser.watched.add(1);
    browser.shown.add(1);
    const prompts = browser.worker();
    await Promise.all([prompts.show([approval("a", 1)]), prompts.show([approval("a", 1), approval("b", 1)])]);
    expect(browser.log).toEqual(["window consent?id=a popup 436x640"]);
  });

  it("raise one notification, and no window, for a tab in the background", async () => {
    const browser = new FakeBrowser();
    const prompts = browser.worker();
    await prompts.show([approval("a", 2)]);
    await prompts.show([approval("a", 2)]);
    expect(browser.log).toEqual(["notice approval:a https://a.example"]);
  });

  it("open the next in the queue when the window closes, and none again that was closed unanswered", async () => {
    const browser = new FakeBrowser();
    browser.watched.add(1);
    browser.shown.add(1);
    const prompts = browser.worker();
    await prompts.show([approval("a", 1), approval("b", 1)]);
    browser.watched.clear();
    browser.closeWindow(100);
    await settled();
    expect(browser.log.slice(1)).toEqual(["window consent?id=b popup 436x640"]);
    browser.closeWindow(101);
    await settled();
    browser.watched.add(1);
    await prompts.show([approval("a", 1), approval("b", 1)]);
    expect(browser.log.length).toBe(2);
  });

  it("open the next after the first was answered and its window closed itself", async () => {
    const browser = new FakeBrowser();
    browser.watched.add(1);
    browser.shown.add(1);
    const prompts = browser.worker();
    await prompts.show([approval("a", 1), approval("b", 1)]);
    await prompts.show([approval("b", 1)]);
    browser.closeWindow(100);
    await settled();
    expect(browser.log).toEqual(["window consent?id=a popup 436x640", "window consent?id=b popup 436x640"]);
  });

  it("open a window for what is asked just as the answered one closes, before the browser says so", async () => {
    const browser = new FakeBrowser();
    browser.watched.add(1);
    browser.shown.add(1);
    const prompts = browser.worker();
    await prompts.show([approval("a", 1)]);
    await prompts.show([]);
    browser.watched.clear();
    browser.windows.delete(100);
    await prompts.show([approval("b", 1)]);
    expect(browser.log.at(-1)).toMatch(/^window .*b/);
  });

  it("notify for a background tab while a window stands", async () => {
    const browser = new FakeBrowser();
    browser.watched.add(1);
    browser.shown.add(1);
    const prompts = browser.worker();
    await prompts.show([approval("a", 1), approval("b", 2)]);
    expect(browser.log[1]).toBe("notice approval:b https://b.example");
  });

  it("open what a clicked notification is about, and clear it when it no longer waits", async () => {
    const browser = new FakeBrowser();
    const prompts = browser.worker();
    await prompts.show([approval("a", 2)]);
    browser.click("approval:a");
    browser.click("something of another part");
    await settled();
    expect(browser.windows.get(100)).toBe("consent?id=a");
    await prompts.show([]);
    expect(browser.log.at(-1)).toBe("clear approval:a");
  });

  it("turn the standing window to the approval that the person asks for", async () => {
    const browser = new FakeBrowser();
    browser.watched.add(1);
    const prompts = browser.worker();
    await prompts.show([approval("a", 1)]);
    await prompts.open("a");
    await prompts.open("b");
    expect([...browser.windows.values()]).toEqual(["consent?id=b"]);
    expect(browser.log.slice(1)).toEqual(["focus consent?id=a", "focus consent?id=b"]);
  });

  it("open a new window where the standing one was closed unheard", async () => {
    const browser = new FakeBrowser();
    browser.watched.add(1);
    const prompts = browser.worker();
    await prompts.show([approval("a", 1)]);
    browser.windows.clear();
    await prompts.open("b");
    expect([...browser.windows.values()]).toEqual(["consent?id=b"]);
  });

  it("know their window after the worker was stopped", async () => {
    const browser = new FakeBrowser();
    browser.watched.add(1);
    browser.shown.add(1);
    await browser.worker().show([approval("a", 1)]);
    await browser.worker().show([approval("a", 1), approval("b", 1)]);
    expect(browser.log.length).toBe(1);
  });

  it("remember a window closed while the worker was stopped and had not heard what waits", async () => {
    const browser = new FakeBrowser();
    browser.watched.add(1);
    browser.shown.add(1);
    await browser.worker().show([approval("a", 1), approval("b", 2)]);
    const woken = browser.worker();
    browser.closeWindow(100);
    await settled();
    await woken.show([approval("a", 1), approval("b", 2)]);
    expect(browser.log).toEqual(["window consent?id=a popup 436x640", "notice approval:b https://b.example"]);
  });

  describe("for a site whose window was closed unanswered", () => {
    const same = (id: string) =>
      ({ ...approval(id, 1), principal: { origin: "https://storm.example", private: false } }) as Approval;
    const stormy = () => {
      const browser = new FakeBrowser();
      browser.watched.add(1);
      browser.shown.add(1);
      return browser;
    };
    const windows = (browser: FakeBrowser) => browser.log.filter((line) => line.startsWith("window")).length;

    it("open no other of its waiting questions, but the next site's", async () => {
      const browser = stormy();
      const prompts = browser.worker();
      await prompts.show([same("a"), same("b"), same("c"), approval("other", 1)]);
      browser.closeWindow(100);
      await settled();
      expect(browser.log.filter((line) => line.startsWith("window")).slice(1)).toEqual([
        "window consent?id=other popup 436x640",
      ]);
    });

    it("open no other when something new is asked before the browser told of the closed window", async () => {
      const browser = stormy();
      const prompts = browser.worker();
      await prompts.show([same("a"), same("b")]);
      browser.windows.clear();
      await prompts.show([same("a"), same("b"), same("c")]);
      browser.closeWindow(100);
      await settled();
      expect(windows(browser)).toBe(1);
    });

    it("keep quiet after three within an hour, whatever it asks, and let the person open it all the same", async () => {
      const browser = stormy();
      const prompts = browser.worker();
      for (let round = 0; round < 5; round++) {
        await prompts.show([same(`q${round}`)]);
        const [open] = browser.windows.keys();
        if (open !== undefined) browser.closeWindow(open);
        await settled();
      }
      expect(windows(browser)).toBe(3);
      expect(browser.log.at(-1)).toBe("notice approval:q4 https://storm.example");
      await prompts.open("q4");
      expect(windows(browser)).toBe(4);
      browser.closeWindow([...browser.windows.keys()][0] ?? 0);
      await settled();
      browser.time = 60 * 60_000;
      await prompts.show([same("later")]);
      expect(windows(browser)).toBe(5);
    });

    it("count no window that was answered", async () => {
      const browser = stormy();
      const prompts = browser.worker();
      for (let round = 0; round < 5; round++) {
        await prompts.show([same(`q${round}`)]);
        await prompts.show([]);
        browser.closeWindow([...browser.windows.keys()][0] ?? 0);
        await settled();
      }
      expect(windows(browser)).toBe(5);
    });
  });
});
