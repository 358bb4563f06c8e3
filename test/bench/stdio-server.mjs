/** The smallest MCP server over standard input and output: gives back what it is given, or as many characters as asked for. */
import { createInterface } from "node:readline";

const TOOLS = [
  {
    name: "echo",
    description: "Gives back what it is given.",
    inputSchema: { type: "object", properties: { text: { type: "string" } } },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: "give",
    description: "Gives as many characters as asked for.",
    inputSchema: { type: "object", properties: { characters: { type: "number" } } },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
];
const LINE = 'The quick brown fox jumps over the lazy dog, "twice".\n';

function result(method, params) {
  if (method === "tools/list") return { tools: TOOLS };
  if (method === "tools/call") return { content: [{ type: "text", text: textOf(params) }] };
  if (method !== "initialize") return undefined;
  const serverInfo = { name: "bench", version: "1.0.0" };
  return { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo };
}

function textOf({ name, arguments: args }) {
  if (name === "echo") return args.text;
  return LINE.repeat(Math.ceil(args.characters / LINE.length)).slice(0, args.characters);
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const known = result(method, params);
  const body = known ? { result: known } : { error: { code: -32601, message: "No" } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...body })}\n`);
});
