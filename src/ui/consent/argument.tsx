/** One argument in full: its name and value on paper, in our words what kind it is and what in it cannot be seen. */
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { ArgumentOrigin } from "../../core/consent/approval.ts";
import type { JsonMember } from "../shared/json-text.ts";
import { reveal } from "../shared/reveal.ts";
import { Said, Slip } from "../shared/said.tsx";
import { t, tn } from "../shared/text.ts";
import { ArgumentFrom } from "./argument-from.tsx";
import { UnseenNote } from "./unseen-note.tsx";

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
  const pieces = useMemo(() => reveal(member.shown), [member.shown]);
  const both = useMemo(() => [...reveal(member.name), ...pieces], [member.name, pieces]);
  return (
    <div class="arg">
      <header>
        {member.name !== "" &&
          (member.name.length > LONG_NAME ? <Slip text={member.name} /> : <Said text={member.name} />)}
        <span class="meta">{kindWords(member)}</span>
      </header>
      <Slip text={member.shown} pieces={pieces} lines={member.kind === "text" ? "theirs" : "ours"} />
      <UnseenNote pieces={both} />
      <ArgumentFrom origin={origin} anyRead={anyRead} />
      <i class="end-mark" data-part={part} />
    </div>
  );
}

/** Longer ones are shown as a text is. */
const LONG_NAME = 300;

function kindWords({ kind, size }: JsonMember): string {
  return size === undefined ? t(`consent_kind_${kind.replace("-", "_")}`) : tn(`consent_kind_${kind}`, size);
}
