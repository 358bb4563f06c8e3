/** What changed inside a line, word by word, so that one added sentence in a long description stands out. */
export interface WordRun {
  readonly kind: "same" | "add" | "del";
  readonly text: string;
}

export function wordDifference(before: string, after: string): readonly WordRun[] {
  const old = words(before);
  const fresh = words(after);
  // Beyond this a line is shown as replaced: the table would grow with the product of both.
  if (old.length * fresh.length > MOST_CELLS) {
    return [
      { kind: "del", text: before },
      { kind: "add", text: after },
    ];
  }
  return joined(walk(old, fresh));
}

const MOST_CELLS = 250_000;

function words(line: string): readonly string[] {
  return line.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
}

function walk(old: readonly string[], fresh: readonly string[]): WordRun[] {
  const width = fresh.length + 1;
  const shared = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number) => shared[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = fresh.length - 1; j >= 0; j--) {
      shared[i * width + j] = old[i] === fresh[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const runs: WordRun[] = [];
  for (let i = 0, j = 0; i < old.length || j < fresh.length; ) {
    const a = old[i];
    const b = fresh[j];
    if (a !== undefined && a === b) {
      runs.push({ kind: "same", text: a });
      i++;
      j++;
    } else if (a !== undefined && (b === undefined || at(i + 1, j) >= at(i, j + 1))) {
      runs.push({ kind: "del", text: a });
      i++;
    } else if (b !== undefined) {
      runs.push({ kind: "add", text: b });
      j++;
    }
  }
  return runs;
}

/** Neighbours of one kind become one; a single space between two changes belongs to them. */
function joined(runs: readonly WordRun[]): readonly WordRun[] {
  const out: WordRun[] = [];
  let del = "";
  let add = "";
  const flush = () => {
    if (del !== "") out.push({ kind: "del", text: del });
    if (add !== "") out.push({ kind: "add", text: add });
    del = "";
    add = "";
  };
  runs.forEach((run, index) => {
    const bridges = run.kind === "same" && run.text.trim() === "" && runs[index + 1]?.kind !== "same";
    if (run.kind === "del") del += run.text;
    else if (run.kind === "add") add += run.text;
    else if (bridges && del !== "" && add !== "" && index + 1 < runs.length) {
      del += run.text;
      add += run.text;
    } else {
      flush();
      const last = out.at(-1);
      if (last?.kind === "same") out[out.length - 1] = { kind: "same", text: last.text + run.text };
      else out.push(run);
    }
  });
  flush();
  return out;
}
