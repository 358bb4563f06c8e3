/** Rules, servers and limits to a file and from one. A file never brings more than that, and nothing before it was reviewed. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import type { ControlClient } from "../../platform/door.ts";
import { useAct } from "../shared/act.ts";
import { Icon } from "../shared/icon.tsx";
import type { FileCheck } from "../shared/policy-check.ts";
import { usePolicyDesk } from "../shared/policy-desk.ts";
import { RuleCheck } from "../shared/rule-check.tsx";
import { t, tn } from "../shared/text.ts";
import { Problem } from "./problem.tsx";
import { RuleReview } from "./rule-review.tsx";

interface RuleFilesProps {
  readonly client: ControlClient;
  readonly onChanged: () => void;
}

export function RuleFiles({ client, onChanged }: RuleFilesProps): JSX.Element {
  const act = useAct(onChanged);
  const desk = usePolicyDesk(client);
  const asked = useSignal<{ readonly text: string; readonly view: FileCheck } | undefined>(undefined);
  const input = useRef<HTMLInputElement>(null);

  const save = () => act.run(async () => download((await client.call("rules.export", null)).text));
  const look = (file: File) =>
    act.run(async () => {
      const text = await file.text();
      asked.value = { text, view: await desk.checkFile(text) };
    });
  const bring = (text: string) => {
    asked.value = undefined;
    void act.run(async () => {
      const { problems } = await client.call("rules.import", { text });
      if (problems.length > 0) throw new Error(tn("dash_problems", problems.length));
    });
  };
  const cancel = () => {
    asked.value = undefined;
  };
  const view = asked.value?.view;

  return (
    <section class="sec" aria-labelledby="rules-files">
      <header class="sec-head">
        <h2 id="rules-files">{t("dash_files")}</h2>
      </header>
      <p class="hint">{t("dash_files_text")}</p>
      <div class="row">
        <button type="button" class="btn" data-act="export" disabled={act.busy} onClick={save}>
          <Icon name="download" />
          {t("dash_export")}
        </button>
        <button type="button" class="btn" data-act="import" disabled={act.busy} onClick={() => input.current?.click()}>
          <Icon name="upload" />
          {t("dash_import")}
        </button>
        <input
          ref={input}
          class="vh"
          type="file"
          accept="application/json,.json"
          aria-label={t("dash_import")}
          tabIndex={-1}
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? [];
            event.currentTarget.value = "";
            if (file) void look(file);
          }}
        />
      </div>
      <Problem act={act} />
      {view && view.problems.length > 0 && (
        <div class="banner" data-v="deny" role="alert">
          <Icon name="deny" />
          <div>
            <b>{t("dash_import_bad")}</b>
            <RuleCheck check={view} />
          </div>
        </div>
      )}
      {asked.value && view && view.problems.length === 0 && (
        <RuleReview
          title={t("dash_import_title")}
          act={t("dash_import_apply")}
          check={view}
          onConfirm={() => asked.value && bring(asked.value.text)}
          onCancel={cancel}
        >
          <p>{tn("dash_import_rules", view.rules)}</p>
          {view.limits !== undefined && <p>{tn("dash_import_limits", Object.keys(view.limits).length)}</p>}
          {view.servers.length > 0 && (
            <ul>
              {view.servers.map(({ name, url, known }) => (
                <li key={name}>
                  <b>{name}</b> <span class="mono dim">{url}</span>{" "}
                  <span class="faint">{t(known ? "dash_import_known" : "dash_import_off")}</span>
                </li>
              ))}
            </ul>
          )}
        </RuleReview>
      )}
    </section>
  );
}

function download(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = "navra-rules.json";
  link.click();
  URL.revokeObjectURL(url);
}
