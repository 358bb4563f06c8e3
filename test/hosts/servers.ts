/**
 * Real servers from npm that speak over standard input and output and start without a network: what each is run with, two
 * calls that it must answer, and one to be cancelled while it works. Some have nothing to work on here and answer with an
 * error of their own; that it comes through is what counts.
 */
import { fileURLToPath } from "node:url";

interface HostedCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** What the answer says; absent where the server can only answer with an error of its own. */
  readonly says?: RegExp;
}

export interface HostedServer {
  readonly name: string;
  /** The `node_modules` that the package is in. */
  readonly packages: string;
  readonly package: string;
  readonly script: string;
  readonly args: readonly string[];
  /** Values of the environment variables that it needs. */
  readonly env: Readonly<Record<string, string>>;
  readonly calls: readonly [HostedCall, HostedCall];
  /** Works long enough to be cancelled; a server without one is cancelled in its first call. */
  readonly slow?: HostedCall;
  /** An answer of more than 4 MB. */
  readonly big?: HostedCall;
}

const PACKAGES = fileURLToPath(new URL("./node_modules/", import.meta.url));
/** Those that `npm test` brings; one of the table is among them. */
const FEW_PACKAGES = fileURLToPath(new URL("../servers/node_modules/", import.meta.url));

/** The one that every `npm test` has, under its own name or another. */
export function everythingServer(given: Pick<HostedServer, "name"> & Partial<HostedServer>): HostedServer {
  const [everything] = hostedServers("", "").filter(({ name }) => name === "everything");
  if (!everything) throw new Error("The table has no server named everything.");
  return { ...everything, packages: FEW_PACKAGES, ...given };
}

