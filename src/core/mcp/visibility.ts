/**
 * Whom a tool is for, where its server offers apps: the model, the app it shows, or both. The page shows the app, so only
 * the page can say which of the two wants to call; navra knows whether the agent said that it shows apps at all.
 *
 * Decided: to an agent that shows no apps, a tool that is not for the model does not exist, in lists and in calls. An agent
 * that shows apps is the host that the extension speaks of: it gets every tool with its visibility, since it has to let
 * apps call theirs, and answers for what it shows its model. It can say who calls with `io.github.navra/caller` in `_meta`,
 * `"app"` or `"model"`; then the call has to be one of theirs. What it does not say, nobody can know.
 *
 * @see SEP-1865 MCP Apps · Tool visibility
 */
import { isObject, type JsonObject } from "../wire/json.ts";
import { declares, UI } from "./extensions.ts";
import { metaOf } from "./meta.ts";

/** Whether an agent of these capabilities may know of the tool. */
export function isShown(definition: JsonObject, capabilities: JsonObject): boolean {
  return declares(capabilities, UI) || isFor(definition, "model");
}

/** Whether it may call it, as far as it says for whom. */
export function mayCall(definition: JsonObject, params: JsonObject | undefined, capabilities: JsonObject): boolean {
  const caller = metaOf(params)?.[CALLER];
  if (caller === "app") return declares(capabilities, UI) && isFor(definition, "app");
  return caller === "model" ? isFor(definition, "model") : isShown(definition, capabilities);
}

/** Says whether the app or the model calls a tool. */
const CALLER = "io.github.navra/caller";

/** Both where the tool does not say; a list that cannot be read is for nobody. */
function isFor(definition: JsonObject, whom: "model" | "app"): boolean {
  const ui = metaOf(definition)?.ui;
  const visibility = isObject(ui) ? ui.visibility : undefined;
  return visibility === undefined || (Array.isArray(visibility) && visibility.includes(whom));
}
