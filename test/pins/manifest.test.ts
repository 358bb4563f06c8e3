/**
 * What the browser is told about navra, as literals. A permission that is not here asks people for more than the README
 * explains; another order of the content scripts would let the page run before the relay listens; another key would make
 * it another extension. What the build makes of it is pinned by `test/tools/bundle.ts`.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import manifest from "../../manifest.json" with { type: "json" };

const PAGES_OF_AGENTS = [
  "https://*/*",
  "http://localhost/*",
  "http://127.0.0.1/*",
  "http://[::1]/*",
  "http://*.localhost/*",
];

describe("The manifest", () => {
  it("asks for exactly these permissions", () => {
    expect(manifest.permissions).toEqual([
      "storage",
      "alarms",
      "notifications",
      "declarativeNetRequest",
      "nativeMessaging",
    ]);
    expect(manifest.host_permissions).toEqual(["<all_urls>"]);
    expect(Object.keys(manifest).filter((key) => key.startsWith("optional_"))).toEqual([]);
  });

  it("injects the relay before the runtime, in every frame, at document start", () => {
    expect(manifest.content_scripts).toEqual([
      {
        matches: PAGES_OF_AGENTS,
        js: ["src/content/relay.iife.ts"],
        run_at: "document_start",
        all_frames: true,
        match_about_blank: true,
        match_origin_as_fallback: true,
      },
      {
        matches: PAGES_OF_AGENTS,
        js: ["src/page/runtime.iife.ts"],
        run_at: "document_start",
        all_frames: true,
        match_about_blank: true,
        match_origin_as_fallback: true,
        world: "MAIN",
      },
    ]);
  });

  it("gives two keys: one opens the popup, one pauses everything and never the reverse", () => {
    expect(manifest.commands).toEqual({
      _execute_action: { suggested_key: { default: "Alt+Shift+N" } },
      pause: { suggested_key: { default: "Alt+Shift+P" }, description: "__MSG_command_pause__" },
    });
  });

  it("gives pages nothing to load or to connect to", () => {
    expect(manifest).not.toHaveProperty("web_accessible_resources");
    expect(manifest).not.toHaveProperty("externally_connectable");
  });

  it("runs no code but its own", () => {
    const policy = manifest.content_security_policy.extension_pages;
    expect(policy).toContain("default-src 'self'; script-src 'self'; object-src 'none'");
    expect(policy).not.toContain("unsafe");
  });

  it("takes one text from an organisation, and nothing else", () => {
    expect(manifest.storage).toEqual({ managed_schema: "managed-schema.json" });
    const schema = JSON.parse(readFileSync(new URL("../../public/managed-schema.json", import.meta.url), "utf8"));
    expect(schema.type).toBe("object");
    expect(Object.keys(schema.properties)).toEqual(["policy"]);
    expect(schema.properties.policy.type).toBe("string");
  });

  it("has the key that makes it this extension in Chromium", () => {
    expect(chromiumId(manifest.key)).toBe("alojfnnadgbneekkmjpbjaibclkemhdj");
  });
});

/** Chromium's id: the first 128 bits of the public key's SHA-256, in the letters a to p. */
function chromiumId(key: string): string {
  const digest = createHash("sha256").update(Buffer.from(key, "base64")).digest("hex").slice(0, 32);
  return [...digest].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 16))).join("");
}
