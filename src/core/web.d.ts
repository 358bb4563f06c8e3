/**
 * The only platform names `core` may use: what both a service worker and Node have. There are no timers, no clock, no
 * storage and no network here on purpose; those arrive through `ports.ts`. Adding a name is a reviewed act.
 */

interface AbortSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: "abort", listener: () => void, options?: { once?: boolean; signal?: AbortSignal }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}
declare const AbortSignal: { any(signals: AbortSignal[]): AbortSignal };

interface AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}
declare const AbortController: new () => AbortController;

interface URL {
  readonly href: string;
  readonly origin: string;
  readonly protocol: string;
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
  readonly username: string;
  readonly password: string;
}
declare const URL: { new (url: string, base?: string): URL; canParse(url: string, base?: string): boolean };

interface TextEncoder {
  encode(text: string): Uint8Array;
}
declare const TextEncoder: new () => TextEncoder;

interface TextDecoder {
  decode(bytes?: Uint8Array, options?: { stream?: boolean }): string;
}
declare const TextDecoder: new (label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean }) => TextDecoder;

interface ReadableStreamReader {
  read(): Promise<{ done: false; value: Uint8Array } | { done: true; value?: undefined }>;
  cancel(reason?: unknown): Promise<void>;
}
interface ReadableStream {
  getReader(): ReadableStreamReader;
  cancel(reason?: unknown): Promise<void>;
}

interface Headers {
  get(name: string): string | null;
}

interface Response {
  readonly status: number;
  readonly ok: boolean;
  readonly type: string;
  readonly url: string;
  readonly redirected: boolean;
  readonly headers: Headers;
  readonly body: ReadableStream | null;
}
