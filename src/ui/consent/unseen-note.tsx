/** Under a text of theirs, in our words: how much of it cannot be seen or only looks alike, and what tag characters spell. */
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { Icon } from "../shared/icon.tsx";
import { hiddenCount, type Piece, spelled } from "../shared/reveal.ts";
import { Said } from "../shared/said.tsx";
import { tn, tx } from "../shared/text.ts";

export function UnseenNote({ pieces }: { readonly pieces: readonly Piece[] }): JSX.Element {
  const { hidden, twins, words } = useMemo(() => findings(pieces), [pieces]);
  return (
    <>
      {hidden > 0 && (
        <p class="note">
          <Icon name="hiddenchar" />
          <span>
            {tn("consent_hidden", hidden)} {words !== "" && tx("consent_spells", <Said text={words} />)}
          </span>
        </p>
      )}
      {twins > 0 && (
        <p class="note hot">
          <Icon name="twin" />
          <span>{tn("consent_twins", twins)}</span>
        </p>
      )}
    </>
  );
}

function findings(pieces: readonly Piece[]) {
  return {
    hidden: hiddenCount(pieces),
    twins: pieces.filter(({ kind }) => kind === "twin").length,
    words: pieces.map(({ text }) => spelled(text)).join(""),
  };
}
