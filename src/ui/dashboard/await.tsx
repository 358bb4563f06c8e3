/** What stands where an answer is still missing: skeletons, the silence as a message, or why it was refused. */
import type { ComponentChild, JSX } from "preact";
import { restart } from "../../platform/pages.ts";
import type { Loaded } from "../shared/ask.ts";
import { Icon } from "../shared/icon.tsx";
import { t } from "../shared/text.ts";

interface AwaitProps<T> {
  readonly loaded: Loaded<T>;
  readonly children: (data: T) => ComponentChild;
}

export function Await<T>({ loaded, children }: AwaitProps<T>): JSX.Element {
  const { data, status, problem, reload } = loaded;
  return (
    <>
      {status === "silent" && (
        <div class="banner" data-v="unknown" role="alert">
          <Icon name="unknown" />
          <div>
            <b>{t("shared_silent")}</b>
            <p>{t("shared_silent_more")}</p>
            <div class="acts">
              <button type="button" class="btn btn-s" onClick={reload}>
                {t("dash_try_again")}
              </button>
              <button type="button" class="btn btn-s" onClick={restart}>
                {t("dash_restart")}
              </button>
            </div>
          </div>
        </div>
      )}
      {status === "failed" && (
        <div class="banner" data-v="deny" role="alert">
          <Icon name="deny" />
          <p>{problem}</p>
          <button type="button" class="btn btn-s" onClick={reload}>
            {t("dash_try_again")}
          </button>
        </div>
      )}
      {data !== undefined && children(data)}
      {data === undefined && status === "starting" && <Skeletons />}
    </>
  );
}

function Skeletons(): JSX.Element {
  return (
    <div class="body skeletons" role="status" aria-label={t("dash_loading")}>
      {["70%", "55%", "62%", "40%"].map((inlineSize) => (
        <i key={inlineSize} class="skel" style={{ inlineSize }} />
      ))}
    </div>
  );
}
