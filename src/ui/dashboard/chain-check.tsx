/** Is the record complete? Asked by the person, answered with a sentence and what it rests on. */
import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { ChainState } from "../../core/recorder/chain.ts";
import type { ControlClient } from "../../platform/door.ts";
import { useAct } from "../shared/act.ts";
import { Icon } from "../shared/icon.tsx";
import { formatNumber, t, tn } from "../shared/text.ts";
import { duration } from "../shared/time.ts";
import { Problem } from "./problem.tsx";

interface ChainCheckProps {
  readonly client: ControlClient;
  readonly chain: Signal<ChainState | undefined>;
  readonly newest: number;
}

export function ChainCheck({ client, chain, newest }: ChainCheckProps): JSX.Element {
  const act = useAct();
  const took = useSignal(0);
  const check = () =>
    act.run(async () => {
      const began = performance.now();
      chain.value = await client.call("records.verify", null);
      took.value = performance.now() - began;
    });
  const state = chain.value;
  return (
    <div class="sticky">
      <div class="stack">
        <h2>{t("dash_complete")}</h2>
        <div aria-live="polite">{state !== undefined && <Answer state={state} />}</div>
        {state === undefined && <p class="dim">{t("dash_complete_text")}</p>}
        {state !== undefined && <Proof state={state} newest={newest} took={took.value} />}
        <Problem act={act} />
        <div class="row">
          <button type="button" class="btn" data-act="check" disabled={act.busy} onClick={check}>
            <Icon name="refresh" />
            {act.busy ? t("dash_checking") : t(state === undefined ? "dash_check" : "dash_check_again")}
          </button>
        </div>
        <p class="hint">{t("dash_chain_limit")}</p>
      </div>
    </div>
  );
}

function Answer({ state }: { readonly state: ChainState }): JSX.Element {
  if (state.state === "whole") {
    return (
      <div class="banner banner-whole">
        <Icon name="link" />
        <div>
          <b>{state.entries === 0 ? t("dash_whole_empty") : t("dash_whole", state.entries)}</b>
          <p>{t("dash_whole_text")}</p>
        </div>
      </div>
    );
  }
  return (
    <div class="banner" data-v="deny">
      <Icon name="unlink" />
      <div>
        <b>{t("dash_broken", state.problem)}</b>
        <p>{t("dash_broken_text")}</p>
      </div>
    </div>
  );
}

interface ProofProps {
  readonly state: ChainState;
  readonly newest: number;
  readonly took: number;
}

function Proof({ state, newest, took }: ProofProps): JSX.Element {
  if (state.state === "whole") {
    return (
      <dl class="kv">
        <dt>{t("dash_checked")}</dt>
        <dd>{tn("dash_checked_in", state.entries, duration(took))}</dd>
      </dl>
    );
  }
  return (
    <dl class="kv">
      <dt>{t("dash_proven")}</dt>
      <dd>{state.seq > 1 ? t("dash_range", 1, state.seq - 1) : t("dash_nothing")}</dd>
      <dt>{t("dash_damaged")}</dt>
      <dd>{t("dash_damaged_text", state.seq)}</dd>
      <dt>{t("dash_unproven")}</dt>
      <dd>{newest > state.seq ? t("dash_range", state.seq + 1, newest) : t("dash_nothing")}</dd>
      <dt>{t("dash_kept")}</dt>
      <dd>{t("dash_kept_text", formatNumber(newest))}</dd>
    </dl>
  );
}
