/**
 * A server's output as lines: one JSON-RPC message each, as the stdio transport has it. Real servers also print banners and
 * logs there; a line that is no JSON object or array is counted and skipped, and one that cannot become JSON is not even
 * kept. What is kept is bounded, and put together once.
 *
 * @see MCP 2025-11-25 · Transports · stdio, "MUST NOT write anything to its stdout that is not a valid MCP message"
 */

export interface LineEvents {
  readonly frame: (text: string) => void;
  /** A line that is no message: its beginning. */
  readonly noise: (sample: string) => void;
  /** A line that might be a message and is over the limit. Nothing is reported after it. */
  readonly tooLarge: () => void;
}

export interface LineReader {
  push(bytes: Buffer): void;
  /** The output ended: what came after the last line end is a line too. */
  end(): void;
}

export function createLineReader(events: LineEvents, limit: number): LineReader {
  let held: Buffer[] = [];
  let have = 0;
  /** Whether the line at hand is only being skipped; undefined while its beginning is too short to tell. */
  let skipping: boolean | undefined;
  let dead = false;
  return {
    push(bytes) {
      let from = 0;
      while (!dead && from < bytes.length) {
        const end = bytes.indexOf(LINE_END, from);
        keep(bytes.subarray(from, end < 0 ? bytes.length : end));
        if (end < 0) return;
        finish();
        from = end + 1;
      }
    },
    end() {
      if (!dead) finish();
    },
  };

  function keep(bytes: Buffer): void {
    if (bytes.length === 0 || dead) return;
    if (skipping) return;
    held.push(bytes);
    have += bytes.length;
    if (skipping === undefined && have > SURELY) {
      const beginning = Buffer.concat(held, Math.min(SAMPLE, have));
      skipping = !mayBeJson(beginning);
      if (skipping) held = [beginning];
    }
    if (skipping) return;
    if (have > limit) {
      held = [];
      dead = true;
      events.tooLarge();
    }
  }

  function finish(): void {
    const line = held.length === 1 ? (held[0] ?? EMPTY) : Buffer.concat(held);
    const skipped = skipping === true;
    held = [];
    have = 0;
    skipping = undefined;
    if (line.length === 0 || /^\s*$/.test(line.toString("latin1", 0, Math.min(line.length, SURELY)))) return;
    const text = skipped ? undefined : messageText(line);
    if (text === undefined) events.noise(sampleOf(line));
    else events.frame(text);
  }
}

const LINE_END = 0x0a;
const EMPTY = Buffer.alloc(0);
/** After so many bytes it is sure whether a line begins like a message. */
const SURELY = 64;
const SAMPLE = 200;
/** Lines up to this length are parsed here; the gateway's codec reads every frame whole anyway. */
const PARSED_BYTES = 64 * 1024;

function messageText(line: Buffer): string | undefined {
  if (!mayBeJson(line)) return undefined;
  const text = utf8(line)?.trim();
  if (text === undefined || !/[}\]]$/.test(text.slice(-1))) return undefined;
  return text.length <= PARSED_BYTES && !isJson(text) ? undefined : text;
}

/** `[` alone also begins a log line such as `[info]`, so a list must go on with an object or end. */
function mayBeJson(line: Buffer): boolean {
  return /^\s*(?:\{|\[\s*(?:[{\]]|$))/.test(line.toString("latin1", 0, Math.min(line.length, SURELY)));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function utf8(line: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(line);
  } catch {
    return undefined;
  }
}

function sampleOf(line: Buffer): string {
  return line.subarray(0, SAMPLE).toString("utf8").trim();
}
