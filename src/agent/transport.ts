/**
 * For authors of agent pages: find navra, ask which servers this site may use, and carry MCP to one of them. The transport
 * fits the official clients v1 and v2 alike and imports neither. It is one bidirectional channel with the rules of stdio:
 * no headers, cancellation by `notifications/cancelled`, ids as the client chose them. JSON is written and read here;
 * everything after carries text.
 *
 * The browser stops navra's worker when it likes. Where requests are open the channel is resumed at once, and navra
 * answers them: `not-sent` (safe to try again) or `unknown` (it may have happened). Where none is open the next send
 * resumes it, or the document's coming back into sight; what is subscribed to is resumed at once while the document is in
 * sight, and when it comes back. A frame that certainly reached nobody is sent once more, and so is a subscription that the
 * worker took with it, which changes nothing anywhere; any other never is.
 *
 * @see MCP 2026-07-28 · Base protocol · Transports · Custom transports
 */
import {
  ANNOUNCE_EVENT,
  DIRECTORY_METHODS,
  EVERY_SERVER,
  MAX_FRAME_UNITS,
  type Provider,
  type ProviderChannel,
  REQUEST_EVENT,
  RESUMED_NOTIFICATION,
} from "../bridge/handshake.ts";

/**
 * The address of all servers that the site is connected to, as one endpoint: their lists put together, tools and prompts
 * called `server__name`, everything else as the servers have it.
 */
export const ALL_SERVERS = EVERY_SERVER;

export interface FindOptions {
  /** How long to go on asking, for a frame whose scripts the browser has not set up yet. 0, the default, asks once. */
  readonly timeoutMs?: number;
  /** The window that navra answers on, where it is not the global one. */
  readonly window?: EventTarget;
}

export interface NavraTransportOptions {
  /** The server's name as `listServers` gives it, or `ALL_SERVERS`; empty for navra's own directory. */
  readonly server: string;
  /** What `findNavra` found, where the agent has it already. */
  readonly provider?: Provider;
  readonly window?: EventTarget;
}

export interface NavraServer {
  readonly name: string;
}

export interface AskOptions {
  /** Gives up; a connect window that is open stays open for the person. */
  readonly signal?: AbortSignal;
}

/** What navra answered instead of a result: JSON-RPC's code and data, where `data.name` names the fault. */
export class NavraError extends Error {
  override readonly name = "NavraError";
  readonly code: number;
  readonly data: unknown;

