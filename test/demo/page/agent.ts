/**
 * The scripted agent: it connects, lists, calls and cancels, and tells how each call ended. It has no way past navra and
 * no knowledge of it but the transport.
 */
import { connectServers, findNavra, listServers } from "../../../src/agent/transport.ts";
import { type AgentClient, connectClient, type Sdk, type ToolCall } from "./clients.ts";

export interface Ending {
  /** The result as JSON text, or the sentence of the refusal or fault. */
  readonly text: string;
  readonly ok: boolean;
  /** JSON-RPC error code, where it was an error. */
  readonly code: number | null;
  /** `_meta["io.github.navra/refusal"]` or `error.data`. */
  readonly refusal: { readonly name?: string; readonly retry?: string } | null;
  readonly progress: readonly number[];
  readonly ms: number;
}

export interface Errand extends ToolCall {
  readonly server: string;
  /** Names the call, so that it can be cancelled. */
  readonly key?: string;
  /** Asks for no progress, so that nothing comes before the answer. */
  readonly quiet?: boolean;
}

export class Agent {
  readonly #clients = new Map<string, Promise<AgentClient>>();
  readonly #open = new Map<string, AbortController>();
  readonly #heard = new Map<string, number>();
  readonly #sdk: Sdk;

  constructor(sdk: Sdk) {
    this.#sdk = sdk;
  }

  async found(): Promise<boolean> {
    return (await findNavra({ timeoutMs: 2000 })) !== undefined;
  }

  /** Call it from the person's own act. */
  async connect(names?: readonly string[]): Promise<readonly string[]> {
    const provider = await findNavra();
    if (provider === undefined) throw new Error("This page has no navra.");
    return (await connectServers(provider, names)).map((server) => server.name);
  }

  async servers(): Promise<readonly string[]> {
    const provider = await findNavra();
    return provider === undefined ? [] : (await listServers(provider)).map((server) => server.name);
  }

  async tools(server: string): Promise<readonly string[]> {
    return (await (await this.#client(server)).list()).map((tool) => tool.name);
  }

  async call({ server, name, arguments: args, key = "", quiet = false }: Errand): Promise<Ending> {
    const begun = performance.now();
    const cancel = new AbortController();
    this.#open.set(key, cancel);
    const progress: number[] = [];
    const ended = (ending: Omit<Ending, "progress" | "ms">): Ending => ({
      ...ending,
      progress,
      ms: performance.now() - begun,
    });
    try {
      const client = await this.#client(server);
      const onprogress = (one: { progress: number }) => this.#heard.set(key, progress.push(one.progress));
      const options = { signal: cancel.signal, ...(!quiet && { onprogress }) };
      const result = (await client.call({ name, arguments: args }, options)) as ToolResult;
      const refusal = result._meta?.["io.github.navra/refusal"] ?? null;
      return ended({ text: textOf(result), ok: result.isError !== true, code: null, refusal });
    } catch (problem) {
      const { message, code, data } = problem as { message?: string; code?: unknown; data?: Ending["refusal"] };
      return ended({
        text: String(message ?? problem),
        ok: false,
        code: typeof code === "number" ? code : null,
        refusal: data ?? null,
      });
    } finally {
      this.#open.delete(key);
      this.#heard.delete(key);
    }
  }

  /** How often an open call reported: more than never means that the server is at work. */
  reports(key: string): number {
    return this.#heard.get(key) ?? 0;
  }

  cancel(key: string): void {
    this.#open.get(key)?.abort("The agent changed its mind.");
  }

  #client(server: string): Promise<AgentClient> {
    const known = this.#clients.get(server);
    if (known !== undefined) return known;
    const made = connectClient(server, this.#sdk);
    this.#clients.set(server, made);
    made.catch(() => this.#clients.delete(server));
    return made;
  }
}

interface ToolResult {
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, Ending["refusal"]>>;
}

function textOf(result: ToolResult): string {
  return (result.content ?? []).map((part) => part.text ?? `(${part.type})`).join("\n");
}
