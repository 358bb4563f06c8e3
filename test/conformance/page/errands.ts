/**
 * What an agent does in each client scenario of the suite, with the official client over navra's transport. An errand only
 * makes navra act; the suite's server judges what arrives there.
 */
import { Client, type ClientOptions, type Transport } from "@modelcontextprotocol/client";
import { NavraTransport } from "../../../src/agent/transport.ts";
import type { Errand } from "./wire.ts";

export async function act(errand: Errand): Promise<void> {
  const { capabilities = {}, steps } = PLANS.get(errand.scenario) ?? planFor(errand.scenario);
  const client = new Client({ name: "conformance-agent", version: "1.0.0" }, optionsFor(errand, capabilities));
  if ("elicitation" in capabilities) {
    // The schema of one scenario is filled by the client's own defaults; the other asks for this member.
    const content = errand.scenario.startsWith("elicitation-") ? {} : { confirmed: true };
    client.setRequestHandler("elicitation/create", () => ({ action: "accept" as const, content }));
  }
  await client.connect(new NavraTransport({ server: errand.server }) as Transport);
  try {
    await steps(client, errand);
  } finally {
    await client.close();
  }
}

interface Plan {
  readonly capabilities?: NonNullable<ClientOptions["capabilities"]>;
  readonly steps: (client: Client, errand: Errand) => Promise<void>;
}

interface Call {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
}

const FIRST_MODERN = "2026-07-28";

function optionsFor({ version }: Errand, capabilities: NonNullable<ClientOptions["capabilities"]>): ClientOptions {
  return { capabilities, ...(version >= FIRST_MODERN && { versionNegotiation: { mode: "auto" } }) };
}

function planFor(scenario: string): Plan {
  return { steps: scenario.startsWith("auth/") ? listAndCallTestTool : list };
}

const PLANS: ReadonlyMap<string, Plan> = new Map<string, Plan>([
  ["tools_call", { steps: callNamed("add_numbers", { a: 5, b: 3 }) }],
  ["sse-retry", { steps: callNamed("test_reconnection", {}) }],
  [
    "request-metadata",
    { capabilities: { roots: { listChanged: true }, sampling: {}, elicitation: {} }, steps: async () => undefined },
  ],
  [
    "elicitation-sep1034-client-defaults",
    {
      capabilities: { elicitation: { form: { applyDefaults: true } } },
      steps: callNamed("test_client_elicitation_defaults", {}),
    },
  ],
  ["sep-2322-client-request-state", { capabilities: { elicitation: {} }, steps: callEachOfTheRounds }],
  ["http-standard-headers", { steps: useEachKind }],
  ["http-custom-headers", { steps: callAsTold }],
  ["http-invalid-tool-headers", { steps: callAllListed }],
  ["json-schema-2020-12-preservation", { steps: sendSchemaBack }],
]);

async function list(client: Client): Promise<void> {
  await client.listTools();
}

async function listAndCallTestTool(client: Client): Promise<void> {
  await client.listTools();
  await client.callTool({ name: "test-tool", arguments: {} });
}

function callNamed(name: string, args: Record<string, unknown>): Plan["steps"] {
  return async (client) => {
    await client.listTools();
    await client.callTool({ name, arguments: args });
  };
}

async function callEachOfTheRounds(client: Client): Promise<void> {
  await client.listTools();
  for (const name of ["test_mrtr_echo_state", "test_mrtr_no_state", "test_mrtr_unrelated"]) {
    await client.callTool({ name, arguments: {} });
  }
  // The result of this one lacks a member on purpose; whether the client takes it is its own affair.
  await client.callTool({ name: "test_mrtr_no_result_type", arguments: {} }).catch(() => undefined);
}

async function useEachKind(client: Client): Promise<void> {
  const [tool] = (await client.listTools()).tools;
  if (tool) await client.callTool({ name: tool.name, arguments: {} });
  const [resource] = (await client.listResources()).resources;
  if (resource) await client.readResource({ uri: resource.uri });
  const [prompt] = (await client.listPrompts()).prompts;
  if (prompt) await client.getPrompt({ name: prompt.name, arguments: {} });
}

async function callAsTold(client: Client, { context = "{}" }: Errand): Promise<void> {
  await client.listTools();
  const { toolCalls = [] } = JSON.parse(context) as { toolCalls?: readonly Call[] };
  for (const call of toolCalls) await client.callTool(call);
}

async function callAllListed(client: Client): Promise<void> {
  const { tools } = await client.listTools();
  for (const { name } of tools) {
    await client.callTool({ name, arguments: { region: "us-west1" } }).catch(() => undefined);
  }
}

async function sendSchemaBack(client: Client): Promise<void> {
  const { tools } = await client.listTools();
  const rich = tools.find(({ name }) => name === "json_schema_2020_12_tool");
  if (!rich) throw new Error("The tool with the schema is not listed.");
  await client.callTool({ name: "json_schema_echo", arguments: { schema: rich.inputSchema } });
}
