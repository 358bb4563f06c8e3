/** What a server offers: each tool with what it does in our words, and whether it is still what was approved. */
import type { JSX } from "preact";
import type { ServerView } from "../../bridge/control-api.ts";
import type { Pin } from "../../core/pins/pin.ts";
import type { Catalogue, ToolDefinition } from "../../core/servers/server.ts";
import { toolClass } from "../../core/servers/tool-class.ts";
import { Icon } from "../shared/icon.tsx";
import { Said, Slip } from "../shared/said.tsx";
import { formatNumber, t } from "../shared/text.ts";
import { exact } from "../shared/time.ts";
import { ToolVerb } from "../shared/tool-class.tsx";
import { When } from "../shared/when.tsx";

export function ServerTools({ view }: { readonly view: ServerView }): JSX.Element {
  const { catalogue } = view;
  if (catalogue === undefined) {
    return (
      <section class="sec">
        <h2>{t("dash_tools_head")}</h2>
        <p class="dim">{t("dash_no_catalogue")}</p>
      </section>
    );
  }
  return (
    <section class="sec">
      <h2>
        {t("dash_tools_head")} <small>{formatNumber(catalogue.tools.length)}</small>
      </h2>
      {catalogue.tools.length === 0 ? (
        <p class="dim">{t("dash_no_tool")}</p>
      ) : (
        <div class="table-wrap">
          <table class="table table-top">
            <thead>
              <tr>
                <th scope="col">{t("dash_col_tool")}</th>
                <th scope="col">{t("dash_col_does")}</th>
                <th scope="col">{t("dash_col_says")}</th>
                <th scope="col">{t("dash_col_definition")}</th>
              </tr>
            </thead>
            <tbody>
              {catalogue.tools.map((tool) => (
                <ToolRow key={tool.name} tool={tool} view={view} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <LeftOut tools={catalogue.unusable ?? []} />
      {catalogue.instructions !== "" && (
        <div class="stack instructions">
          <p class="hint">{t("dash_instructions")}</p>
          <Slip text={catalogue.instructions} />
        </div>
      )}
    </section>
  );
}

function ToolRow({ tool, view }: { readonly tool: ToolDefinition; readonly view: ServerView }): JSX.Element {
  const pin = view.pins.find((one) => one.tool === tool.name);
  const { description } = tool.value;
  return (
    <tr>
      <td>
        <Said text={tool.name} />
      </td>
      <td class="nowrap">
        <ToolVerb
          of={toolClass(tool.value, {
            trusted: view.server.trust === "trusted",
            pinned: pin !== undefined && pin.pending === undefined,
          })}
        />
      </td>
      <td>{typeof description === "string" && description !== "" ? <Said text={description} /> : "–"}</td>
      <td class="nowrap">
        <PinState pin={pin} />
      </td>
    </tr>
  );
}

/** What the server offers and navra does not pass on, with the reason. */
function LeftOut({ tools }: { readonly tools: NonNullable<Catalogue["unusable"]> }): JSX.Element | null {
  if (tools.length === 0) return null;
  return (
    <div class="stack instructions" data-part="left-out">
      <h3>
        {t("dash_left_out")} <small>{formatNumber(tools.length)}</small>
      </h3>
      <p class="hint">{t("dash_left_out_text")}</p>
      <ul class="lines">
        {tools.map(({ name, problem }) => (
          <li key={name} class="row">
            <Said text={name} /> <span class="dim">{problem}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function PinState({ pin }: { readonly pin: Pin | undefined }): JSX.Element {
  if (pin === undefined) return <span class="tag tag-new">{t("dash_pin_new")}</span>;
  if (pin.pending !== undefined) return <span class="tag tag-new">{t("dash_tool_changed")}</span>;
  return (
    <span class="tag" title={exact(pin.approvedAt)}>
      <Icon name="lock" />
      {t("dash_pin_same")} <When at={pin.approvedAt} />
    </span>
  );
}
