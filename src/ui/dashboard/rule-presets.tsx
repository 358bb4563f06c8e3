/** Whole policies to begin with, each with the sentence it keeps; chosen only after its differences were shown. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { PolicyCheck, RulesView } from "../../bridge/policy-api.ts";
import { diff } from "../../core/policy/diff.ts";
import { PRESETS, type Preset } from "../../core/policy/presets.ts";
import type { ControlClient } from "../../platform/door.ts";
import { useAct } from "../shared/act.ts";
import { usePolicyDesk } from "../shared/policy-desk.ts";
import { t } from "../shared/text.ts";
import { Problem } from "./problem.tsx";
import { RuleReview } from "./rule-review.tsx";

interface RulePresetsProps {
  readonly client: ControlClient;
  /** What is in force now. */
  readonly now: Pick<RulesView, "rules" | "default">;
  readonly onChanged: () => void;
}

export function RulePresets({ client, now, onChanged }: RulePresetsProps): JSX.Element {
  const act = useAct(onChanged);
  const desk = usePolicyDesk(client);
  const asked = useSignal<{ readonly preset: Preset; readonly check: PolicyCheck } | undefined>(undefined);
  const review = (preset: Preset) =>
    act.run(async () => {
      asked.value = { preset, check: await desk.checkDocument(preset.document) };
    });
  const apply = ({ id, document }: Preset) => {
    asked.value = undefined;
    void act.run(() => client.call("rules.preset", { document: { ...document, profile: id } }));
  };
  return (
    <section class="sec" aria-labelledby="rules-presets">
      <header class="sec-head">
        <h2 id="rules-presets">{t("dash_presets")}</h2>
      </header>
      <Problem act={act} />
      <ul class="presets">
        {PRESETS.map((preset) => (
          <li key={preset.id} class="row">
            <span class="grow">
              <b>{preset.name}</b>
              <small>{preset.sentence}</small>
            </span>
            {isInForce(preset, now) ? (
              <span class="tag">{t("dash_preset_active")}</span>
            ) : (
              <button
                type="button"
                class="btn btn-s"
                data-preset={preset.id}
                disabled={act.busy}
                onClick={() => review(preset)}
              >
                {t("dash_preset_use")}
                <span class="vh"> {preset.name}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
      {asked.value && (
        <RuleReview
          title={t("dash_preset_title", asked.value.preset.name)}
          act={t("dash_preset_apply")}
          check={asked.value.check}
          onConfirm={() => asked.value && apply(asked.value.preset)}
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

/** By what it does, not by its name: a preset that was changed since is the person's own. */
function isInForce({ document }: Preset, now: RulePresetsProps["now"]): boolean {
  return diff(now, document).differences.length === 0;
}
