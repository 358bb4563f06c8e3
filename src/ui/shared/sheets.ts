/**
 * A long text cut into sheets, each laid out by itself and only where it is near the eye: one flow of a megabyte takes the
 * browser seconds. A sheet ends behind a line end where there is one, else behind a space, so that its end looks as any
 * other wrap does; nothing is drawn there, and a line end of the text's own always is.
 *
 * INVARIANT: the sheets' pieces, joined, are the text; no character is parted.
 */
import type { Piece } from "./reveal.ts";

/** Characters of a sheet, about. */
const SHEET = 2_000;
/** Up to here one flow is quick enough. */
const WHOLE = 4 * SHEET;

export function sheetsOf(pieces: readonly Piece[]): readonly (readonly Piece[])[] {
  if (pieces.reduce((sum, { text }) => sum + text.length, 0) <= WHOLE) return [pieces];
  const sheets: Piece[][] = [];
  let sheet: Piece[] = [];
  let length = 0;
  const add = (piece: Piece): void => {
    sheet.push(piece);
    length += piece.text.length;
    if (length >= SHEET || (piece.kind === "line" && length > SHEET / 2)) end();
  };
  const end = (): void => {
    if (sheet.length > 0) sheets.push(sheet);
    sheet = [];
    length = 0;
  };
  const addPlain = (text: string): void => {
    let from = 0;
    while (text.length - from > SHEET - length) {
      const to = cutAt(text, from, from + SHEET - length);
      add({ kind: "plain", text: text.slice(from, to) });
      end();
      from = to;
    }
    if (from < text.length) add({ kind: "plain", text: text.slice(from) });
  };
  for (const piece of pieces) {
    if (piece.kind === "plain") addPlain(piece.text);
    else add(piece);
  }
  end();
  return sheets;
}

function cutAt(text: string, from: number, furthest: number): number {
  const half = text.slice(from + Math.ceil((furthest - from) / 2), furthest);
  for (const mark of ["\n", " "]) {
    const at = half.lastIndexOf(mark);
    if (at >= 0) return furthest - half.length + at + 1;
  }
  const code = text.charCodeAt(furthest - 1);
  return code >= 0xd800 && code <= 0xdbff ? furthest + 1 : furthest;
}
