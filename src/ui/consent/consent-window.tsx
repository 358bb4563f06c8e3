/** One approval from first sight to its end: loading, shown, changed while looking, answered, over. */
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import type { ControlClient } from "../../platform/door.ts";
import { closeThisPage } from "../../platform/pages.ts";
import { useData } from "../shared/ask.ts";
import { CallWindow } from "./call-window.tsx";
import { ConnectWindow } from "./connect-window.tsx";
import { Ending, Waking } from "./ending.tsx";
import type { Given } from "./frame.tsx";
import { ReplyWindow } from "./reply-window.tsx";
import { answerOf, contentOf } from "./shown.ts";

interface Props {
  readonly client: ControlClient;
  readonly id: string;
}

type Outcome = "allowed" | "denied" | "gone";

export function ConsentWindow({ client, id }: Props): JSX.Element {
  const { data, status, problem, reload } = useData(client, "approval.read", { id }, ["approvals"]);
  const [outcome, setOutcome] = useState<Outcome>();
  const [shown, setShown] = useState<{ readonly first: string; readonly changed: boolean }>();
  const [failure, setFailure] = useState<string>();
  const sending = useRef(false);

  if (outcome) return <Ending outcome={outcome} waiting={Math.max(0, (data?.waiting ?? 0) - 1)} />;
  if (!data)
    return status === "failed" ? <Ending outcome="gone" waiting={0} /> : <Waking silent={status === "silent"} />;
  const { approval } = data;
  if (!approval) return <Ending outcome="gone" waiting={data.waiting} />;

  const { alike, pinned } = data;
  const now = { approval, alike, pinned };
  const content = contentOf(now);
  if (!shown) setShown({ first: content, changed: false });
  const changed = shown !== undefined && (shown.changed || shown.first !== content);

  const answer = async (given: Given): Promise<void> => {
    if (sending.current) return;
    sending.current = true;
    setFailure(undefined);
    try {
      const { state } = await client.call("approval.answer", answerOf(now, given));
      if (state === "changed") {
        setShown({ first: content, changed: true });
        reload();
        return;
      }
      setOutcome(state === "gone" ? "gone" : given.answer === "allow" ? "allowed" : "denied");
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
    problem: failure ?? problem,
    answer,
  };
  if (approval.kind === "reply")
    return <ReplyWindow key={`${approval.id} ${approval.digest}`} approval={approval} frame={frame} />;
  return approval.kind === "call" ? (
    <CallWindow
      key={`${approval.id} ${approval.digest}`}
      approval={approval}
      pinned={pinned ?? approval.pinText}
      frame={frame}
    />
  ) : (
    <ConnectWindow key={`${approval.id} ${approval.digest}`} approval={approval} frame={frame} />
  );
}
