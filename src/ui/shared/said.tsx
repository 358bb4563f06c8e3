/**
 * Paper: whatever a site, an agent or a server wrote. `Said` stands inside a sentence of ours, `Slip` is a block with the
 * whole value. Nothing on paper is ever cut, linked, made bold or read as markup; direction is isolated.
 */
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { type Piece, reveal } from "./reveal.ts";
import { sheetsOf } from "./sheets.ts";
import { t } from "./text.ts";

interface PaperProps {
  readonly text: string;
}

export function Said({ text }: PaperProps): JSX.Element {
  return (
    <bdi class="said">{text === "" ? <i class="ws">{t("shared_empty_text")}</i> : reveal(text).map(pieceNode)}</bdi>
  );
}

interface SlipProps extends PaperProps {
  /** The text's pieces, where they are known already. */
  readonly pieces?: readonly Piece[];
  /** Whose line ends are in the text: `theirs` are drawn, `ours` come from laying the value out and are not. */
  readonly lines?: "theirs" | "ours";
}

/** Above so many pieces the names are written into the text: a value made to be slow to draw is read all the same. */
const MOST_DRAWN = 4_000;

export function Slip({ text, pieces, lines = "theirs" }: SlipProps): JSX.Element {
  const sheets = useMemo(() => {
    const all = pieces ?? reveal(text);
    return sheetsOf(all.length > MOST_DRAWN ? [{ kind: "plain", text: writtenOut(all, lines) }] : all);
  }, [text, pieces, lines]);
  return (
    <div class="slip">
      {text === "" && <i class="ws">{t("shared_empty_text")}</i>}
      {sheets.length === 1 && sheets[0] && drawn(sheets[0], lines)}
      {sheets.length > 1 &&
        sheets.map((sheet, key) => (
          <div key={key} class="sheet">
            {drawn(sheet, lines)}
          </div>
        ))}
    </div>
  );
}

/** As text alone, where no node can stand: what cannot be seen is named in brackets. */
export function spelledOut(text: string): string {
  return reveal(text).map(written).join("");
}

function drawn(pieces: readonly Piece[], lines: SlipProps["lines"]) {
  return pieces.map((piece, key) => (lines === "ours" && piece.kind === "line" ? piece.text : pieceNode(piece, key)));
}

function writtenOut(pieces: readonly Piece[], lines: SlipProps["lines"]): string {
  return pieces.map((piece) => (lines === "theirs" && piece.kind === "line" ? "⏎\n" : written(piece))).join("");
}

function written(piece: Piece): string {
  if (piece.kind === "hidden") return `[${piece.count > 1 ? `${piece.name} ×${piece.count}` : piece.name}]`;
  return piece.kind === "twin" ? `[${piece.text} ${piece.code}]` : piece.text;
}

export function pieceNode(piece: Piece, key: number): JSX.Element | string {
  switch (piece.kind) {
    case "plain":
      return piece.text;
    case "line":
      return (
        <span key={key}>
          <span class="ws" title={t("shared_line_end")}>
            ⏎
          </span>
          {"\n"}
        </span>
      );
    case "tab":
      return (
        <span key={key} class="ws" title={t("shared_tab")}>
          ⇥{"\t"}
        </span>
      );
    case "twin":
      return (
        <span key={key} class="inv inv-look" title={t("shared_twin", piece.script, piece.code)}>
          {piece.text}
        </span>
      );
    case "hidden":
      return (
        <span key={key} class="inv" title={piece.code}>
          {piece.count > 1 ? `${piece.name} ×${piece.count}` : piece.name}
        </span>
      );
  }
}
