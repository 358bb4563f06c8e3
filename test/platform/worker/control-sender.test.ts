import { describe, expect, it } from "vitest";
import { CONTROL_DOORS, DOOR_PAGES } from "../../../src/bridge/doors.ts";
import { controlPeerOf } from "../../../src/platform/worker/control-sender.ts";

const ROOT = "chrome-extension://ieclmdnhfnjhkjanjpfbcgdpddcmanke";
const SELF = { id: "ieclmdnhfnjhkjanjpfbcgdpddcmanke", root: `${ROOT}/` };
const FIREFOX = { id: "navra@navra.dev", root: "moz-extension://7a0b6e1c-1111-4000-8000-000000000000/" };

const own = (path: string) => ({ id: SELF.id, url: ROOT + path, origin: ROOT });

describe("which door a port may enter", () => {
  it("lets each page of ours into its own door", () => {
    expect(controlPeerOf({ name: "popup", sender: own(DOOR_PAGES.popup) }, SELF)).toEqual({ door: "popup" });
    expect(controlPeerOf({ name: "dashboard", sender: own(`${DOOR_PAGES.dashboard}#rules`) }, SELF)).toEqual({
      door: "dashboard",
    });
    expect(controlPeerOf({ name: "consent", sender: own(`${DOOR_PAGES.consent}?id=a%2Fb`) }, SELF)).toEqual({
      door: "consent",
      approvalId: "a/b",
    });
    expect(controlPeerOf({ name: "panel", sender: own(`${DOOR_PAGES.panel}?tabId=12`) }, SELF)).toEqual({
      door: "panel",
      tabId: 12,
    });
    expect(controlPeerOf({ name: "panel", sender: own(DOOR_PAGES.panel) }, SELF)).toEqual({ door: "panel" });
  });

  it("knows our pages in Firefox, where id and address differ", () => {
    const sender = { id: FIREFOX.id, url: `${FIREFOX.root}${DOOR_PAGES.popup.slice(1)}` };
    expect(controlPeerOf({ name: "popup", sender }, FIREFOX)).toEqual({ door: "popup" });
  });

  it("lets no page of ours into the door of another", () => {
    for (const door of CONTROL_DOORS) {
      for (const page of CONTROL_DOORS) {
        const peer = controlPeerOf({ name: door, sender: own(`${DOOR_PAGES[page]}?id=x`) }, SELF);
        expect(peer?.door, `${page} at ${door}`).toBe(door === page ? door : undefined);
      }
    }
  });

  it.each([
    ["nobody", undefined],
    [
      "a content script of ours in a page",
      { ...own(""), url: "https://agent.example/", origin: "https://agent.example" },
    ],
    [
      "a content script in a page whose path looks like ours",
      { id: SELF.id, url: `https://agent.example${DOOR_PAGES.popup}` },
    ],
    ["another extension", { ...own(DOOR_PAGES.popup), id: "aaaabbbbccccddddeeeeffffgggghhhh" }],
    ["a sender without id", (({ id: _id, ...rest }) => rest)(own(DOOR_PAGES.popup))],
    ["a sender without address", { id: SELF.id, origin: ROOT }],
    ["an address that is none", { id: SELF.id, url: "popup" }],
    ["another extension's page under our id", { id: SELF.id, url: `chrome-extension://abc${DOOR_PAGES.popup}` }],
    ["a page of our own with the origin of another", { ...own(DOOR_PAGES.popup), origin: "https://agent.example" }],
    ["a page of our own with an opaque origin", { ...own(DOOR_PAGES.popup), origin: "null" }],
    ["our host under another scheme", { id: SELF.id, url: `https://${SELF.id}${DOOR_PAGES.popup}` }],
    ["a blob of ours", { id: SELF.id, url: `blob:${ROOT}${DOOR_PAGES.popup}` }],
    ["a path below the page", own(`${DOOR_PAGES.popup}/x`)],
    ["a path that begins elsewhere", own(`/x${DOOR_PAGES.popup}`)],
    ["another page of ours", own("/src/ui/devtools/index.html")],
  ])("turns away %s", (_who, sender) => {
    expect(controlPeerOf({ name: "popup", sender }, SELF)).toBeUndefined();
  });

  it.each(["", "page/1/abc/mail", "Popup", "popup ", "constructor"])("knows no door named %j", (name) => {
    expect(controlPeerOf({ name, sender: own(DOOR_PAGES.popup) }, SELF)).toBeUndefined();
  });

  it("turns away a consent page that names no approval", () => {
    for (const query of ["", "?id=", "?other=1"]) {
      expect(controlPeerOf({ name: "consent", sender: own(DOOR_PAGES.consent + query) }, SELF)).toBeUndefined();
    }
  });
});
