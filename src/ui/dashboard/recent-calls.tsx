/** The last calls of all sites, each a step away from its record. */
import type { JSX } from "preact";
import type { CallView } from "../../bridge/control-api.ts";
import { ending, passage } from "../shared/call-words.ts";
import { fineDuration } from "../shared/fine-duration.ts";
import { Said } from "../shared/said.tsx";
import { siteName } from "../shared/site.tsx";
import { formatNumber, t } from "../shared/text.ts";
import { Verdict } from "../shared/verdict.tsx";
import { When } from "../shared/when.tsx";
import { hrefOf } from "./route.ts";

export function RecentCalls({ calls }: { readonly calls: readonly CallView[] }): JSX.Element {
  return (
    <section class="sec">
      <header class="sec-head">
        <h2>{t("dash_recent")}</h2>
        <span class="grow" />
        <a href={hrefOf("records")}>{t("dash_all_records")}</a>
      </header>
      {calls.length === 0 ? (
        <p class="dim">{t("dash_no_call")}</p>
      ) : (
        <div class="table-wrap">
          <table class="table table-dense">
            <thead>
              <tr>
                <th scope="col">{t("dash_col_verdict")}</th>
                <th scope="col">{t("dash_col_site")}</th>
                <th scope="col">{t("dash_col_what")}</th>
                <th scope="col">{t("dash_col_why")}</th>
                <th scope="col" class="wide-only">
                  {t("dash_col_outcome")}
                </th>
                <th scope="col" class="num wide-only">
                  {t("dash_col_took")}
                </th>
                <th scope="col" class="num">
                  {t("dash_col_when")}
                </th>
              </tr>
            </thead>
            <tbody>
              {calls.map((call) => (
                <CallRow key={call.callId} call={call} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function CallRow({ call }: { readonly call: CallView }): JSX.Element {
  const { mark, word } = passage(call);
  return (
    <tr>
      <td>
        <Verdict mark={mark} word={word} />
      </td>
      <td>{siteName(call.origin)}</td>
      <td class="nowrap">
        {call.serverName} <Said text={call.tool ?? call.method} />
        {call.count > 1 && <span class="faint"> ×{formatNumber(call.count)}</span>}
      </td>
      <td class="dim">{call.why}</td>
      <td class="dim wide-only">{ending(call)}</td>
      <td class="num faint wide-only">{fineDuration(call.ms)}</td>
      <td class="num faint">
        {call.seq > 0 ? (
          <a href={hrefOf("records", String(call.seq))}>
            <When at={call.at} />
          </a>
        ) : (
          <When at={call.at} />
        )}
      </td>
    </tr>
  );
}
