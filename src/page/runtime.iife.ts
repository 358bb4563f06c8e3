/** The runtime's entry: the page's own world, document start, secure contexts only. It exports nothing and adds no global. */
import { installProvider } from "./provider.ts";

if (isSecureContext) {
  const listen = installProvider({ target: window, CustomEvent, crypto });
  // A document that is opened anew gets a new root element; an observer outlives that, listeners do not.
  new MutationObserver(listen).observe(document, { childList: true });
}
