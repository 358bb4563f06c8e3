/** A rule for a tool of this site's servers, made in place: which tool, what happens, where it holds. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { CallView, SiteView } from "../../bridge/control-api.ts";
import type { PolicyCheck } from "../../bridge/policy-api.ts";
import type { Verdict as PolicyVerdict, Rule } from "../../core/policy/policy.ts";
import type { Principal } from "../../core/principal.ts";
import { Icon } from "../shared/icon.tsx";
import { RuleCheck, useCheck } from "../shared/rule-check.tsx";
import { siteName } from "../shared/site.tsx";
import { t } from "../shared/text.ts";
import { exact } from "../shared/time.ts";
import { callMark } from "../shared/verdict.tsx";
import { newRule } from "./new-rule.ts";

interface Props {
  readonly view: SiteView;
  readonly principal: Principal;
  readonly from: CallView | undefined;
  readonly onCheck: (rule: Rule) => Promise<PolicyCheck | undefined>;
  readonly onSave: (rule: Rule) => Promise<boolean>;
  readonly onClose: () => void;
}

interface Choice {
  readonly serverId: string;
  readonly serverName: string;
  readonly tools: readonly string[];
}

const VERDICTS: readonly PolicyVerdict[] = ["allow", "ask", "deny"];

export function RuleForm({ view, principal, from, onCheck, onSave, onClose }: Props): JSX.Element {
  const choices = choicesOf(view, from);
  const [target, setTarget] = useState(() => targetOf(choices, from));
  const [verdict, setVerdict] = useState<PolicyVerdict>(() => (from ? otherVerdict(from) : "ask"));
  const [everywhere, setEverywhere] = useState(false);
  const first = useRef<HTMLSelectElement>(null);
  useEffect(() => {
    first.current?.focus();
    first.current?.scrollIntoView({ block: "nearest" });
  }, []);

  const [id] = useState(() => crypto.randomUUID());
  const [serverId = "", tool = ""] = target.split("\n");
  const origin = everywhere ? undefined : principal.origin;
  const draft = newRule(id, { verdict, serverId, tool, origin, note: from && noteOf(from) }, view.rules);
  const check = useCheck(JSON.stringify(draft), () => onCheck(draft));
  const save = async () => {
    if (await onSave(draft)) onClose();
  };

  if (choices.length === 0) return <p class="p-hint">{t("popup_rule_no_servers")}</p>;
  return (
    <form
      class="p-form"
      aria-label={t("popup_rule_new")}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <div class="field">
        <label for="rule-target">{t("popup_rule_tool")}</label>
        <select
          id="rule-target"
          class="in"
          ref={first}
          value={target}
          onChange={(event) => setTarget(event.currentTarget.value)}
        >
          {choices.map(({ serverId, serverName, tools }) => (
            <optgroup key={serverId} label={serverName}>
              <option value={`${serverId}\n`}>{t("popup_rule_any_tool", serverName)}</option>
              {tools.map((tool) => (
                <option key={tool} value={`${serverId}\n${tool}`}>
                  {tool}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </div>
      <fieldset class="p-choice">
        <legend class="vh">{t("popup_rule_verdict")}</legend>
        {VERDICTS.map((choice) => (
          <label key={choice} class="check">
            <input type="radio" name="verdict" checked={verdict === choice} onChange={() => setVerdict(choice)} />
            <span class={`v v-${choice}`}>
              <Icon name={choice} />
              {t(`popup_verdict_${choice}`)}
            </span>
          </label>
        ))}
      </fieldset>
      <fieldset class="p-choice">
        <legend class="vh">{t("popup_rule_where")}</legend>
        <label class="check">
          <input type="radio" name="where" checked={!everywhere} onChange={() => setEverywhere(false)} />
          <span>{t("popup_rule_here", siteName(principal.origin))}</span>
        </label>
        <label class="check">
          <input type="radio" name="where" checked={everywhere} onChange={() => setEverywhere(true)} />
          <span>{t("popup_rule_everywhere")}</span>
        </label>
      </fieldset>
      <RuleCheck check={check} />
      <div class="row">
        <button type="submit" class="btn btn-main" disabled={(check?.problems.length ?? 0) > 0}>
          {t("popup_rule_save")}
        </button>
        <button type="button" class="btn" onClick={onClose}>
          {t("popup_cancel")}
        </button>
      </div>
    </form>
  );
}

/** Servers of this site with their tools; the call's own server and tool too, where it is no longer among them. */
function choicesOf(view: SiteView, from: CallView | undefined): readonly Choice[] {
  const choices = view.servers.map(({ id, name, tools }) => ({
    serverId: id,
    serverName: name,
    tools: tools.map((tool) => tool.name),
  }));
  if (from?.tool === undefined) return choices;
  const { serverName, tool } = from;
  const own = choices.find((choice) => choice.serverName === serverName);
  if (own) {
    if (own.tools.includes(tool)) return choices;
    return choices.map((choice) => (choice === own ? { ...own, tools: [...own.tools, tool] } : choice));
  }
  const serverId = Object.entries(view.serverNames).find(([, name]) => name === serverName)?.[0];
  return serverId === undefined ? choices : [...choices, { serverId, serverName, tools: [tool] }];
}

function targetOf(choices: readonly Choice[], from: CallView | undefined): string {
  const choice = choices.find(({ serverName }) => serverName === from?.serverName) ?? choices[0];
  return choice ? `${choice.serverId}\n${from?.tool ?? choice.tools[0] ?? ""}` : "";
}

/** Where the rule comes from, for whoever wonders about it later. */
function noteOf(call: CallView): string {
  return t("popup_rule_note", call.tool ?? call.method, call.serverName, exact(call.at));
}

/** What someone most likely wants who makes a rule from a call: the opposite, carefully. */
function otherVerdict(call: CallView): PolicyVerdict {
  return callMark(call).mark === "deny" ? "ask" : "deny";
}
