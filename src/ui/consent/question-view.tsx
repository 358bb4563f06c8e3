/** A server's question, as a form or as a page. Loaded when the first one is there: no other window needs its parts. */
import type { JSX } from "preact";
import type { QuestionApproval } from "../../core/consent/approval.ts";
import type { AnswerProblem } from "../../core/elicit/answer.ts";
import { FormWindow } from "./form-window.tsx";
import type { FrameProps } from "./frame.tsx";
import { PageWindow } from "./page-window.tsx";

export interface QuestionViewProps {
  readonly approval: QuestionApproval;
  readonly frame: FrameProps;
  /** What the worker found at fault with the answer that was sent. */
  readonly refused: readonly AnswerProblem[];
  /** Opens the page once more. */
  readonly onAgain: () => void;
}

export function QuestionView({ approval, frame, refused, onAgain }: QuestionViewProps): JSX.Element {
  const { ask } = approval;
  if (ask.mode === "form") return <FormWindow approval={approval} ask={ask} frame={frame} refused={refused} />;
  return <PageWindow approval={approval} ask={ask} frame={frame} onAgain={onAgain} />;
}
