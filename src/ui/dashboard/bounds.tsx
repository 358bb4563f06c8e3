/** How much navra takes at once: every limit with its usual value, changed together and only within its bounds. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { LIMIT_BOUNDS, LIMIT_NAMES, type LimitName, type SetLimits } from "../../core/limits.ts";
import type { ControlClient } from "../../platform/door.ts";
import { useAct } from "../shared/act.ts";
import { useData } from "../shared/ask.ts";
import { formatNumber, t } from "../shared/text.ts";
import { Problem } from "./problem.tsx";

export function Bounds({ client }: { readonly client: ControlClient }): JSX.Element {
  const loaded = useData(client, "limits.read", null, ["limits"]);
  const set = loaded.data?.limits;
  return (
    <section class="sec" aria-labelledby="bounds">
      <h2 id="bounds">{t("dash_bounds")}</h2>
      <p class="hint">{t("dash_bounds_text")}</p>
      {set !== undefined && <BoundsForm key={JSON.stringify(set)} client={client} set={set} />}
    </section>
  );
}

function BoundsForm({ client, set }: { readonly client: ControlClient; readonly set: SetLimits }): JSX.Element {
  const act = useAct();
  const draft = useSignal<Readonly<Record<string, string>>>({});
  const textOf = (name: LimitName) => draft.value[name] ?? String(set[name] ?? LIMIT_BOUNDS[name].usual);
  const wrong = LIMIT_NAMES.filter((name) => !isWithin(name, textOf(name)));
  const touched = Object.keys(draft.value).length > 0;
  const write = (limits: SetLimits) =>
    act.run(async () => {
      const { problem } = await client.call("limits.write", { limits });
      if (problem !== undefined) throw new Error(problem);
      draft.value = {};
    });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (wrong.length > 0) return;
        void write(Object.fromEntries(LIMIT_NAMES.map((name) => [name, Number(textOf(name))])));
      }}
    >
      <table class="table bounds">
        <tbody>
          {LIMIT_NAMES.map((name) => (
            <BoundRow
              key={name}
              name={name}
              text={textOf(name)}
              onInput={(text) => {
                draft.value = { ...draft.value, [name]: text };
              }}
            />
          ))}
        </tbody>
      </table>
      <Problem act={act} />
      <div class="row">
        <button type="submit" class="btn btn-main" disabled={act.busy || !touched || wrong.length > 0}>
          {t("dash_bounds_save")}
        </button>
        <button
          type="button"
          class="btn"
          disabled={act.busy || Object.keys(set).length === 0}
          onClick={() => void write({})}
        >
          {t("dash_bounds_usual")}
        </button>
      </div>
    </form>
  );
}

interface BoundRowProps {
  readonly name: LimitName;
  readonly text: string;
  readonly onInput: (text: string) => void;
}

function BoundRow({ name, text, onInput }: BoundRowProps): JSX.Element {
  const { usual, least, most } = LIMIT_BOUNDS[name];
  const fits = isWithin(name, text);
  return (
    <tr>
      <td>
        <label for={`bound-${name}`}>{t(`dash_bound_${name}`)}</label>
      </td>
      <td class="nowrap">
        <input
          id={`bound-${name}`}
          class="in num"
          inputMode="numeric"
          value={text}
          aria-invalid={!fits}
          aria-describedby={`bound-${name}-of`}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      </td>
      <td id={`bound-${name}-of`} class={fits ? "dim" : "trouble"}>
        {fits
          ? t("dash_bound_usual", formatNumber(usual))
          : t("dash_bound_between", formatNumber(least), formatNumber(most))}
      </td>
    </tr>
  );
}

function isWithin(name: LimitName, text: string): boolean {
  const value = /^[0-9]{1,10}$/.test(text.trim()) ? Number(text) : Number.NaN;
  return value >= LIMIT_BOUNDS[name].least && value <= LIMIT_BOUNDS[name].most;
}
