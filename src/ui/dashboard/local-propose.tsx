/** A program as a person types it. It is only proposed: nothing runs before somebody has looked at it in a terminal. */
import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { ControlClient } from "../../platform/door.ts";
import { useAct } from "../shared/act.ts";
import { t } from "../shared/text.ts";
import { Problem } from "./problem.tsx";

interface LocalProposeProps {
  readonly client: ControlClient;
  readonly onChanged: () => void;
}

export function LocalPropose({ client, onChanged }: LocalProposeProps): JSX.Element {
  const name = useSignal("");
  const program = useSignal("");
  const args = useSignal("");
  const cwd = useSignal("");
  const env = useSignal("");
  const words = useSignal<string | undefined>(undefined);
  const act = useAct(onChanged);
  const propose = async (event: Event) => {
    event.preventDefault();
    words.value = undefined;
    await act.run(async () => {
      const proposal = {
        name: name.value.trim(),
        program: program.value.trim(),
        args: lines(args.value),
        cwd: cwd.value.trim(),
        env: env.value.split(/[\s,]+/).filter((one) => one !== ""),
      };
      const answer = await client.call("local.propose", { proposal });
      if ("problem" in answer) throw new Error(answer.problem);
      words.value = answer.words;
      for (const field of [name, program, args, cwd, env]) field.value = "";
    });
  };
  return (
    <section class="sec">
      <h2>{t("dash_local_propose")}</h2>
      <form class="form" noValidate onSubmit={propose}>
        <Line id="local-name" name="name" value={name} />
        <Line id="local-program" name="program" value={program} />
        <div class="field">
          <label for="local-args">{t("dash_local_args")}</label>
          <textarea
            class="in mono"
            id="local-args"
            rows={3}
            value={args.value}
            spellcheck={false}
            aria-describedby="local-args-note"
            onInput={(event) => {
              args.value = event.currentTarget.value;
            }}
          />
          <p id="local-args-note" class="hint">
            {t("dash_local_args_hint")}
          </p>
        </div>
        <Line id="local-cwd" name="cwd" value={cwd} />
        <Line id="local-env" name="env" value={env} />
        <Problem act={act} />
        <div aria-live="polite">
          {words.value !== undefined && (
            <div class="banner banner-whole">
              <div>
                <b>{t("dash_local_proposed")}</b>
                <p class="words" data-words>
                  {words.value}
                </p>
              </div>
            </div>
          )}
        </div>
        <div class="row">
          <button type="submit" class="btn btn-main" disabled={act.busy}>
            {t("dash_local_propose_act")}
          </button>
        </div>
        <p class="hint">{t("dash_local_propose_note")}</p>
      </form>
    </section>
  );
}

interface LineProps {
  readonly id: string;
  readonly name: "name" | "program" | "cwd" | "env";
  readonly value: Signal<string>;
}

function Line({ id, name, value }: LineProps): JSX.Element {
  return (
    <div class="field">
      <label for={id}>{t(`dash_local_${name}`)}</label>
      <input
        class="in"
        id={id}
        value={value.value}
        autocomplete="off"
        spellcheck={false}
        aria-describedby={`${id}-note`}
        onInput={(event) => {
          value.value = event.currentTarget.value;
        }}
      />
      <p id={`${id}-note`} class="hint">
        {t(`dash_local_${name}_hint`)}
      </p>
    </div>
  );
}

function lines(text: string): readonly string[] {
  return text.split("\n").filter((line) => line !== "");
}
