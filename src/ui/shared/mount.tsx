/** Puts a view into its page; the only place that touches the document of an entry. */
import { type ComponentChild, render } from "preact";

export function mount(view: ComponentChild): void {
  const root = document.getElementById("root");
  if (root) render(view, root);
}
