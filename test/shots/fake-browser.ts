/**
 * A stand-in for the extension API, installed in a page before its scripts: messages from the catalogue, a port that
 * answers from a table. It runs inside the page, so it may use nothing from outside its own body.
 */
export interface FakeBrowserData {
  readonly messages: Readonly<Record<string, { readonly message: string }>>;
  readonly answers: Readonly<Record<string, unknown>> | "none";
}

export function installFakeBrowser({ messages, answers }: FakeBrowserData): void {
  interface Ask {
    readonly ask: number;
    readonly method: string;
  }
  const nothing = { addListener: () => undefined, removeListener: () => undefined };
  const connect = () => {
    const listeners = new Set<(message: unknown) => void>();
    return {
      onMessage: { addListener: (listener: (message: unknown) => void) => listeners.add(listener) },
      onDisconnect: nothing,
      disconnect: () => undefined,
      postMessage({ ask, method }: Ask) {
        if (answers === "none") return;
        const answer =
          method in answers ? { ask, result: answers[method] } : { ask, problem: `No sample answer for ${method}.` };
        setTimeout(() => {
          for (const listener of listeners) listener(answer);
        }, 5);
      },
    };
  };
  const getMessage = (key: string, substitutions: string | readonly string[] = []) => {
    const given = [substitutions].flat();
    return (messages[key]?.message ?? "").replace(
      /\$([1-9])/g,
      (_match, place: string) => given[Number(place) - 1] ?? "",
    );
  };
  const id = "navra-shots";
  Object.assign(globalThis, {
    chrome: { runtime: { id } },
    browser: {
      runtime: {
        id,
        connect,
        getURL: (path: string) => path,
        openOptionsPage: async () => undefined,
        reload: () => undefined,
        onMessage: nothing,
      },
      i18n: { getMessage, getUILanguage: () => "en" },
      tabs: { query: async () => [{ id: 3 }], getCurrent: async () => undefined, remove: async () => undefined },
      permissions: { request: async () => true },
      devtools: { inspectedWindow: { tabId: 3 }, panels: { themeName: "default", onThemeChanged: nothing } },
      storage: { local: { get: async () => ({}), set: async () => undefined } },
    },
  });
}
