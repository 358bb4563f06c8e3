import { describe, expect, it } from "vitest";
import type { Tabs } from "webextension-polyfill";
import { principalOf, principalOfTab, type Sender } from "../../../src/platform/worker/principal.ts";

const TAB = {
  id: 7,
  url: "https://agent.example/page?q=1",
  incognito: false,
  index: 0,
  active: true,
  pinned: false,
  highlighted: true,
} satisfies Tabs.Tab;

const TOP: Sender = {
  id: "navra",
  url: "https://agent.example/page?q=1",
  origin: "https://agent.example",
  frameId: 0,
  documentId: "doc-1",
  tab: TAB,
};

const at = (origin: string, tabUrl = `${origin}/`): Sender => ({
  ...TOP,
  origin,
  url: tabUrl,
  tab: { ...TAB, url: tabUrl },
});
const framed = (origin: string, url = `${origin}/frame`): Sender => ({
  ...TOP,
  origin,
  url,
  frameId: 5,
  documentId: "doc-5",
});

function outcome(sender: Sender): string {
  const result = principalOf(sender);
  return "refused" in result ? "refused" : `${result.principal.origin} in ${result.principal.topSite}`;
}

describe("who a sender is", () => {
  it.each<[string, Sender, string]>([
    ["a page over https", TOP, "https://agent.example in https://agent.example"],
    [
      "a page on another port",
      at("https://agent.example:8443"),
      "https://agent.example:8443 in https://agent.example:8443",
    ],
    ["a page on localhost", at("http://localhost:3000"), "http://localhost:3000 in http://localhost:3000"],
    ["a page on 127.0.0.1", at("http://127.0.0.1:3000"), "http://127.0.0.1:3000 in http://127.0.0.1:3000"],
    ["a page on 127.0.0.2", at("http://127.0.0.2"), "http://127.0.0.2 in http://127.0.0.2"],
    ["a page on [::1]", at("http://[::1]:3000"), "http://[::1]:3000 in http://[::1]:3000"],
    ["a page on a name under localhost", at("http://app.localhost"), "http://app.localhost in http://app.localhost"],
    ["a frame of the same site", framed("https://agent.example"), "https://agent.example in https://agent.example"],
    ["a frame of another site", framed("https://widget.example"), "https://widget.example in https://agent.example"],
    [
      "a blob: document, by its creator",
      { ...framed("https://agent.example"), url: "blob:https://agent.example/3f" },
      "https://agent.example in https://agent.example",
    ],
    [
      "a srcdoc frame, by its creator",
      framed("https://agent.example", "about:srcdoc"),
      "https://agent.example in https://agent.example",
    ],
    [
      "an about:blank frame, by its creator",
      framed("https://agent.example", "about:blank"),
      "https://agent.example in https://agent.example",
    ],
    [
      "a top-level about:blank, by its opener",
      at("https://agent.example", "about:blank"),
      "https://agent.example in https://agent.example",
    ],
    [
      "a page whose tab is already on its way elsewhere",
      { ...TOP, tab: { ...TAB, url: "https://next.example/" } },
      "https://agent.example in https://agent.example",
    ],
    ["a sandboxed frame", framed("null", "https://agent.example/sandboxed"), "refused"],
    ["a data: frame", framed("null", "data:text/html,x"), "refused"],
    ["Firefox's first about:blank", framed("null", "about:blank"), "refused"],
    ["a file", at("file://", "file:///home/a.html"), "refused"],
    ["a file with an opaque origin", at("null", "file:///home/a.html"), "refused"],
    ["a page over plain http", at("http://agent.example"), "refused"],
    ["a page on the local network", at("http://192.168.0.2"), "refused"],
    ["a page on 0.0.0.0", at("http://0.0.0.0:3000"), "refused"],
    ["localhost with its dot", at("http://localhost."), "refused"],
    ["a name that ends like localhost", at("http://notlocalhost"), "refused"],
    ["a name that begins like an address", at("http://127.0.0.1.example.com"), "refused"],
    ["a mapped loopback address", at("http://[::ffff:7f00:1]"), "refused"],
    ["a page of our own", at("chrome-extension://ieclmdnhfnjhkjanjpfbcgdpddcmanke"), "refused"],
    ["another extension's page", at("moz-extension://7a0b6e1c-0000-4000-8000-000000000000"), "refused"],
    ["an origin with a path", { ...TOP, origin: "https://agent.example/" }, "refused"],
    ["an origin with a user", { ...TOP, origin: "https://user@agent.example" }, "refused"],
    ["an origin with its default port written out", { ...TOP, origin: "https://agent.example:443" }, "refused"],
    ["an origin in upper case", { ...TOP, origin: "https://AGENT.example" }, "refused"],
    ["no origin", (({ origin: _origin, ...rest }) => rest)(TOP), "refused"],
    ["no tab", (({ tab: _tab, ...rest }) => rest)(TOP), "refused"],
    ["a tab without id", { ...TOP, tab: (({ id: _id, ...rest }) => rest)(TAB) }, "refused"],
    ["no frame id", (({ frameId: _frameId, ...rest }) => rest)(TOP), "refused"],
    ["no document id", (({ documentId: _documentId, ...rest }) => rest)(TOP), "refused"],
    ["a page rendered ahead of time", { ...TOP, frameId: 12, documentLifecycle: "prerender" }, "refused"],
    [
      "an https frame in a page over plain http",
      { ...framed("https://widget.example"), tab: { ...TAB, url: "http://agent.example/" } },
      "refused",
    ],
    [
      "an https frame in a file",
      { ...framed("https://widget.example"), tab: { ...TAB, url: "file:///home/a.html" } },
      "refused",
    ],
    [
      "an https frame in a data: page",
      { ...framed("https://widget.example"), tab: { ...TAB, url: "data:text/html,x" } },
      "refused",
    ],
    [
      "an https frame in an extension's page",
      { ...framed("https://widget.example"), tab: { ...TAB, url: "chrome-extension://abc/x.html" } },
      "refused",
    ],
    [
      "an https frame in a tab whose address is withheld",
      { ...framed("https://widget.example"), tab: (({ url: _url, ...rest }) => rest)(TAB) },
      "refused",
    ],
  ])("%s", (_name, sender, expected) => {
    expect(outcome(sender)).toBe(expected);
  });

  it("keeps containers and private windows apart, and says where the document is", () => {
    expect(principalOf({ ...TOP, tab: { ...TAB, cookieStoreId: "firefox-container-2", incognito: true } })).toEqual({
      principal: {
        origin: "https://agent.example",
        topSite: "https://agent.example",
        cookieStore: "firefox-container-2",
        private: true,
      },
      place: { tabId: 7, frameId: 0, documentId: "doc-1" },
    });
    expect(principalOf(TOP)).toMatchObject({ principal: { cookieStore: "default", private: false } });
  });
});

describe("who the page of a tab would be", () => {
  it.each([
    ["https://agent.example/x", "https://agent.example"],
    ["http://localhost:3000/x", "http://localhost:3000"],
    ["http://agent.example/x", undefined],
    ["about:blank", undefined],
    ["chrome://extensions/", undefined],
    [undefined, undefined],
  ])("%s is %s", (url, expected) => {
    const { url: _url, ...tab } = TAB;
    expect(principalOfTab(url === undefined ? tab : { ...tab, url })?.origin).toBe(expected);
  });
});
