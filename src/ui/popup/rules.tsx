/** Rules that apply here: switch, change the verdict, delete with a way back, add one in place. Every change counts at once. */
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { CallView, SiteView } from "../../bridge/control-api.ts";
import type { RuleChangeView } from "../../bridge/policy-api.ts";
import type { Verdict as PolicyVerdict, Rule } from "../../core/policy/policy.ts";
import type { RuleProblem } from "../../core/policy/problem.ts";
import type { Principal } from "../../core/principal.ts";
import type { ControlClient } from "../../platform/door.ts";
import { openRule } from "../../platform/pages.ts";
import { changeWords } from "../shared/change-words.ts";
import { Icon } from "../shared/icon.tsx";
import { createPolicyDesk } from "../shared/policy-desk.ts";
import { Switch } from "../shared/switch.tsx";
import { t } from "../shared/text.ts";
import { Verdict } from "../shared/verdict.tsx";
import type { Act } from "./act.ts";
import { RuleForm } from "./rule-form.tsx";
import { ruleConditions, ruleTitle } from "./rule-words.tsx";

interface Props {
  readonly view: SiteView;
  readonly principal: Principal;
  /** The call a rule is to be made from. */
  readonly from: CallView | undefined;
  readonly onFormClosed: () => void;
  readonly act: Act;
}

export function Rules({ view, principal, from, onFormClosed, act }: Props): JSX.Element {
  const [adding, setAdding] = useState(false);
  const [problems, setProblems] = useState<readonly RuleProblem[]>([]);

  const save = async (rule: Rule): Promise<boolean> => {
    const result = await act("rule.save", { rule });
    setProblems(result?.problems ?? []);
    return result?.problems.length === 0;
  };
  const remove = async (rule: Rule) => {
    await act("rule.delete", { id: rule.id });
  };
  const { lastChange, managed } = view;
  const desk = useMemo(() => createPolicyDesk(orFail(act)), [view]);
  const check = (rule: Rule) => desk.checkRule(rule);
  const close = () => {
    setAdding(false);
    setProblems([]);
    onFormClosed();
  };

  return (
    <section class="p-sec" aria-labelledby="rules">
      <header>
        <h2 id="rules">{t("popup_rules")}</h2>
        <button type="button" class="btn btn-quiet btn-s" aria-expanded={adding} onClick={() => setAdding(true)}>
          <Icon name="plus" />
          {t("popup_rule_add")}
        </button>
      </header>
      {(adding || from) && (
        <RuleForm
          key={from?.callId}
          view={view}
          principal={principal}
          from={from}
          onCheck={check}
          onSave={save}
          onClose={close}
        />
      )}
      {problems.map(({ path, message, remedy }) => (
        <p key={path + message} class="p-hint hint hint-bad" role="alert">
          <Icon name="warn" />
          <span>
            {message} {remedy}
          </span>
        </p>
      ))}
      <ul>
        {view.rules.map((rule) => (
          <RuleRow key={rule.id} rule={rule} names={view.serverNames} onSave={save} onDelete={remove} />
        ))}
        {lastChange && <LastChange change={lastChange} names={view.serverNames} act={act} />}
        {managed.state === "in-force" &&
          managed.rules.map((rule) => <ManagedRow key={rule.id} rule={rule} names={view.serverNames} />)}
      </ul>
      {view.rules.length === 0 && <p class="p-hint">{t("popup_no_rules")}</p>}
    </section>
  );
}

/** A check that failed was shown as a sentence already; it only has to end. */
function orFail(act: Act): ControlClient["call"] {
  return async (method, params) => {
    const answer = await act(method, params);
    if (answer === undefined) throw new Error("");
    return answer;
  };
}

interface LastChangeProps {
  readonly change: RuleChangeView;
  readonly names: SiteView["serverNames"];
  readonly act: Act;
}

/** What was done last, and the way back. */
function LastChange({ change, names, act }: LastChangeProps): JSX.Element {
  const [state, setState] = useState<"done" | "changed" | "gone">();
  const undo = async () => setState((await act("rules.undo", { id: change.id }))?.state);
  return (
    <li class="item p-undo">
      <span class="grow" role="status">
        {state === "changed" ? t("popup_undo_changed") : changeWords(change, names)}
      </span>
      <button type="button" class="btn btn-s" onClick={() => void undo()}>
        <Icon name="undo" />
        {t("popup_undo")}
      </button>
    </li>
  );
}

/** A rule of the organisation's: to be read, not to be touched. */
function ManagedRow({ rule, names }: { readonly rule: Rule; readonly names: SiteView["serverNames"] }): JSX.Element {
  return (
    <li class="item p-rule" data-managed={rule.id}>
      <Verdict mark={rule.mode === "audit" ? "audit" : rule.verdict} word="" />
      <span class="grow">
        <span class="p-rule-title">{ruleTitle(rule, names)}</span>
        <span class="sub">
          {ruleConditions(rule, names).map((part, at) => (
            <span key={at}>{part}</span>
          ))}
        </span>
      </span>
      <span class="tag">
        <Icon name="lock" />
        {t("popup_managed")}
      </span>
    </li>
  );
}

interface RowProps {
  readonly rule: Rule;
  readonly names: SiteView["serverNames"];
  readonly onSave: (rule: Rule) => Promise<boolean>;
  readonly onDelete: (rule: Rule) => Promise<void>;
}

const VERDICTS: readonly PolicyVerdict[] = ["allow", "ask", "deny"];

function RuleRow({ rule, names, onSave, onDelete }: RowProps): JSX.Element {
  const on = rule.mode !== "off";
  const id = `rule-${rule.id}`;
  return (
    <li class="item p-rule" data-off={on ? undefined : ""}>
      <Verdict mark={rule.verdict} word="" />
      <select
        class="in in-s in-bare"
        aria-label={t("popup_rule_verdict")}
        aria-describedby={id}
        value={rule.verdict}
        onChange={(event) => {
          const verdict = VERDICTS.find((choice) => choice === event.currentTarget.value);
          if (verdict) void onSave({ ...rule, verdict });
        }}
      >
        {VERDICTS.map((verdict) => (
          <option key={verdict} value={verdict}>
            {t(`popup_verdict_${verdict}`)}
          </option>
        ))}
      </select>
      <span class="grow">
        <button
          type="button"
          id={id}
          class="p-rule-title p-rule-edit"
          title={t("popup_rule_edit")}
          onClick={() => void openRule(rule.id)}
        >
          {ruleTitle(rule, names)}
        </button>
        <span class="sub">
          {ruleConditions(rule, names).map((part, at) => (
            <span key={at}>{part}</span>
          ))}
        </span>
      </span>
      <button
        type="button"
        class="btn btn-i btn-s"
        aria-label={t("popup_rule_delete")}
        aria-describedby={id}
        title={t("popup_rule_delete")}
        onClick={() => void onDelete(rule)}
      >
        <Icon name="trash" />
      </button>
      <Switch
        on={on}
        label={t("popup_rule_on")}
        describedBy={id}
        onTurn={(turned) => void onSave({ ...rule, mode: turned ? "enforce" : "off" })}
      />
    </li>
  );
}
