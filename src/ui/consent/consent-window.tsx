/** One approval from first sight to its end: loading, shown, changed while looking, answered, over. */
import type { ComponentType, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { alikeSite } from "../../core/consent/alike-sites.ts";
import type { Approval, QuestionAsk } from "../../core/consent/approval.ts";
import type { AnswerProblem } from "../../core/elicit/answer.ts";
import { SERVER_METHODS } from "../../core/mcp/methods.ts";
import type { ControlClient } from "../../platform/door.ts";
import { closeThisPage } from "../../platform/pages.ts";
import { useData } from "../shared/ask.ts";
import { BackWindow } from "./back-window.tsx";
import { CallWindow } from "./call-window.tsx";
import { ConnectWindow } from "./connect-window.tsx";
import { Ending, type Outcome, Waking } from "./ending.tsx";
import type { Given } from "./frame.tsx";
import type { QuestionViewProps } from "./question-view.tsx";
import { ReplyWindow } from "./reply-window.tsx";
import { answerOf, contentOf } from "./shown.ts";

interface Props {
  readonly client: ControlClient;
  readonly id: string;
}

export function ConsentWindow({ client, id }: Props): JSX.Element {
  const { data, status, problem, reload } = useData(client, "approval.read", { id }, ["approvals"]);
  const [outcome, setOutcome] = useState<Outcome>();
  const [shown, setShown] = useState<{ readonly first: string; readonly changed: boolean }>();
  const [failure, setFailure] = useState<string>();
  const [refused, setRefused] = useState<readonly AnswerProblem[]>([]);
  const sending = useRef(false);
  const last = useRef<Approval | undefined>(undefined);
  const Question = useQuestionView(data?.approval?.kind === "question");

  if (outcome) return <Ending outcome={outcome} waiting={Math.max(0, (data?.waiting ?? 0) - 1)} />;
  if (!data)
    return status === "failed" ? <Ending outcome="gone" waiting={0} /> : <Waking silent={status === "silent"} />;
  const { approval } = data;
  if (!approval) {
    // An opened page takes the place of the question for it; for a moment neither is there.
    if (sending.current) return <Waking silent={false} />;
    return <Ending outcome={isOpened(last.current) ? "finished" : "gone"} waiting={data.waiting} />;
  }
  last.current = approval;

  const { alike, pinned, known } = data;
  const twin = alikeSite(approval.principal, known);
  const now = { approval, alike, pinned, twin };
  const content = contentOf(now);
  if (!shown) setShown({ first: content, changed: false });
  const changed = approval.kind !== "question" && shown !== undefined && (shown.changed || shown.first !== content);

  const answer = async (given: Given): Promise<void> => {
    if (sending.current) return;
    sending.current = true;
    setFailure(undefined);
    try {
      const { state, problems = [] } = await client.call("approval.answer", answerOf(now, given));
      if (state === "unfit") {
        setRefused(problems);
        return;
      }
      if (state === "changed") {
        setShown({ first: content, changed: true });
        reload();
        return;
      }
      if (state === "done" && given.answer === "allow" && isToOpen(approval)) {
        reload();
        return;
      }
      setOutcome(state === "gone" ? "gone" : OUTCOMES[approval.kind][given.answer]);
      if (state === "done") await closeThisPage();
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
      reload();
    } finally {
      sending.current = false;
    }
  };

  const frame = {
    content,
    identical: 1 + alike.length,
    waiting: data.waiting,
    changed,
    twin,
    problem: failure ?? problem,
    answer,
  };
  const key = `${approval.id} ${approval.digest}`;
  if (approval.kind === "reply") return <ReplyWindow key={key} approval={approval} frame={frame} />;
  if (approval.kind === "connect") return <ConnectWindow key={key} approval={approval} frame={frame} />;
  if (approval.kind === "call") {
    return SERVER_METHODS.has(approval.method) ? (
      <BackWindow key={key} approval={approval} frame={frame} />
    ) : (
      <CallWindow key={key} approval={approval} pinned={pinned ?? approval.pinText} frame={frame} />
    );
  }
  if (!Question) return <Waking silent={false} />;
  const again = (): void => {
    client.call("page.open", { id }).catch((error: unknown) => {
      setFailure(error instanceof Error ? error.message : String(error));
    });
  };
  return <Question key={key} approval={approval} frame={frame} refused={refused} onAgain={again} />;
}

function useQuestionView(needed: boolean): ComponentType<QuestionViewProps> | undefined {
  const [view, setView] = useState<{ readonly view: ComponentType<QuestionViewProps> }>();
  useEffect(() => {
    if (needed && !view) void import("./question-view.tsx").then(({ QuestionView }) => setView({ view: QuestionView }));
  }, [needed, view]);
  return view?.view;
}

const OUTCOMES: Readonly<Record<Approval["kind"], Readonly<Record<Given["answer"], Outcome>>>> = {
  call: { allow: "allowed", deny: "denied" },
  connect: { allow: "allowed", deny: "denied" },
  reply: { allow: "allowed", deny: "denied" },
  question: { allow: "answered", deny: "declined" },
};

function pageOf(approval: Approval | undefined): Extract<QuestionAsk, { mode: "url" }> | undefined {
  return approval?.kind === "question" && approval.ask.mode === "url" ? approval.ask : undefined;
}

function isToOpen(approval: Approval): boolean {
  return pageOf(approval)?.step === "open";
}

function isOpened(approval: Approval | undefined): boolean {
  return pageOf(approval)?.step === "after";
}