/** `folder` is the one that the servers work in; it holds what `prepare` puts there. */
export function hostedServers(folder: string, chromium: string): readonly HostedServer[] {
  const server = (given: Pick<HostedServer, "name" | "package" | "script" | "calls"> & Partial<HostedServer>) => ({
    packages: PACKAGES,
    args: [],
    env: {},
    ...given,
  });
  return [
    server({
      name: "filesystem",
      package: "@modelcontextprotocol/server-filesystem",
      script: "dist/index.js",
      args: [folder],
      calls: [
        { name: "list_directory", arguments: { path: folder }, says: /small\.txt/ },
        { name: "read_text_file", arguments: { path: `${folder}/small.txt` }, says: /a small file/ },
      ],
      big: { name: "read_text_file", arguments: { path: `${folder}/big.txt` }, says: /the end$/ },
    }),
    server({
      name: "everything",
      package: "@modelcontextprotocol/server-everything",
      script: "dist/index.js",
      calls: [
        { name: "echo", arguments: { message: "here" }, says: /Echo: here/ },
        { name: "get-sum", arguments: { a: 40, b: 2 }, says: /42/ },
      ],
      slow: { name: "trigger-long-running-operation", arguments: { duration: 20, steps: 20 } },
    }),
    server({
      name: "memory",
      package: "@modelcontextprotocol/server-memory",
      script: "dist/index.js",
      env: { MEMORY_FILE_PATH: `${folder}/memory.jsonl` },
      calls: [
        {
          name: "create_entities",
          arguments: { entities: [{ name: "Ada", entityType: "person", observations: ["writes programs"] }] },
          says: /Ada/,
        },
        { name: "read_graph", arguments: {}, says: /writes programs/ },
      ],
    }),
    server({
      name: "thinking",
      package: "@modelcontextprotocol/server-sequential-thinking",
      script: "dist/index.js",
      calls: [
        { name: "sequentialthinking", arguments: thought(1), says: /"thoughtNumber": 1/ },
        { name: "sequentialthinking", arguments: thought(2), says: /"thoughtNumber": 2/ },
      ],
    }),
    server({
      name: "pdf",
      package: "@modelcontextprotocol/server-pdf",
      script: "dist/index.js",
      args: ["--stdio"],
      calls: [
        { name: "list_pdfs", arguments: {} },
        // Its other tools are for apps: to an agent that shows none they do not exist.
        { name: "display_pdf", arguments: { url: `${folder}/none.pdf` } },
      ],
    }),
    server({
      name: "shadertoy",
      package: "@modelcontextprotocol/server-shadertoy",
      script: "dist/index.js",
      args: ["--stdio"],
      calls: [
        { name: "render-shadertoy", arguments: { fragmentShader: SHADER } },
        { name: "render-shadertoy", arguments: { fragmentShader: SHADER, common: "// twice" } },
      ],
    }),
    server({
      name: "playwright",
      package: "@playwright/mcp",
      script: "cli.js",
      args: ["--headless", "--isolated", "--no-sandbox", "--executable-path", chromium],
      calls: [
        { name: "browser_navigate", arguments: { url: "data:text/html,<title>a page</title><p>here" }, says: /a page/ },
        { name: "browser_evaluate", arguments: { function: "() => 40 + 2" }, says: /42/ },
      ],
      slow: { name: "browser_wait_for", arguments: { time: 20 } },
    }),
    server({
      name: "eslint",
      package: "@eslint/mcp",
      script: "src/mcp-cli.js",
      calls: [
        { name: "lint-files", arguments: { filePaths: [`${folder}/code.js`] } },
        { name: "lint-files", arguments: { filePaths: [`${folder}/none.js`] } },
      ],
    }),
    server({
      name: "tasks",
      package: "@kazuph/mcp-taskmanager",
      script: "dist/index.js",
      env: { TASK_MANAGER_FILE_PATH: `${folder}/tasks.json` },
      calls: [
        {
          name: "request_planning",
          arguments: { originalRequest: "a house", tasks: [{ title: "roof", description: "on top" }] },
          says: /roof/,
        },
        { name: "list_requests", arguments: {}, says: /a house/ },
      ],
    }),
    server({
      name: "runner",
      package: "mcp-server-code-runner",
      script: "dist/cli.js",
      // It writes what it runs into one file there, whoever else does.
      env: { TMPDIR: folder },
      calls: [
        { name: "run-code", arguments: { code: "console.log(40 + 2)", languageId: "javascript" }, says: /42/ },
        { name: "run-code", arguments: { code: "console.log('twice')", languageId: "javascript" }, says: /twice/ },
      ],
      slow: { name: "run-code", arguments: { code: "setTimeout(() => {}, 20000)", languageId: "javascript" } },
    }),
    server({
      name: "n8n",
      package: "n8n-mcp",
      script: "dist/mcp/stdio-wrapper.js",
      env: { MCP_MODE: "stdio", LOG_LEVEL: "error", DISABLE_CONSOLE_OUTPUT: "true" },
      calls: [
        { name: "tools_documentation", arguments: {}, says: /n8n/ },
        { name: "search_nodes", arguments: { query: "slack" }, says: /slack/i },
      ],
    }),
    server({
      name: "kubernetes",
      package: "mcp-server-kubernetes",
      script: "dist/index.js",
      calls: [
        { name: "ping", arguments: {} },
        { name: "kubectl_get", arguments: { resourceType: "pods" } },
      ],
    }),
    server({
      name: "mongodb",
      package: "mongodb-mcp-server",
      script: "dist/esm/index.js",
      args: ["--telemetry", "disabled"],
      calls: [
        { name: "list-connections", arguments: {} },
        { name: "list-databases", arguments: { connectionId: "none" } },
      ],
    }),
    server({
      name: "notion",
      package: "@notionhq/notion-mcp-server",
      script: "bin/cli.mjs",
      env: { NOTION_TOKEN: "ntn_of_nobody" },
      calls: [
        { name: "API-get-self", arguments: {} },
        { name: "API-get-users", arguments: {} },
      ],
    }),
    server({
      name: "context7",
      package: "@upstash/context7-mcp",
      script: "dist/index.js",
      args: ["--transport", "stdio"],
      calls: [
        { name: "resolve-library-id", arguments: { query: "routing", libraryName: "express" } },
        { name: "query-docs", arguments: { libraryId: "/expressjs/express", query: "routing" } },
      ],
    }),
  ];
}

const SHADER = "void mainImage(out vec4 color, in vec2 at) { color = vec4(at / iResolution.xy, 0.5, 1.0); }";

function thought(thoughtNumber: number) {
  return { thought: `step ${thoughtNumber}`, nextThoughtNeeded: true, thoughtNumber, totalThoughts: 3 };
}
