/**
 * Where each browser looks for native-messaging hosts, and how to tell that it is there: Chrome, Chromium, Edge, Brave,
 * Vivaldi, Opera and Firefox on Linux, macOS and Windows. A browser that is not installed gets nothing.
 *
 * @see https://developer.chrome.com/docs/extensions/develop/concepts/native-messaging · Native messaging host location
 * @see https://developer.mozilla.org/docs/Mozilla/Add-ons/WebExtensions/Native_manifests · Manifest location
 */

export interface Browser {
  readonly id: "chrome" | "chromium" | "edge" | "brave" | "vivaldi" | "opera" | "firefox";
  readonly name: string;
  readonly kind: "chromium" | "firefox";
  readonly linux: Places;
  readonly darwin: Places;
  /** Below `HKCU\Software` or `HKLM\Software`. Some also read another browser's key; the first decides whether one is there. */
  readonly win32: { readonly data: readonly string[]; readonly keys: readonly string[] };
}

/** Folders; `~` is the person's home, `$CONFIG` is `XDG_CONFIG_HOME` or `~/.config`. */
interface Places {
  /** One of them exists when the person has used the browser. */
  readonly data: readonly string[];
  readonly user: string;
  readonly system: string;
}

const SUPPORT = "~/Library/Application Support";

export const BROWSERS: readonly Browser[] = [
  {
    id: "chrome",
    name: "Google Chrome",
    kind: "chromium",
    linux: linux("$CONFIG/google-chrome", "/etc/opt/chrome"),
    darwin: darwin("Google/Chrome", "/Library/Google/Chrome/NativeMessagingHosts"),
    win32: { data: ["%LOCALAPPDATA%\\Google\\Chrome\\User Data"], keys: ["Google\\Chrome"] },
  },
  {
    id: "chromium",
    name: "Chromium",
    kind: "chromium",
    linux: linux("$CONFIG/chromium", "/etc/chromium"),
    darwin: darwin("Chromium", "/Library/Application Support/Chromium/NativeMessagingHosts"),
    win32: { data: ["%LOCALAPPDATA%\\Chromium\\User Data"], keys: ["Chromium"] },
  },
  {
    id: "edge",
    name: "Microsoft Edge",
    kind: "chromium",
    linux: linux("$CONFIG/microsoft-edge", "/etc/opt/edge"),
    darwin: darwin("Microsoft Edge", "/Library/Microsoft/Edge/NativeMessagingHosts"),
    win32: { data: ["%LOCALAPPDATA%\\Microsoft\\Edge\\User Data"], keys: ["Microsoft\\Edge"] },
  },
  {
    id: "brave",
    name: "Brave",
    kind: "chromium",
    linux: linux("$CONFIG/BraveSoftware/Brave-Browser", "/etc/opt/brave"),
    darwin: darwin(
      "BraveSoftware/Brave-Browser",
      "/Library/Application Support/BraveSoftware/Brave-Browser/NativeMessagingHosts",
    ),
    win32: {
      data: ["%LOCALAPPDATA%\\BraveSoftware\\Brave-Browser\\User Data"],
      keys: ["BraveSoftware\\Brave-Browser", "Google\\Chrome"],
    },
  },
  {
    id: "vivaldi",
    name: "Vivaldi",
    kind: "chromium",
    linux: linux("$CONFIG/vivaldi", "/etc/opt/vivaldi"),
    darwin: darwin("Vivaldi", "/Library/Application Support/Vivaldi/NativeMessagingHosts"),
    win32: { data: ["%LOCALAPPDATA%\\Vivaldi\\User Data"], keys: ["Vivaldi", "Google\\Chrome"] },
  },
  {
    id: "opera",
    name: "Opera",
    kind: "chromium",
    linux: linux("$CONFIG/opera", "/etc/opt/opera"),
    darwin: darwin(
      "com.operasoftware.Opera",
      "/Library/Application Support/com.operasoftware.Opera/NativeMessagingHosts",
    ),
    win32: { data: ["%APPDATA%\\Opera Software\\Opera Stable"], keys: ["Opera Software", "Google\\Chrome"] },
  },
  {
    id: "firefox",
    name: "Firefox",
    kind: "firefox",
    linux: {
      // A profile made by version 147 or later is below the second; manifests are looked for below the first all the same.
      data: ["~/.mozilla", "$CONFIG/mozilla/firefox"],
      user: "~/.mozilla/native-messaging-hosts",
      system: "/usr/lib/mozilla/native-messaging-hosts",
    },
    darwin: {
      data: [`${SUPPORT}/Firefox`],
      user: `${SUPPORT}/Mozilla/NativeMessagingHosts`,
      system: "/Library/Application Support/Mozilla/NativeMessagingHosts",
    },
    win32: { data: ["%APPDATA%\\Mozilla\\Firefox"], keys: ["Mozilla"] },
  },
];

function linux(data: string, system: string): Places {
  return { data: [data], user: `${data}/NativeMessagingHosts`, system: `${system}/native-messaging-hosts` };
}

function darwin(data: string, system: string): Places {
  return { data: [`${SUPPORT}/${data}`], user: `${SUPPORT}/${data}/NativeMessagingHosts`, system };
}
