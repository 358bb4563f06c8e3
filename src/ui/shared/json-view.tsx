/** A message as evidence keeps it: JSON laid out on lines, on paper, with what cannot be seen made visible. */
import type { JSX } from "preact";
import { type JsonLine, jsonLines, looksLikeJson, type Token, type TokenKind } from "./json-lines.ts";
import { reveal } from "./reveal.ts";
import { pieceNode, Slip } from "./said.tsx";

export function JsonView({ text }: { readonly text: string }): JSX.Element {
  if (!looksLikeJson(text)) return <Slip text={text} />;
  return (
    <div class="slip json" dir="ltr">
      {jsonLines(text).map((line, index) => (
        <Line key={index} line={line} />
      ))}
    </div>
  );
}

function Line({ line }: { readonly line: JsonLine }): JSX.Element {
  return (
    <div class="json-line" style={{ "--depth": line.depth }}>
      {line.tokens.map((token, index) => (
        <TokenText key={index} token={token} />
      ))}
    </div>
  );
}

function TokenText({ token }: { readonly token: Token }): JSX.Element {
  return <span class={CLASSES[token.kind]}>{reveal(token.text).map(pieceNode)}</span>;
}

const CLASSES: Readonly<Record<TokenKind, string>> = {
  key: "j-k",
  string: "j-s",
  number: "j-n",
  word: "j-l",
  mark: "j-p",
};
