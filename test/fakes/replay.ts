/**
 * A recorded server: answers each request of its transcript with the very bytes that the real one answered, under the id
 * that it is asked with. Its notifications and its lines that are no messages come where they came.
 */

interface Row {
  readonly k: "meta" | "c2s" | "s2c" | "stderr" | "exit";
  readonly raw?: string;
  readonly nonjson?: boolean;
  readonly code?: number | null;
}

interface Frame {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly [member: string]: unknown };
}

/** One request of the transcript with its answer, both as they were written. */
export interface Exchange {
  readonly frame: Required<Pick<Frame, "method">> & Frame;
  readonly answer: string;
}

export interface Transcript {
  readonly exchanges: readonly Exchange[];
  /** How it ended by itself, where it never answered, with what it wrote beside. */
  readonly death?: { readonly code: number; readonly stderr: string };
  /** The lines to write for one that was read. */
  answer(line: string): readonly string[];
}

export function readTranscript(text: string): Transcript {
  const rows = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);
  const answers = new Map<string, string>();
  for (const { k, raw = "", nonjson } of rows) {
    const frame = k === "s2c" && !nonjson ? parsed(raw) : undefined;
    if (frame?.method === undefined && frame?.id !== undefined) answers.set(JSON.stringify(frame.id), raw);
  }
  const exchanges = rows.flatMap(({ k, raw = "" }): Exchange[] => {
    const frame = k === "c2s" ? parsed(raw) : undefined;
    const answer = answers.get(JSON.stringify(frame?.id));
    return frame?.method === undefined || answer === undefined
      ? []
      : [{ frame: { ...frame, method: frame.method }, answer }];
  });
  const noise = rows.flatMap(({ k, raw = "", nonjson }) => (k === "s2c" && nonjson ? [raw] : []));
  const said = new Set<Exchange>();

  const exit = rows.find(({ k }) => k === "exit");
  const stderr = rows.flatMap(({ k, raw = "" }) => (k === "stderr" ? [raw] : [])).join("");

  return {
    exchanges,
    ...(exchanges.length === 0 && exit ? { death: { code: exit.code ?? 1, stderr } } : {}),
    answer(line) {
      const asked = parsed(line);
      if (asked?.id === undefined || asked.method === undefined) return [];
      const same = exchanges.filter(({ frame }) => matches(frame, asked));
      const found = same.find((one) => !said.has(one)) ?? same.at(-1);
      if (!found) return [`{"jsonrpc":"2.0","id":${JSON.stringify(asked.id)},"error":{"code":-32601,"message":"no"}}`];
      said.add(found);
      return [...noise.splice(0), withId(found.answer, JSON.stringify(asked.id))];
    },
  };
}

/** What answers `initialize` depends on who asks; everything else on what is asked. */
function matches(frame: Frame, asked: Frame): boolean {
  if (frame.method !== asked.method) return false;
  return frame.method === "initialize" || essence(frame) === essence(asked);
}

function essence({ params = {} }: Frame): string {
  const { _meta, ...rest } = params;
  void _meta;
  return JSON.stringify(rest);
}

/** The answer's own bytes with another id; servers write it first or last. */
function withId(answer: string, id: string): string {
  const last = answer.replace(/"id":\s*(?:\d+|"[^"]*")\s*\}$/, () => `"id":${id}}`);
  return last === answer ? answer.replace(/^(\{(?:"jsonrpc":"2\.0",)?"id":)(?:\d+|"[^"]*")/, `$1${id}`) : last;
}

/** Very long lines were cut when they were recorded; those are no messages any more. */
function parsed(raw: string): Frame | undefined {
  try {
    const value: unknown = JSON.parse(raw);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
