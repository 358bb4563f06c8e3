import { describe, expect, it } from "vitest";
import { localAddress, localEntry, parseServerUrl, serverOrigin } from "../../../src/core/servers/url.ts";

describe("a server's address", () => {
  it.each([
    ["https://Tools.Example/mcp", "https://tools.example/mcp", "streamable-http"],
    ["  https://tools.example:443  ", "https://tools.example/", "streamable-http"],
    ["https://tools.example/mcp?team=a", "https://tools.example/mcp?team=a", "streamable-http"],
    ["wss://tools.example/ws", "wss://tools.example/ws", "websocket"],
    ["http://localhost:3000/mcp", "http://localhost:3000/mcp", "streamable-http"],
    ["http://mcp.localhost:3000/", "http://mcp.localhost:3000/", "streamable-http"],
    ["http://127.0.0.1:3000", "http://127.0.0.1:3000/", "streamable-http"],
    ["http://127.1:3000", "http://127.0.0.1:3000/", "streamable-http"],
    ["http://127.255.0.9/", "http://127.255.0.9/", "streamable-http"],
    ["http://[::1]:3000/", "http://[::1]:3000/", "streamable-http"],
    ["ws://localhost:3000/", "ws://localhost:3000/", "websocket"],
    [" local:files ", "local:files", "native"],
    ["LOCAL:Files_2.x", "local:Files_2.x", "native"],
  ])("%s is taken as %s", (text, url, transport) => {
    expect(parseServerUrl(text)).toEqual({ url, transport });
  });

  it.each([
    ["", /not a URL/],
    ["tools.example/mcp", /not a URL/],
    [`https://tools.example/${"x".repeat(2048)}`, /not a URL/],
    ["ftp://tools.example", /begin with/],
    ["javascript:alert(1)", /begin with/],
    ["file:///etc/passwd", /begin with/],
    ["https://user@tools.example", /user name/],
    ["https://:secret@tools.example", /user name/],
    ["https://tools.example/#", /after #/],
    ["https://tools.example/#part", /after #/],
    ["local:", /its name in navra-host/],
    ["local:/usr/bin/sh", /its name in navra-host/],
    ["local://files", /its name in navra-host/],
    ["local:files?x", /its name in navra-host/],
    ["local:files -c", /its name in navra-host/],
    [`local:${"x".repeat(65)}`, /its name in navra-host/],
    ["http://tools.example", /without encryption/],
    ["ws://tools.example", /without encryption/],
    ["http://192.168.1.2", /without encryption/],
    ["http://0.0.0.0", /without encryption/],
    ["http://localhost.evil.example", /without encryption/],
    ["http://evillocalhost", /without encryption/],
    ["http://127.0.0.1.evil.example", /without encryption/],
    ["http://[::ffff:127.0.0.1]", /without encryption/],
  ])("%s is refused with a sentence", (text, sentence) => {
    expect(() => parseServerUrl(text)).toThrow(
      expect.objectContaining({ fault: "invalid-params", message: expect.stringMatching(sentence) }),
    );
  });

  it("names the host's entry where the server is local, and nothing elsewhere", () => {
    const local = parseServerUrl(localAddress("files"));
    expect(local.url).toBe("local:files");
    expect(localEntry(local)).toBe("files");
    expect(localEntry(parseServerUrl("https://tools.example/files"))).toBeUndefined();
  });

  it("has one origin", () => {
    expect(serverOrigin({ url: "https://tools.example/mcp?x" })).toBe("https://tools.example");
    expect(serverOrigin({ url: "ws://localhost:3000/a" })).toBe("ws://localhost:3000");
  });
});
