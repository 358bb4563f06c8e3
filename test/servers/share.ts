/**
 * A small file-sharing service over MCP 2026-07-28, built with the official server package. Sharing a file gives a link whose
 * fragment holds the key that decrypts it, never the file: exactly the kind of reply that must not lie about in a record.
 * Run by itself: `PORT=<port> tsx share.ts`.
 *
 * @see MCP 2026-07-28 · Server features · Tools
 */
import { randomBytes } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import { localhostHostValidation, toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";

interface Share {
  readonly downloadUrl: string;
  readonly fileName: string;
  readonly encrypted: boolean;
}

const shares: Share[] = [];

function createShareServer(): McpServer {
  const server = new McpServer(
    { name: "srift", version: "1.0.0" },
    { instructions: "Share files by link. Links of encrypted shares carry their key after the #." },
  );
  server.registerTool(
    "srift_quick_share",
    {
      title: "Share a file",
      description: "Uploads a file and returns a download link. Anyone who has the link can read the file.",
      inputSchema: z.object({ filePath: z.string().min(1), encrypt: z.boolean().default(true) }),
      outputSchema: z.object({ downloadUrl: z.string(), fileName: z.string(), encrypted: z.boolean() }),
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
    },
    async ({ filePath, encrypt }) => {
      const share = makeShare(filePath, encrypt);
      shares.push(share);
      return {
        content: [{ type: "text", text: `Download link: ${share.downloadUrl}` }],
        structuredContent: { ...share },
      };
    },
  );
  server.registerTool(
    "srift_list_shares",
    {
      title: "List shares",
      description: "Names of the files shared so far, without their links.",
      inputSchema: z.object({}),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    async () => ({
      content: [{ type: "text", text: shares.map((share) => share.fileName).join("\n") || "Nothing is shared." }],
    }),
  );
  server.registerTool(
    "srift_slow",
    {
      title: "Take a while",
      description: "Works for some seconds and tells how far it is.",
      inputSchema: z.object({ seconds: z.number().positive().max(120) }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    async ({ seconds }, context) => {
      const token = context.mcpReq._meta?.progressToken;
      const steps = Math.max(2, Math.min(20, Math.round(seconds * 2)));
      for (let step = 1; step <= steps; step += 1) {
        await sleep((seconds * 1000) / steps, context.mcpReq.signal);
        if (token === undefined) continue;
        await context.mcpReq.notify({
          method: "notifications/progress",
          params: { progressToken: token, progress: step, total: steps },
        });
      }
      return { content: [{ type: "text", text: `Took ${seconds} seconds.` }] };
    },
  );
  return server;
}

function makeShare(filePath: string, encrypted: boolean): Share {
  const link = `https://share.example/d/${randomBytes(6).toString("hex")}`;
  return {
    downloadUrl: encrypted ? `${link}#k=${randomBytes(32).toString("base64url")}` : link,
    fileName: filePath.split(/[\\/]/).at(-1) ?? filePath,
    encrypted,
  };
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(new Error("The call was cancelled."));
    });
  });
}

// The package's request type is stricter about `undefined` than Node's own.
const handle = toNodeHandler(createMcpHandler(createShareServer, { legacy: "reject" })) as unknown as RequestListener;
const hostIsLocal = localhostHostValidation();

createServer((request, response) => {
  if (!hostIsLocal(request, response)) return;
  if (request.url !== "/mcp") {
    response.writeHead(404).end();
    return;
  }
  handle(request, response);
}).listen(Number(process.env.PORT ?? 3002), "127.0.0.1");
