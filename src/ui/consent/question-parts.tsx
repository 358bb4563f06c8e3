/** What every question of a server has: who asks whom, its own text on paper, and the way to give no answer. */
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { QuestionApproval } from "../../core/consent/approval.ts";
import { reveal } from "../shared/reveal.ts";
import { Said, Slip } from "../shared/said.tsx";
import { siteName } from "../shared/site.tsx";
import { t, tx } from "../shared/text.ts";
import { AsksCrossing } from "./asks-crossing.tsx";
import type { Given } from "./frame.tsx";
import { UnseenNote } from "./unseen-note.tsx";

export function QuestionCrossing({ approval }: { readonly approval: QuestionApproval }): JSX.Element {
  const { principal, serverName, tool } = approval;
  const site = <bdi title={principal.origin}>{siteName(principal.origin)}</bdi>;
  return (
    <AsksCrossing
      server={serverName}
      during={tool === "" ? t("consent_question_unasked") : tx("consent_question_during", <Said text={tool} />)}
      asked={t("consent_question_you")}
      note={tx("consent_question_for", site)}
    />
  );
}

/** The server's text; its end is a part that must have been seen. */
export function ServerWords({ approval, part }: { readonly approval: QuestionApproval; readonly part: number }) {
  const { message, serverName } = approval;
  const pieces = useMemo(() => reveal(message), [message]);
  return (
    <>
      <span class="by">{tx("consent_question_wrote", <bdi>{serverName}</bdi>)}</span>
      <Slip text={message} pieces={pieces} />
      <UnseenNote pieces={pieces} />
      <i class="end-mark" data-part={part} />
    </>
  );
}

export const NOT_NOW: Given = { answer: "deny", scope: "once", reply: { cancel: true } };

export function MiddleButton({
  label,
  onPress,
}: {
  readonly label: string;
  readonly onPress: () => void;
}): JSX.Element {
  return (
    <button
      type="button"
      class="btn btn-l btn-bare"
      onKeyDown={(event) => event.repeat && event.key !== "Tab" && event.preventDefault()}
      onClick={onPress}
    >
      {label}
    </button>
  );
}
