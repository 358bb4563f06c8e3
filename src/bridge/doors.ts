/**
 * Port names. Each kind of peer enters by its own door, and identity comes only from what the browser says of the sender:
 * a page can never reach a control door, whatever it writes, because its relay opens page ports only and the worker
 * checks the sender's own URL for every other door.
 */

/** Control doors, one per extension page. */
export const CONTROL_DOORS = ["popup", "dashboard", "consent", "panel"] as const;
export type ControlDoor = (typeof CONTROL_DOORS)[number];

/** The page of each control door, relative to the extension's root. */
export const DOOR_PAGES: Readonly<Record<ControlDoor, string>> = {
  popup: "/src/ui/popup/index.html",
  dashboard: "/src/ui/dashboard/index.html",
  consent: "/src/ui/consent/index.html",
  panel: "/src/ui/panel/index.html",
};

/** The page door: `page/<act>/<channel>/<server>`; written by the relay, read by the worker. */
export interface PageDoor {
  /** Whether the relay saw the person act in that document just now. */
  readonly act: boolean;
  /** The page's own random name for the channel, 1…64 characters of `[A-Za-z0-9_-]`. */
  readonly channel: string;
  /** The server's name as the page knows it; empty for the directory face, `*` for all servers as one. */
  readonly server: string;
}

const PAGE_DOOR = /^page\/([01])\/([A-Za-z0-9_-]{1,64})\/(\*|[A-Za-z0-9._-]{0,64})$/;

export function pageDoorName(door: PageDoor): string {
  return `page/${door.act ? 1 : 0}/${door.channel}/${door.server}`;
}

export function parsePageDoor(name: string): PageDoor | undefined {
  const match = PAGE_DOOR.exec(name);
  if (!match) return undefined;
  return { act: match[1] === "1", channel: match[2] ?? "", server: match[3] ?? "" };
}
