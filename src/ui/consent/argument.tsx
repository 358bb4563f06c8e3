/** One argument in full: its name and value on paper, in our words what kind it is and what in it cannot be seen. */
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { ArgumentOrigin } from "../../core/consent/approval.ts";
import { Icon } from "../shared/icon.tsx";
import type { JsonMember } from "../shared/json-text.ts";
import { hiddenCount, type Piece, reveal, spelled } from "../shared/reveal.ts";
import { Said, Slip } from "../shared/said.tsx";
import { t, tn, tx } from "../shared/text.ts";
import { ArgumentFrom } from "./argument-from.tsx";

interface Props {
  readonly member: JsonMember;
  /** Its place among the parts that must have been seen. */
  readonly part: number;
  /** The answers its value stood in; none where it matched nothing. */
  readonly origin: ArgumentOrigin | undefined;
  /** Whether the session has read anything that it might come from all the same. */
  readonly anyRead: boolean;
}

export function Argument({ member, part, origin, anyRead }: Props): JSX.Element {
  const { pieces, hidden, twins, words } = useMemo(() => findings(member), [member]);
  return (
    <div class="arg">
      <header>
        {member.name !== "" &&
          (member.name.length > LONG_NAME ? <Slip text={member.name} /> : <Said text={member.name} />)}
        <span class="meta">{kindWords(member)}</span>
      </header>
      <Slip text={member.shown} pieces={pieces} lines={member.kind === "text" ? "theirs" : "ours"} />
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
      <ArgumentFrom origin={origin} anyRead={anyRead} />
      <i class="end-mark" data-part={part} />
    </div>
  );
}

/** Longer ones are shown as a text is. */
const LONG_NAME = 300;

interface Findings {
  readonly pieces: readonly Piece[];
  readonly hidden: number;
  readonly twins: number;
  readonly words: string;
}

function findings({ name, shown }: JsonMember): Findings {
  const pieces = reveal(shown);
  const inName = reveal(name);
  const hidden = hiddenCount(pieces) + hiddenCount(inName);
  const twins = [pieces, inName].flatMap((of) => of.filter(({ kind }) => kind === "twin")).length;
  return { pieces, hidden, twins, words: spelled(name) + spelled(shown) };
}

function kindWords({ kind, size }: JsonMember): string {
  return size === undefined ? t(`consent_kind_${kind.replace("-", "_")}`) : tn(`consent_kind_${kind}`, size);
}
