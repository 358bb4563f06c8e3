/** The latest lines that a local server wrote beside its messages. */
import type { JSX } from "preact";
import type { ControlClient } from "../../platform/door.ts";
import { useData } from "../shared/ask.ts";
import { Slip } from "../shared/said.tsx";
import { t, tn } from "../shared/text.ts";
import { Await } from "./await.tsx";

interface LocalLogProps {
  readonly client: ControlClient;
  /** The entry's name in the helper's list. */
  readonly name: string;
}

export function LocalLog({ client, name }: LocalLogProps): JSX.Element {
  const log = useData(client, "local-log.read", { name }, ["local"]);
  return (
    <Await loaded={log}>
      {({ lines, noise }) => (
        <div class="stack" data-log={name}>
          {noise > 0 && <p class="hint">{tn("dash_local_noise", noise)}</p>}
          {lines.length === 0 ? (
            <p class="dim">{t("dash_local_log_none")}</p>
          ) : (
            <Slip text={lines.join("\n")} lines="ours" />
          )}
        </div>
      )}
    </Await>
  );
}
