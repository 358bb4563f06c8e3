/** The rules in the order they count, each as a sentence; then what is built in. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import type { ManagedView } from "../../bridge/policy-api.ts";
import { describeRule } from "../../core/policy/explain.ts";
import type { DefaultRow, Rule, Verdict as RuleVerdict } from "../../core/policy/policy.ts";
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
  readonly managed: ManagedView;
  readonly defaults: DefaultRow;
  readonly serverNames: Readonly<Record<string, string>>;
  readonly onEdit: (id: string) => void;
  readonly onChanged: () => void;
}

export function RuleList(props: RuleListProps): JSX.Element {
  const { client, rules, managed, defaults, serverNames, onEdit, onChanged } = props;
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
            {managed.state === "in-force" &&
              managed.rules.map((rule) => <ManagedRow key={rule.id} rule={rule} serverNames={serverNames} />)}
            {[...rules].sort(byOrder).map((rule) => (
              <RuleRow key={rule.id} client={client} rule={rule} serverNames={serverNames} act={act} onEdit={onEdit} />
            ))}
            <BuiltIn mark="ask" name="flow" />
            {DEFAULTS.map((name) => (
              <Default
                key={name}
                name={name}
                verdict={defaults[name]}
                disabled={act.busy}
                onChoose={(verdict) =>
                  act.run(() => client.call("rules.default", { default: { ...defaults, [name]: verdict } }))
                }
              />
            ))}
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
  readonly onEdit: (id: string) => void;
}

function RuleRow({ client, rule, serverNames, act, onEdit }: RuleRowProps): JSX.Element {
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
      <RuleWords
        mark={markOf(rule)}
        name={<b class={rule.mode === "enforce" ? "" : "rule-off"}>{name}</b>}
        means={sentence}
      />
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
        <button type="button" class="btn btn-i" aria-label={t("dash_edit_rule", name)} onClick={() => onEdit(rule.id)}>
          <Icon name="edit" />
        </button>
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

/** What the organisation set stands above everything of the person's, whatever its priority. */
function ManagedRow({ rule, serverNames }: Pick<RuleRowProps, "rule" | "serverNames">): JSX.Element {
  return (
    <tr data-managed={rule.id}>
      <RuleWords mark={markOf(rule)} name={<b>{rule.note ?? rule.id}</b>} means={describeRule(rule, serverNames)} />
      <td class="num faint">{formatNumber(rule.priority)}</td>
      <Fixed by={t("shared_managed_tag")} />
    </tr>
  );
}

function BuiltIn({ mark, name }: { readonly mark: Mark; readonly name: string }): JSX.Element {
  return (
    <tr>
      <RuleWords mark={mark} {...builtInWords(name)} />
      <td class="num faint">{t("dash_builtin_last")}</td>
      <Fixed by={t("dash_builtin")} />
    </tr>
  );
}

interface DefaultProps {
  readonly name: keyof DefaultRow;
  readonly verdict: RuleVerdict;
  readonly disabled: boolean;
  readonly onChoose: (verdict: RuleVerdict) => void;
}

/** What happens where no rule speaks: always there, always seen, and the person's to choose. */
function Default({ name, verdict, disabled, onChoose }: DefaultProps): JSX.Element {
  return (
    <tr data-default={name}>
      <RuleWords mark={verdict} {...builtInWords(name)} />
      <td class="num faint">{t("dash_builtin_last")}</td>
      <td>
        <Choice
          label={t(`dash_builtin_${name}`)}
          names={["allow", "ask", "deny"]}
          chosen={verdict}
          word={(one) => t(`popup_verdict_${one}`)}
          disabled={disabled}
          onChoose={onChoose}
        />
      </td>
      <td />
    </tr>
  );
}

interface RuleWordsProps {
  readonly mark: Mark;
  readonly name: ComponentChildren;
  readonly means: string;
}

/** What a row is called, and what it means. */
function RuleWords({ mark, name, means }: RuleWordsProps): JSX.Element {
  return (
    <td>
      <div class="rule-line">
        <Verdict mark={mark} word="" />
        <div>
          {name}
          <small>{means}</small>
        </div>
      </div>
    </td>
  );
}

/** Nobody can change it here. */
function Fixed({ by }: { readonly by: string }): JSX.Element {
  return (
    <>
      <td>
        <span class="tag">
          <Icon name="lock" />
          {by}
        </span>
      </td>
      <td />
    </>
  );
}

function builtInWords(name: string): Omit<RuleWordsProps, "mark"> {
  return { name: <span>{t(`dash_builtin_${name}`)}</span>, means: t(`dash_builtin_${name}_text`) };
}

function markOf({ mode, verdict }: Rule): Mark {
  return mode === "enforce" ? verdict : mode;
}

const DEFAULTS = ["read", "other"] as const;

const STRENGTH: Readonly<Record<RuleVerdict, number>> = { deny: 0, ask: 1, allow: 2 };

function byOrder(a: Rule, b: Rule): number {
  return b.priority - a.priority || STRENGTH[a.verdict] - STRENGTH[b.verdict] || a.id.localeCompare(b.id);
}
