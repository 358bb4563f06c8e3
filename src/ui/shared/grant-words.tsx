/** A standing answer in words: how far it reaches, until when, how often it was used; and the same as text for a filter. */
import type { ComponentChild } from "preact";
import type { GrantView } from "../../bridge/control-api.ts";
import type { FilterRow } from "./filter.ts";
import { siteName } from "./site.tsx";
import { t, tn } from "./text.ts";
import { clockTime } from "./time.ts";

export function grantReach({ grant }: GrantView): string {
  return t(`shared_grant_${grant.scope}`);
}

export function grantUntil({ grant }: GrantView): string {
  const { expiresAt } = grant;
  return expiresAt === null ? t("shared_grant_open") : clockTime(expiresAt, Date.now());
}

export function grantUses({ grant }: GrantView): ComponentChild {
  const used = tn("shared_grant_used", grant.used);
  return grant.usesLeft === null ? used : `${used}, ${tn("shared_grant_left", grant.usesLeft)}`;
}

/** The key is the JSON text that `principalKey` makes; its first two members are the origins. */
export function grantSite({ grant }: GrantView): { readonly origin: string; readonly topSite: string } {
  const parts: unknown = JSON.parse(grant.principalKey);
  const [origin, topSite] = Array.isArray(parts) ? (parts as unknown[]) : [];
  const text = (part: unknown): string => (typeof part === "string" ? siteName(part) : "");
  return { origin: text(origin), topSite: text(topSite) };
}

export function grantRow(view: GrantView, serverName: string): FilterRow {
  const { origin, topSite } = grantSite(view);
  const { tool, scope } = view.grant;
  return { site: `${origin} ${topSite}`, server: serverName, tool, scope, pattern: view.pattern ?? "" };
}
