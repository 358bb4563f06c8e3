/** What a tool does, in our verb and not in the server's words. */
import type { JSX } from "preact";
import type { ToolClass } from "../../core/servers/server.ts";
import { Icon } from "./icon.tsx";
import type { IconName } from "./icon-shapes.ts";
import { t } from "./text.ts";

/** In the order they are listed. */
export const TOOL_CLASSES: readonly ToolClass[] = ["read", "write", "external"];

export const CLASS_ICONS: Readonly<Record<ToolClass, IconName>> = { read: "read", write: "edit", external: "sendout" };

/** "reads", "changes", "sends out". */
export function ToolVerb({ of }: { readonly of: ToolClass }): JSX.Element {
  return (
    <span class="tag">
      <Icon name={CLASS_ICONS[of]} />
      {t(`shared_verb_${of}`)}
    </span>
  );
}
