/** The head of every page: its name, one line about it, and what can be done. */
import type { ComponentChildren, JSX } from "preact";

interface PageHeadProps {
  readonly title: string;
  readonly note?: ComponentChildren;
  readonly children?: ComponentChildren;
}

export function PageHead({ title, note, children }: PageHeadProps): JSX.Element {
  return (
    <header class="ph">
      <h1>{title}</h1>
      {note !== undefined && <span class="dim">{note}</span>}
      <span class="grow" />
      {children}
    </header>
  );
}
