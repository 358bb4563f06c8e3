/** Two versions of a tool's definition as one text: what is gone struck through, what is new underlined, on paper. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { type DifferenceLine, difference } from "../../core/pins/difference.ts";
import { reveal } from "./reveal.ts";
import { pieceNode } from "./said.tsx";
import { t, tn } from "./text.ts";
import { type WordRun, wordDifference } from "./word-difference.ts";

interface DefinitionDifferenceProps {
  /** Canonical forms. */
  readonly before: string;
  readonly after: string;
}

export function DefinitionDifference({ before, after }: DefinitionDifferenceProps): JSX.Element {
  const whole = useSignal(false);
  const lines = difference(before, after);
  const near = lines.map((_, index) => nearChange(lines, index));
  const hidden = near.filter((one) => !one).length;
  return (
    <div class="diff">
      <div class="slip" dir="ltr">
        {pairs(lines, (index) => whole.value || near[index] === true).map((runs, index) => (
          <div key={index} class="diff-line" data-kind={kindOf(runs)}>
            {runs.map((run, at) => (
              <Run key={at} run={run} />
            ))}
          </div>
        ))}
      </div>
      {hidden > 0 && (
        <button
          type="button"
          class="btn btn-quiet btn-s"
          onClick={() => {
            whole.value = !whole.value;
          }}
        >
          {whole.value ? t("record_only_changes") : tn("record_same_lines", hidden)}
        </button>
      )}
    </div>
  );
}

function Run({ run }: { readonly run: WordRun }): JSX.Element {
  if (run.kind === "same") return <span>{reveal(run.text).map(pieceNode)}</span>;
  // The indentation is ours and was not changed by anybody.
  const indent = /^ */.exec(run.text)?.[0] ?? "";
  const nodes = reveal(run.text.slice(indent.length)).map(pieceNode);
  return (
    <span>
      {indent}
      {run.kind === "add" ? <ins>{nodes}</ins> : <del>{nodes}</del>}
    </span>
  );
}

/** One line of runs for each line; a line that was replaced by another one shares its line with it. */
function pairs(lines: readonly DifferenceLine[], shown: (index: number) => boolean): readonly (readonly WordRun[])[] {
  const out: (readonly WordRun[])[] = [];
  for (let at = 0; at < lines.length; ) {
    const dels = runLength(lines, at, "del");
    const adds = runLength(lines, at + dels, "add");
    if (dels === 0 && adds === 0) {
      const line = lines[at];
      if (line !== undefined && shown(at)) out.push([line]);
      at += 1;
      continue;
    }
    for (let index = 0; index < Math.max(dels, adds); index++) {
      const old = index < dels ? lines[at + index] : undefined;
      const fresh = index < adds ? lines[at + dels + index] : undefined;
      if (old !== undefined && fresh !== undefined && alike(old.text, fresh.text)) {
        out.push(wordDifference(old.text, fresh.text));
        continue;
      }
      if (old !== undefined) out.push([old]);
      if (fresh !== undefined) out.push([fresh]);
    }
    at += dels + adds;
  }
  return out;
}

function runLength(lines: readonly DifferenceLine[], from: number, kind: DifferenceLine["kind"]): number {
  let length = 0;
  while (lines[from + length]?.kind === kind) length += 1;
  return length;
}

/** The same member: both begin with the same name. */
function alike(a: string, b: string): boolean {
  const name = (line: string) => /^\s*("(?:[^"\\]|\\.)*"\s*:)?/.exec(line)?.[1] ?? "";
  return name(a) === name(b);
}

function nearChange(lines: readonly DifferenceLine[], index: number): boolean {
  return lines.slice(Math.max(0, index - 2), index + 3).some((line) => line.kind !== "same");
}

function kindOf(runs: readonly WordRun[]): string {
  if (runs.every((run) => run.kind === "same")) return "same";
  return runs.every((run) => run.kind === "add") ? "add" : runs.every((run) => run.kind === "del") ? "del" : "both";
}
