/**
 * What stands in the window, as one text to compare, and the answer that names it. Between them nothing can slip in: the
 * arming begins anew when the text changes, and the answer carries the digest and the identical calls of what was drawn.
 *
 * INVARIANT: everything that is drawn is in the text; of the arguments their digest is.
 */
import type { ControlParams, ControlResult } from "../../bridge/control-api.ts";
import type { AlikeSite } from "../../core/consent/alike-sites.ts";
import type { Approval } from "../../core/consent/approval.ts";
import type { Given } from "./frame.tsx";

export interface Shown extends Pick<ControlResult<"approval.read">, "alike" | "pinned"> {
  readonly approval: Approval;
  /** A site that the person knows and that this one could be taken for. */
  readonly twin: AlikeSite | undefined;
}

export function contentOf({ approval, alike, pinned, twin }: Shown): string {
  const drawn = approval.kind === "call" ? { ...approval, argumentsText: "" } : approval;
  return JSON.stringify([drawn, pinned, alike, twin]);
}

export function answerOf({ approval, alike }: Shown, given: Given): ControlParams<"approval.answer"> {
  const { id, digest } = approval;
  const { answer, scope, grant, tools, reply } = given;
  return {
    id,
    digest,
    also: alike,
    answer,
    scope,
    ...(grant && { grant }),
    ...(tools && { tools }),
    ...(reply && { reply }),
  };
}
