/**
 * Who asks. A principal is made once per port, from what the browser says of the sender, never from anything a page says.
 * Grants, connections and labels belong to it; the agent's own name is a label for display.
 */

export interface Principal {
  /** Exact origin of the frame: https, or http on loopback. */
  readonly origin: string;
  /** Origin of the tab's top-level document; differs from `origin` in an embedded frame of another site. */
  readonly topSite: string;
  /** Firefox container or Chromium store; `"default"` where the browser does not say. */
  readonly cookieStore: string;
  /** Private window: nothing of this principal is ever written to disk. */
  readonly private: boolean;
}

/** Where a frame lives now; for display, records, and for closing what belongs to a document. */
export interface Place {
  readonly tabId: number;
  readonly frameId: number;
  readonly documentId: string;
}

/** Stable text for maps and stores: equal exactly when all four members are equal. */
export function principalKey(principal: Principal): string {
  return JSON.stringify([principal.origin, principal.topSite, principal.cookieStore, principal.private]);
}

/** Whether a key is that of a principal in a private window. */
export function isOfPrivateWindow(key: string): boolean {
  return key.endsWith(",true]");
}

export function isEmbedded(principal: Principal): boolean {
  return principal.origin !== principal.topSite;
}
