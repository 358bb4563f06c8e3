/** Whole policies to begin with, each with the sentence it keeps; chosen only after its differences were shown. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { PolicyCheck, RulesView } from "../../bridge/policy-api.ts";
import type { ControlClient } from "../../platform/door.ts";
import { useAct } from "../shared/act.ts";
import { t } from "../shared/text.ts";
import { Problem } from "./problem.tsx";
import { RuleReview } from "./rule-review.tsx";

interface RulePresetsProps {
  readonly client: ControlClient;
  readonly presets: RulesView["presets"];
  readonly onChanged: () => void;
}

export function RulePresets({ client, presets, onChanged }: RulePresetsProps): JSX.Element {
  const act = useAct(onChanged);
  const asked = useSignal<{ readonly id: string; readonly name: string; readonly check: PolicyCheck } | undefined>(
    undefined,
  );
  const review = (id: string, name: string) =>
    act.run(async () => {
      asked.value = { id, name, check: await client.call("rules.preset", { id, apply: false }) };
    });
  const apply = (id: string) => {
    asked.value = undefined;
    void act.run(() => client.call("rules.preset", { id, apply: true }));
  };
  return (
    <section class="sec" aria-labelledby="rules-presets">
      <header class="sec-head">
        <h2 id="rules-presets">{t("dash_presets")}</h2>
      </header>
      <Problem act={act} />
      <ul class="presets">
        {presets.map(({ id, name, sentence, active }) => (
          <li key={id} class="row">
            <span class="grow">
              <b>{name}</b>
              <small>{sentence}</small>
            </span>
            {active ? (
              <span class="tag">{t("dash_preset_active")}</span>
            ) : (
              <button
                type="button"
                class="btn btn-s"
                data-preset={id}
                disabled={act.busy}
                onClick={() => review(id, name)}
              >
                {t("dash_preset_use")}
              </button>
            )}
          </li>
        ))}
      </ul>
      {asked.value && (
        <RuleReview
          title={t("dash_preset_title", asked.value.name)}
          act={t("dash_preset_apply")}
          check={asked.value.check}
          onConfirm={() => asked.value && apply(asked.value.id)}
          onCancel={() => {
            asked.value = undefined;
          }}
        >
          <p>{t("dash_preset_replaces")}</p>
        </RuleReview>
      )}
    </section>
  );
}
