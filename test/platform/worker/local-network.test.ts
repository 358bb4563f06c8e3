import { afterEach, describe, expect, it, vi } from "vitest";
import { isLocalNetworkRefused } from "../../../src/platform/worker/local-network.ts";

function permissions(states: Readonly<Record<string, string>>): void {
  vi.stubGlobal("navigator", {
    permissions: {
      query: async ({ name }: { name: string }) => {
        if (states[name] === undefined) throw new TypeError(`no permission is called ${name}`);
        return { state: states[name] };
      },
    },
  });
}

afterEach(() => void vi.unstubAllGlobals());

describe("a request that could not be made to a server nearby", () => {
  it.each([
    ["http://127.0.0.1:8931/mcp", { "local-network-access": "denied" }, true],
    ["https://192.168.1.7/mcp", { "local-network": "denied" }, true],
    ["http://localhost/mcp", { "local-network": "granted", "loopback-network": "denied" }, true],
    ["http://localhost/mcp", { "local-network-access": "prompt" }, false],
    ["http://localhost/mcp", {}, false],
    ["https://mcp.example.com/mcp", { "local-network-access": "denied" }, false],
  ])("to %s with %j was kept back by the browser: %s", async (url, states, refused) => {
    permissions(states);
    expect(await isLocalNetworkRefused(url)).toBe(refused);
  });
});
