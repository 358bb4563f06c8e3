/** The rules in the order they count, each as a sentence; then what is built in. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { describeRule } from "../../core/policy/explain.ts";
import type { Rule, Verdict as RuleVerdict } from "../../core/policy/policy.ts";
import type { ControlClient } from "../../platform/door.ts";
import { type Act, useAct } from "../shared/act.ts";
import { Choice } from "../shared/choice.tsx";
import { Icon } from "../shared/icon.tsx";
import { formatNumber, t } from "../shared/text.ts";
import { type Mark, Verdict } from "../shared/verdict.tsx";
import { Confirm } from "./confirm.tsx";
import { Problem } from "./problem.tsx";

interface RuleListProps {
  readonly client: ControlClient;
  readonly rules: readonly Rule[];
  readonly serverNames: Readonly<Record<string, string>>;
  readonly onChanged: () => void;
}

export function RuleList({ client, rules, serverNames, onChanged }: RuleListProps): JSX.Element {
  const act = useAct(onChanged);
  return (
    <section aria-label={t("dash_page_rules")}>
      <Problem act={act} />
      <div class="table-wrap">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">{t("dash_col_rule")}</th>
              <th scope="col" class="num">
                {t("dash_col_priority")}
              </th>
              <th scope="col" class="rule-mode">
                {t("dash_col_mode")}
              </th>
              <td />
            </tr>
          </thead>
          <tbody>
            {[...rules].sort(byOrder).map((rule) => (
              <RuleRow key={rule.id} client={client} rule={rule} serverNames={serverNames} act={act} />
            ))}
            <BuiltIn mark="ask" name="flow" />
            <BuiltIn mark="allow" name="read" />
            <BuiltIn mark="ask" name="other" />
          </tbody>
        </table>
      </div>
      {rules.length === 0 && <p class="hint">{t("dash_no_rule")}</p>}
    </section>
  );
}

interface RuleRowProps {
  readonly client: ControlClient;
  readonly rule: Rule;
  readonly serverNames: Readonly<Record<string, string>>;
  readonly act: Act;
}

function RuleRow({ client, rule, serverNames, act }: RuleRowProps): JSX.Element {
  const deleting = useSignal(false);
  const sentence = describeRule(rule, serverNames);
  const name = rule.note ?? rule.id;
  const switchTo = (mode: Rule["mode"]) =>
    act.run(async () => {
      const { problems } = await client.call("rule.save", { rule: { ...rule, mode } });
      if (problems.length > 0) throw new Error(problems.map(({ message, remedy }) => `${message} ${remedy}`).join(" "));
    });
  return (
    <tr>
      <td>
        <div class="rule-line">
          <Verdict mark={rule.mode === "enforce" ? rule.verdict : rule.mode} word="" />
          <div>
            <b class={rule.mode === "enforce" ? "" : "rule-off"}>{name}</b>
            <small>{sentence}</small>
          </div>
        </div>
      </td>
      <td class="num faint">{formatNumber(rule.priority)}</td>
      <td>
        <Choice
          label={t("dash_mode_of", name)}
          names={["enforce", "audit", "off"]}
          chosen={rule.mode}
          word={(mode) => t(`dash_mode_${mode}`)}
          disabled={act.busy}
          onChoose={switchTo}
        />
      </td>
      <td class="act">
        <button
          type="button"
          class="btn btn-i"
          aria-label={t("dash_delete_rule", name)}
          disabled={act.busy}
          onClick={() => {
            deleting.value = true;
          }}
        >
          <Icon name="trash" />
        </button>
        {deleting.value && (
          <Confirm
            title={t("dash_delete_title", name)}
            act={t("dash_delete")}
            onConfirm={() => {
              deleting.value = false;
              act.run(() => client.call("rule.delete", { id: rule.id }));
            }}
            onCancel={() => {
              deleting.value = false;
            }}
          >
            <p>{sentence}</p>
          </Confirm>
        )}
      </td>
    </tr>
  );
}

function BuiltIn({ mark, name }: { readonly mark: Mark; readonly name: string }): JSX.Element {
  return (
    <tr>
      <td>
        <div class="rule-line">
          <Verdict mark={mark} word="" />
          <div>
            <span>{t(`dash_builtin_${name}`)}</span>
            <small>{t(`dash_builtin_${name}_text`)}</small>
          </div>
        </div>
      </td>
      <td class="num faint">{t("dash_builtin_last")}</td>
      <td>
        <span class="tag">
          <Icon name="lock" />
          {t("dash_builtin")}
        </span>
      </td>
      <td />
    </tr>
  );
}

const STRENGTH: Readonly<Record<RuleVerdict, number>> = { deny: 0, ask: 1, allow: 2 };

function byOrder(a: Rule, b: Rule): number {
  return b.priority - a.priority || STRENGTH[a.verdict] - STRENGTH[b.verdict] || a.id.localeCompare(b.id);
}
