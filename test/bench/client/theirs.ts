/** The official client over its own transport, as an agent in an extension's worker would use it. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { config } from "zod";
import type { Side } from "./side.ts";

export async function openTheirs(url: string): Promise<Side> {
  // An extension's worker may compile nothing.
  config({ jitless: true });
  const client = new Client({ name: "bench", version: "1" });
  let listener: ((data: unknown) => void) | undefined;
  client.setNotificationHandler("notifications/message", ({ params }) => listener?.(params.data));
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return {
    async call(name, args) {
      return (await client.callTool({ name, arguments: { ...args } }, { timeout: 300_000 })).content.length;
    },
    list: async () => (await client.listTools()).tools.length,
    hear(given) {
      listener = given;
    },
  };
}
