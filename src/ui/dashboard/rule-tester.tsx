/** Rules tried on a call, one on record or one made up: what would be decided, and for every rule whether it matched. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { TriedCall } from "../../bridge/policy-api.ts";
import type { ControlClient } from "../../platform/door.ts";
import { useAct } from "../shared/act.ts";
import { useData } from "../shared/ask.ts";
import { Icon } from "../shared/icon.tsx";
import type { Tried } from "../shared/policy-check.ts";
import type { PolicyDesk } from "../shared/policy-desk.ts";
import { t } from "../shared/text.ts";
import { exact } from "../shared/time.ts";
import { Verdict } from "../shared/verdict.tsx";
import { Problem } from "./problem.tsx";

interface RuleTesterProps {
  readonly client: ControlClient;
  readonly desk: PolicyDesk;
  /** The draft, where there is one. */
  readonly text: string | undefined;
  readonly servers: readonly { readonly id: string; readonly name: string; readonly tools: readonly string[] }[];
}

const LATEST = 50;
const MADE_UP = "";

export function RuleTester({ client, desk, text, servers }: RuleTesterProps): JSX.Element {
  const act = useAct();
  const records = useData(client, "records.page", { limit: LATEST }, ["records"]);
  const calls = (records.data?.entries ?? []).filter(
    ({ direction, decisions }) => direction === "out" && decisions.length > 0,
  );
  const picked = useSignal<string | undefined>(undefined);
  const newest = calls.find(({ tool }) => tool !== undefined);
  const chosen = picked.value ?? (newest ? String(newest.seq) : MADE_UP);
  const origin = useSignal("https://");
  const chosenServer = useSignal("");
  const typedTool = useSignal<string | undefined>(undefined);
  const server = servers.find(({ id }) => id === chosenServer.value) ?? servers[0];
  const tool = typedTool.value ?? server?.tools[0] ?? "";
  const args = useSignal("{}");
  const found = useSignal<Tried | undefined>(undefined);

  const call = (): TriedCall =>
    chosen === MADE_UP
      ? {
          origin: origin.peek(),
          serverId: server?.id ?? "",
          method: "tools/call",
          tool,
          argumentsText: args.peek(),
        }
      : { seq: Number(chosen) };
  const attempt = () =>
    act.run(async () => {
      found.value = undefined;
      found.value = await desk.tryCall(call(), text);
    });

  return (
    <section class="sec" aria-labelledby="rules-tester">
      <header class="sec-head">
        <h2 id="rules-tester">{t("dash_try")}</h2>
      </header>
      <form
        class="rule-form"
        onSubmit={(event) => {
          event.preventDefault();
          void attempt();
        }}
      >
        <div class="field">
          <label for="try-call">{t("dash_try_call")}</label>
          <select
            id="try-call"
            class="in in-s"
            value={chosen}
            onChange={(event) => (picked.value = event.currentTarget.value)}
          >
            <option value={MADE_UP}>{t("dash_try_made_up")}</option>
            {calls.map((entry) => (
              <option key={entry.callId} value={String(entry.seq)}>
                {t("dash_try_record", entry.seq, entry.tool ?? entry.method, entry.serverName, exact(entry.at))}
              </option>
            ))}
          </select>
        </div>
        {chosen === MADE_UP && (
          <>
            <Line
              id="try-origin"
              label={t("dash_try_site")}
              value={origin.value}
              onInput={(value) => (origin.value = value)}
            />
            <div class="row wrap">
              <div class="field grow">
                <label for="try-server">{t("dash_try_server")}</label>
                <select
                  id="try-server"
                  class="in in-s"
                  value={server?.id ?? ""}
                  onChange={(event) => {
                    chosenServer.value = event.currentTarget.value;
                  }}
                >
                  {servers.map(({ id, name }) => (
                    <option key={id} value={id}>
                      {name}
                    </option>
                  ))}
                </select>
              </div>
              <Line
                id="try-tool"
                label={t("dash_try_tool")}
                value={tool}
                onInput={(value) => (typedTool.value = value)}
              />
            </div>
            <Line
              id="try-args"
              label={t("dash_try_args")}
              value={args.value}
              onInput={(value) => (args.value = value)}
            />
          </>
        )}
        <div class="row">
          <button type="submit" class="btn" data-act="try" disabled={act.busy}>
            {t(text === undefined ? "dash_try_stored" : "dash_try_draft")}
          </button>
        </div>
      </form>
      <Problem act={act} />
      {found.value && <Outcome decision={found.value.decision} rules={found.value.rules} />}
    </section>
  );
}

interface LineProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

function Line({ id, label, value, onInput }: LineProps): JSX.Element {
  return (
    <div class="field grow">
      <label for={id}>{label}</label>
      <input
        id={id}
        class="in in-s mono"
        value={value}
        spellcheck={false}
        autocomplete="off"
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </div>
  );
}

function Outcome({ decision, rules }: Tried): JSX.Element {
  return (
    <div role="status">
      <p class="tried-end">
        <Verdict mark={decision.verdict} /> <span>{decision.reasons[0]?.sentence}</span>
      </p>
      <ul class="reasons">
        {rules.map((rule) => (
          <li key={`${rule.layer}/${rule.rule}`} {...(rule.matched ? { "data-hit": rule.verdict } : {})}>
            {rule.matched ? (
              <Verdict mark={rule.mode === "enforce" ? rule.verdict : rule.mode} word="" />
            ) : (
              <Icon name="minus" />
            )}
            <span>
              {rule.sentence}
              <small>
                {rule.layer === "managed" && `${t("shared_managed_tag")}. `}
                {rule.matched ? t("dash_try_matched") : rule.failed}
              </small>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
