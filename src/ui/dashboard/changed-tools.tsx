/** Tools of one server that are off until the person has seen what changed. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { Pin } from "../../core/pins/pin.ts";
import type { ControlClient } from "../../platform/door.ts";
import { Icon } from "../shared/icon.tsx";
import { Said } from "../shared/said.tsx";
import { t, tx } from "../shared/text.ts";
import { When } from "../shared/when.tsx";
import { ChangedTool } from "./changed-tool.tsx";

interface ChangedToolsProps {
  readonly client: ControlClient;
  readonly pins: readonly Pin[];
  readonly onChanged: () => void;
}

export function ChangedTools({ client, pins, onChanged }: ChangedToolsProps): JSX.Element | null {
  const open = useSignal("");
  const changed = pins.filter((pin) => pin.pending !== undefined);
  if (changed.length === 0) return null;
  return (
    <ul class="todo">
      {changed.map((pin) => (
        <li key={pin.tool}>
          <div class="todo-line">
            <Icon name="edit" />
            <div>{tx("dash_tool_off", <Said text={pin.tool} />)}</div>
            <span class="faint nowrap">{pin.pendingSince !== undefined && <When at={pin.pendingSince} />}</span>
            <button
              type="button"
              class="btn"
              aria-expanded={open.value === pin.tool}
              onClick={() => {
                open.value = open.value === pin.tool ? "" : pin.tool;
              }}
            >
              {t(open.value === pin.tool ? "dash_close" : "dash_review")}
            </button>
          </div>
          {open.value === pin.tool && <ChangedTool client={client} pin={pin} onChanged={onChanged} />}
        </li>
      ))}
    </ul>
  );
}
