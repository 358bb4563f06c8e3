/** Why the person is asked: every reason there is, and below them what the window adds in its own words. */
import type { ComponentChildren, JSX } from "preact";
import { Icon } from "../shared/icon.tsx";

interface Props {
  readonly reasons: readonly string[];
  /** Further items of the list. */
  readonly children: ComponentChildren;
}

export function Reasons({ reasons, children }: Props): JSX.Element {
  return (
    <ul class="why">
      {reasons.map((reason) => (
        <li key={reason}>
          <Icon name="rules" />
          <span>{reason}</span>
        </li>
      ))}
      {children}
    </ul>
  );
}
