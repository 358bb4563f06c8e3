/** A question's way: from the server through the gate, to the person or to the agent of a site. */
import type { ComponentChildren, JSX } from "preact";
import { Icon } from "../shared/icon.tsx";

interface Props {
  readonly server: string;
  readonly during: ComponentChildren;
  readonly asked: ComponentChildren;
  readonly note: ComponentChildren;
}

export function AsksCrossing({ server, during, asked, note }: Props): JSX.Element {
  return (
    <div class="crossing" data-v="ask">
      <div class="end">
        <b>
          <bdi>{server}</bdi>
        </b>
        <small>{during}</small>
      </div>
      <span class="way" />
      <span class="gate">
        <Icon name="gateask" />
      </span>
      <span class="way out" />
      <div class="end">
        <b>{asked}</b>
        <small>{note}</small>
      </div>
    </div>
  );
}
