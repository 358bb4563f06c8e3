/** A new server: name, address, how far its words are trusted. Problems stand at their field, as sentences. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { GatewayError } from "../../core/errors.ts";
import { parseServerUrl } from "../../core/servers/url.ts";
import type { ControlClient } from "../../platform/door.ts";
import { useAct } from "../shared/act.ts";
import { Icon } from "../shared/icon.tsx";
import { t } from "../shared/text.ts";
import { PageHead } from "./page-head.tsx";
import { Problem } from "./problem.tsx";
import { hrefOf } from "./route.ts";

interface ServerAddProps {
  readonly client: ControlClient;
  readonly taken: readonly string[];
}

const TRUST = ["untrusted", "trusted"] as const;

export function ServerAdd({ client, taken }: ServerAddProps): JSX.Element {
  const name = useSignal("");
  const url = useSignal("");
  const trust = useSignal<(typeof TRUST)[number]>("untrusted");
  const tried = useSignal(false);
  const act = useAct();
  const nameField = useRef<HTMLInputElement>(null);
  const urlField = useRef<HTMLInputElement>(null);
  useEffect(() => nameField.current?.focus(), []);

  const nameTrouble = nameProblem(name.value, taken);
  const urlTrouble = urlProblem(url.value);
  const add = async (event: Event) => {
    event.preventDefault();
    tried.value = true;
    if (nameTrouble !== undefined) return nameField.current?.focus();
    if (urlTrouble !== undefined) return urlField.current?.focus();
    await act.run(async () => {
      const draft = { name: name.value, url: url.value.trim(), trust: trust.value };
      const { server, problem } = await client.call("server.add", { draft });
      if (server === undefined) throw new Error(problem ?? t("dash_add_failed"));
      location.hash = hrefOf("servers", server.id);
    });
  };

  return (
    <>
      <PageHead title={t("dash_add_server")} />
      <div class="body">
        <form class="form" noValidate onSubmit={add}>
          <Field
            id="draft-name"
            label={t("dash_name")}
            hint={t("dash_name_hint")}
            problem={tried.value ? nameTrouble : undefined}
          >
            <input
              class="in"
              id="draft-name"
              ref={nameField}
              value={name.value}
              maxLength={64}
              autocomplete="off"
              spellcheck={false}
              aria-invalid={tried.value && nameTrouble !== undefined}
              aria-describedby="draft-name-note"
              onInput={(event) => {
                name.value = event.currentTarget.value;
              }}
            />
          </Field>
          <Field
            id="draft-url"
            label={t("dash_address")}
            hint={t("dash_address_hint")}
            problem={tried.value ? urlTrouble : undefined}
          >
            <input
              class="in"
              id="draft-url"
              ref={urlField}
              type="url"
              inputMode="url"
              placeholder="https://mcp.example.org/mcp"
              value={url.value}
              autocomplete="off"
              spellcheck={false}
              aria-invalid={tried.value && urlTrouble !== undefined}
              aria-describedby="draft-url-note"
              onInput={(event) => {
                url.value = event.currentTarget.value;
              }}
            />
          </Field>
          <fieldset>
            <legend>{t("dash_trust")}</legend>
            {TRUST.map((one) => (
              <label key={one} class="check">
                <input
                  type="radio"
                  name="trust"
                  checked={trust.value === one}
                  onChange={() => {
                    trust.value = one;
                  }}
                />
                <span>
                  {t(`dash_trust_${one}`)}
                  <small>{t(`dash_trust_text_${one}`)}</small>
                </span>
              </label>
            ))}
          </fieldset>
          <Problem act={act} />
          <div class="row">
            <button type="submit" class="btn btn-main" disabled={act.busy}>
              {t(act.busy ? "dash_adding" : "dash_add_server")}
            </button>
            <a class="btn" href={hrefOf("servers")}>
              {t("dash_cancel")}
            </a>
          </div>
          <p class="hint">{t("dash_add_note")}</p>
        </form>
      </div>
    </>
  );
}

interface FieldProps {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly problem: string | undefined;
  readonly children: ComponentChildren;
}

function Field({ id, label, hint, problem, children }: FieldProps): JSX.Element {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      <p id={`${id}-note`} class={problem === undefined ? "hint" : "hint hint-bad"} aria-live="polite">
        {problem !== undefined && <Icon name="warn" />}
        {problem ?? hint}
      </p>
    </div>
  );
}

function nameProblem(name: string, taken: readonly string[]): string | undefined {
  if (name === "") return t("dash_name_empty");
  if (!/^[A-Za-z0-9._-]{1,64}$/.test(name)) return t("dash_name_wrong");
  return taken.some((one) => one.toLowerCase() === name.toLowerCase()) ? t("dash_name_taken", name) : undefined;
}

function urlProblem(url: string): string | undefined {
  if (url.trim() === "") return t("dash_address_empty");
  try {
    parseServerUrl(url);
    return undefined;
  } catch (error) {
    return error instanceof GatewayError ? error.message : t("dash_address_empty");
  }
}
