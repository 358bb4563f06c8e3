/**
 * All rules as one text. Nothing is stored until Save, and then at once or not at all; what is wrong is listed by line, and
 * what the person typed is never replaced under their hands.
 */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { RuleProblem } from "../../core/policy/problem.ts";
import type { ControlClient } from "../../platform/door.ts";
import { useAct } from "../shared/act.ts";
import { Icon } from "../shared/icon.tsx";
import { t, tn } from "../shared/text.ts";
import { LinedText, type LinedTextHandle } from "./lined-text.tsx";
import { Problem } from "./problem.tsx";

interface RuleTextProps {
  readonly client: ControlClient;
  /** As stored now. */
  readonly text: string;
  readonly onChanged: () => void;
}

export function RuleText({ client, text, onChanged }: RuleTextProps): JSX.Element {
  const act = useAct(onChanged);
  const base = useSignal(text);
  const typed = useSignal(text);
  const problems = useSignal<readonly RuleProblem[]>([]);
  const saved = useSignal(false);
  const field = useRef<LinedTextHandle>(null);
  const changed = typed.value !== base.value;
  const stale = changed && text !== base.value;

  useEffect(() => {
    if (typed.peek() !== base.peek()) return;
    base.value = text;
    typed.value = text;
  }, [text]);

  const save = () =>
    act.run(async () => {
      const sent = typed.peek();
      const result = await client.call("rules.write", { text: sent });
      problems.value = result.problems;
      if (result.problems.length > 0) return;
      base.value = sent;
      saved.value = true;
    });
  const revert = () => {
    base.value = text;
    typed.value = text;
    problems.value = [];
  };

  return (
    <section class="editor" aria-labelledby="rules-as-text">
      <header class="editor-head">
        <h2 id="rules-as-text">{t("dash_rules_text")}</h2>
        <span class="hint grow">{t("dash_rules_text_note")}</span>
      </header>
      <LinedText
        label={t("dash_rules_text")}
        value={typed.value}
        bad={problems.value.flatMap(({ line }) => (line === undefined ? [] : [line]))}
        handle={field}
        onInput={(value) => {
          typed.value = value;
          saved.value = false;
        }}
        onSave={save}
      />
      <Problems problems={problems.value} onGo={(line) => field.current?.goTo(line)} />
      <Problem act={act} />
      <footer class="editor-foot">
        <span class="grow" role="status">
          {problems.value.length > 0 && <span class="bad">{tn("dash_problems", problems.value.length)}</span>}
          {stale && problems.value.length === 0 && <span class="warn">{t("dash_rules_stale")}</span>}
          {saved.value && !changed && <span class="dim">{t("dash_rules_saved")}</span>}
        </span>
        <button type="button" class="btn" disabled={!changed || act.busy} onClick={revert}>
          {t("dash_revert")}
        </button>
        <button type="button" class="btn btn-main" data-act="save" disabled={!changed || act.busy} onClick={save}>
          {t("dash_save")}
        </button>
      </footer>
    </section>
  );
}

interface ProblemsProps {
  readonly problems: readonly RuleProblem[];
  readonly onGo: (line: number) => void;
}

function Problems({ problems, onGo }: ProblemsProps): JSX.Element | null {
  if (problems.length === 0) return null;
  return (
    <ul class="problems">
      {problems.map(({ path, line, message, remedy }, index) => (
        <li key={index}>
          <Icon name="warn" />
          <div>
            {line !== undefined && (
              <>
                <button type="button" class="problem-line" onClick={() => onGo(line)}>
                  {t("dash_line", line)}
                </button>{" "}
              </>
            )}
            {path !== "" && <span class="mono dim">{path}</span>} {message}
            <small class="problem-remedy">{remedy}</small>
          </div>
        </li>
      ))}
    </ul>
  );
}