  constructor(message: string, code: number, data: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

const ASK_EVERY_MS = 50;
const FIND_MS = 1000;
/** Losses in a row without a frame between them, each soon after the one before, that end a transport. */
const MAX_QUICK_LOSSES = 3;
const QUICK_MS = 5000;
/** UTF-16 code units of a request that is kept until it is answered, in case it has to go once more. */
const KEPT_UNITS = 1024 * 1024;
/** A request that was sent this long before its port was seen to be gone may have died on its way, in milliseconds. */
const MOMENT_MS = 2000;

/** `undefined` where the page has no navra. navra never speaks first: it answers this question synchronously or not at all. */
export async function findNavra(options: FindOptions = {}): Promise<Provider | undefined> {
  const target: EventTarget = options.window ?? globalThis;
  const timeoutMs = options.timeoutMs ?? 0;
  for (let waited = 0; ; waited += ASK_EVERY_MS) {
    const provider = askForProvider(target);
    if (provider || waited >= timeoutMs) return provider;
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  }
}

/** The servers this site is connected to now. */
export function listServers(provider: Provider, options: AskOptions = {}): Promise<readonly NavraServer[]> {
  return askDirectory(provider, { method: DIRECTORY_METHODS.servers, params: {} }, options);
}

/**
 * Asks the person to connect servers: the named ones, or those they choose. Call it from a click or key press; without
 * the person's own act navra refuses. Resolves with the servers that are connected afterwards.
 */
export function connectServers(
  provider: Provider,
  names?: readonly string[],
  options: AskOptions = {},
): Promise<readonly NavraServer[]> {
  const params = names ? { servers: names } : {};
  return askDirectory(provider, { method: DIRECTORY_METHODS.connect, params }, options);
}

type RequestId = string | number;
/** The members of a JSON-RPC message that the transport looks at. */
interface OpenRequest {
  text: string | undefined;
  readonly at: number;
  /** A subscription of 2026-07-28: open for as long as the agent likes. */
  readonly listens: boolean;
  /** The port it went through is gone. */
  lost: boolean;
  /** The resource it subscribes to. */
  readonly subscribes: string | undefined;
}

interface Envelope {
  readonly id?: RequestId;
  readonly method?: string;
  readonly params?: { readonly requestId?: RequestId; readonly uri?: unknown };
  readonly result?: unknown;
  readonly error?: { readonly data?: { readonly unheard?: unknown; readonly name?: unknown } };
}

export class NavraTransport {
  onmessage?: ((message: object) => void) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  /** Stays undefined: a client that finds one skips its handshake. */
  sessionId?: string | undefined;

  readonly #options: NavraTransportOptions;
  /** Open requests, with the text of those that may be sent once more. */
  readonly #open = new Map<RequestId, OpenRequest>();
  /** Resources of the session whose changes the agent wants to hear of. */
  readonly #subscribed = new Set<string>();
  readonly #life = new AbortController();
  #channel: ProviderChannel | undefined;
  #closed = false;
  #lost: string | undefined;
  #sending = false;
  #quickLosses = 0;
  #lostAt = Number.NEGATIVE_INFINITY;

  constructor(options: NavraTransportOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    if (this.#channel) throw new Error("This transport was started before. Make a new one.");
    const {
      server,
      window,
      provider = await findNavra({ timeoutMs: FIND_MS, ...(window && { window }) }),
    } = this.#options;
    if (!provider) throw new Error("navra is not in this page. It needs the extension, and https or localhost.");
    if (this.#closed || this.#channel) throw new Error("This transport was closed or started before. Make a new one.");
    const channel = provider.open(server);
    this.#channel = channel;
    channel.onframe = (frame) => this.#receive(frame);
    channel.onlost = (reason) => this.#lose(reason);
    const page: Partial<EventTarget> = window ?? globalThis;
    page.addEventListener?.("visibilitychange", () => this.#look(), { signal: this.#life.signal });
  }

  async send(message: object, _options?: object): Promise<void> {
    const channel = this.#channel;
    if (!channel || this.#closed) throw new Error("This transport is not open.");
    const text = JSON.stringify(message);
    if (text.length > MAX_FRAME_UNITS) throw new RangeError("The message is larger than navra carries.");
    const forget = this.#note(message, text);
    if (this.#trySend(channel, text) || this.#trySend(channel, text)) return;
    forget();
    throw new Error(this.#lost ?? "navra is not reachable.");
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#open.clear();
    this.#life.abort();
    this.#channel?.close();
    this.onclose?.();
  }

  setProtocolVersion(_version: string): void {
    // Revisions travel inside the messages; there is no header to set.
  }

  /** A loss told while this runs means that the frame did not leave the page. */
  #trySend(channel: ProviderChannel, text: string): boolean {
    this.#sending = true;
    try {
      if (this.#lost !== undefined) {
        this.#lost = undefined;
        channel.resume();
        this.#ask([...this.#open].flatMap(([id, { listens, lost }]) => (listens && lost ? [id] : [])));
      }
      if (this.#lost === undefined) channel.send(text);
      return this.#lost === undefined;
    } finally {
      this.#sending = false;
    }
  }

  /** Keeps track of open requests; the returned function undoes it for a frame that was not sent. */
  #note({ id, method, params }: Envelope, text: string): () => void {
    if (method === "notifications/cancelled" && params?.requestId !== undefined) this.#open.delete(params.requestId);
    if (method === undefined || id === undefined) return () => {};
    const uri = typeof params?.uri === "string" ? params.uri : undefined;
    if (method === "resources/unsubscribe" && uri !== undefined) this.#subscribed.delete(uri);
    this.#open.set(id, {
      text: text.length <= KEPT_UNITS ? text : undefined,
      at: performance.now(),
      listens: method === "subscriptions/listen",
      lost: false,
      subscribes: method === "resources/subscribe" ? uri : undefined,
    });
    return () => this.#open.delete(id);
  }

  #receive(frame: string): void {
    this.#quickLosses = 0;
    let parsed: unknown;
    try {
      parsed = JSON.parse(frame);
    } catch {
      this.onerror?.(new Error("navra delivered a frame that is not JSON."));
      return;
    }
    for (const message of Array.isArray(parsed) ? parsed : [parsed]) {
      if (typeof message !== "object" || message === null) continue;
      if (this.#sentAgain(message)) continue;
      const { id, method, result }: Envelope = message;
      if (method === undefined && id !== undefined) {
        const uri = this.#open.get(id)?.subscribes;
        if (uri !== undefined && result !== undefined) this.#subscribed.add(uri);
        this.#open.delete(id);
      }
      this.onmessage?.(message);
    }
  }

  /**
   * A request that died on its way to the worker reached nobody, so it goes once more, and the agent notices nothing. So does
   * a subscription that died with the worker: the agent would only subscribe again.
   */
  #sentAgain({ id, error }: Envelope): boolean {
    const request = id === undefined ? undefined : this.#open.get(id);
    if (request?.text === undefined || error === undefined) return false;
    const { text, listens, lost } = request;
    if (listens) {
      if (!lost || !DIED.has(error.data?.name)) return false;
      request.lost = false;
    } else {
      // Only what was sent in the moment the port went: anything older had the time to arrive.
      if (error.data?.unheard !== true || this.#lostAt - request.at > MOMENT_MS) return false;
      request.text = undefined;
    }
    if (this.#lost === undefined) this.#channel?.send(text);
    return true;
  }

  #lose(reason: string): void {
    if (this.#closed) return;
    this.#lost = reason;
    const open = [...this.#open.values()];
    for (const request of open) request.lost = true;
    const hears = inSight() && (this.#subscribed.size > 0 || open.length > 0);
    if (this.#sending || !(hears || open.some(({ listens }) => !listens))) return;
    const now = performance.now();
    this.#quickLosses = now - this.#lostAt < QUICK_MS ? this.#quickLosses + 1 : 1;
    this.#lostAt = now;
    if (this.#quickLosses > MAX_QUICK_LOSSES) {
      this.onerror?.(new Error(reason));
      void this.close();
      return;
    }
    this.#lost = undefined;
    this.#channel?.resume();
    this.#ask([...this.#open.keys()]);
  }

  /** Who looks at the page again hears again what its servers say. */
  #look(): void {
    if (this.#lost === undefined || this.#sending || !inSight()) return;
    this.#lost = undefined;
    this.#channel?.resume();
    this.#ask([...this.#open.keys()]);
  }

  /** What was on its way when the worker died may have reached nobody; navra answers whatever it does not know of. */
  #ask(requestIds: readonly RequestId[]): void {
    const params = { requestIds };
    if (requestIds.length > 0 && this.#lost === undefined)
      this.#channel?.send(JSON.stringify({ jsonrpc: "2.0", method: RESUMED_NOTIFICATION, params }));
  }
}

/** What navra says of a request that the worker took with it. */
const DIED: ReadonlySet<unknown> = new Set(["not-sent", "unknown"]);

function inSight(): boolean {
  return (globalThis as { document?: Document }).document?.visibilityState !== "hidden";
}

function askForProvider(target: EventTarget): Provider | undefined {
  let found: Provider | undefined;
  const hear = (event: Event) => {
    const provider = (event as CustomEvent<{ provider?: unknown } | null>).detail?.provider;
    if (!found && isProvider(provider)) found = provider;
  };
  target.addEventListener(ANNOUNCE_EVENT, hear);
  target.dispatchEvent(new Event(REQUEST_EVENT));
  target.removeEventListener(ANNOUNCE_EVENT, hear);
  return found;
}

function isProvider(value: unknown): value is Provider {
  const provider = value as Partial<Provider> | null | undefined;
  return provider?.name === "navra" && provider.version === 1 && typeof provider.open === "function";
}

/** One question on a channel of its own. It outlives a stopped worker like any other request. */
async function askDirectory(
  provider: Provider,
  question: { readonly method: string; readonly params: object },
  { signal }: AskOptions,
): Promise<readonly NavraServer[]> {
  signal?.throwIfAborted();
  const transport = new NavraTransport({ server: "", provider });
  const reply = new Promise<object>((resolve, reject) => {
    transport.onmessage = (message) => {
      if ((message as Envelope).id === 1) resolve(message);
    };
    transport.onerror = reject;
    transport.onclose = () => reject(new Error("navra closed the connection. Try again."));
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  // An unsent question rejects `reply` through `close` as well; the caller hears of it from `send`.
  reply.catch(() => {});
  try {
    await transport.start();
    await transport.send({ jsonrpc: "2.0", id: 1, ...question });
    return readServers(await reply);
  } finally {
    await transport.close();
  }
}

function readServers(reply: {
  readonly result?: { readonly servers?: unknown };
  readonly error?: { readonly message?: unknown; readonly code?: unknown; readonly data?: unknown };
}): readonly NavraServer[] {
  const { error, result } = reply;
  if (error) throw new NavraError(String(error.message), Number(error.code), error.data);
  if (!Array.isArray(result?.servers)) throw new Error("navra gave an answer that this version does not know.");
  return result.servers as readonly NavraServer[];
}
