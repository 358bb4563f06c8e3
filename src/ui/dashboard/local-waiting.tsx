/** Proposals that wait for a person at a terminal, each with the four words that stand there too. */
import type { JSX } from "preact";
import type { WaitingProposal } from "../../bridge/native.ts";
import type { ControlClient } from "../../platform/door.ts";
import { useAct } from "../shared/act.ts";
import { Command } from "../shared/command.tsx";
import { hostCommand } from "../shared/helper.tsx";
import { Said } from "../shared/said.tsx";
import { t } from "../shared/text.ts";
import { When } from "../shared/when.tsx";
import { Problem } from "./problem.tsx";

interface LocalWaitingProps {
  readonly client: ControlClient;
  readonly waiting: readonly WaitingProposal[];
  readonly review: string | undefined;
  readonly onChanged: () => void;
}

export function LocalWaiting({ client, waiting, review, onChanged }: LocalWaitingProps): JSX.Element | null {
  const act = useAct(onChanged);
  if (waiting.length === 0) return null;
  return (
    <section class="sec">
      <h2>{t("dash_local_waiting")}</h2>
      <p>{t("dash_local_waiting_text")}</p>
      <Command text={review ?? hostCommand("review")} />
      <Problem act={act} />
      <ul class="lines">
        {waiting.map(({ proposal, words, at }) => (
          <li key={proposal.name} class="row" data-waiting={proposal.name}>
            <div class="grow">
              <b class="medium">{proposal.name}</b> <strong class="words">{words}</strong>
              <p class="address">
                <Said text={[proposal.program, ...proposal.args].join(" ")} />
              </p>
            </div>
            <span class="faint">
              <When at={at} />
            </span>
            <button
              type="button"
              class="btn btn-s"
              disabled={act.busy}
              onClick={() => act.run(() => client.call("local.withdraw", { name: proposal.name }))}
            >
              {t("dash_local_withdraw")}
              <span class="vh"> {proposal.name}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
