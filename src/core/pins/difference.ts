/**
 * What changed between two definitions, line by line, for a person to judge. The canonical forms are laid out at the
 * level of tokens, so that a number is shown as it was written, and a line break inside a description starts a new line.
 */

export interface DifferenceLine {
  readonly kind: "same" | "add" | "del";
  readonly text: string;
}

export function difference(before: string, after: string): readonly DifferenceLine[] {
  const old = layOut(before);
  const fresh = layOut(after);
  const head = commonStart(old, fresh);
  const tail = commonStart(old.slice(head).reverse(), fresh.slice(head).reverse());
  return [
    ...lines("same", old.slice(0, head)),
    ...middle(old.slice(head, old.length - tail), fresh.slice(head, fresh.length - tail)),
    ...lines("same", old.slice(old.length - tail)),
  ];
}

/** Cells of the table below; with more the middle is shown as replaced altogether. */
const MOST_CELLS = 1_000_000;

function lines(kind: DifferenceLine["kind"], texts: readonly string[]): DifferenceLine[] {
  return texts.map((text) => ({ kind, text }));
}

function commonStart(a: readonly string[], b: readonly string[]): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at += 1;
  return at;
}

/** Longest common subsequence: `table` holds, for every pair of rests, how many lines they share. */
function middle(old: readonly string[], fresh: readonly string[]): DifferenceLine[] {
  const width = fresh.length + 1;
  if (old.length * fresh.length > MOST_CELLS) return [...lines("del", old), ...lines("add", fresh)];
  const table = new Uint32Array((old.length + 1) * width);
  const shared = (i: number, j: number): number => table[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = fresh.length - 1; j >= 0; j -= 1) {
      table[i * width + j] =
        old[i] === fresh[j] ? shared(i + 1, j + 1) + 1 : Math.max(shared(i + 1, j), shared(i, j + 1));
    }
  }
  const result: DifferenceLine[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < fresh.length) {
    const before = old[i];
    const after = fresh[j];
    if (before !== undefined && before === after) {
      result.push({ kind: "same", text: before });
      i += 1;
      j += 1;
    } else if (before !== undefined && (after === undefined || shared(i + 1, j) >= shared(i, j + 1))) {
      result.push({ kind: "del", text: before });
      i += 1;
    } else if (after !== undefined) {
      result.push({ kind: "add", text: after });
      j += 1;
    }
  }
  return result;
}

/** Canonical JSON has no white space of its own; here every member, item and line of a text gets a line. */
function layOut(text: string): string[] {
  const result: string[] = [];
  let line = "";
  let depth = 0;
  const breakLine = (): void => {
    if (line.trim() !== "") result.push(line);
    line = "  ".repeat(depth);
  };
  for (let at = 0; at < text.length; ) {
    const code = text[at] as string;
    if (code === '"') {
      const end = endOfString(text, at);
      const parts = text.slice(at, end).split(/(?<=(?<!\\)(?:\\\\)*\\n)/);
      line += parts[0] ?? "";
      for (const part of parts.slice(1)) {
        breakLine();
        line += `  ${part}`;
      }
      at = end;
      continue;
    }
    at += 1;
    if (code === "{" || code === "[") {
      line += code;
      if (text[at] === "}" || text[at] === "]") continue;
      depth += 1;
      breakLine();
    } else if (code === "}" || code === "]") {
      const empty = text[at - 2] === "{" || text[at - 2] === "[";
      if (!empty) {
        depth -= 1;
        breakLine();
      }
      line += code;
    } else if (code === ",") {
      line += code;
      breakLine();
    } else {
      line += code === ":" ? ": " : code;
    }
  }
  breakLine();
  return result;
}

function endOfString(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}
