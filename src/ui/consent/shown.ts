/**
 * What stands in the window, as one text to compare, and the answer that names it. Between them nothing can slip in: the
 * arming begins anew when the text changes, and the answer carries the digest and the identical calls of what was drawn.
 *
 * INVARIANT: everything that is drawn is in the text; of the arguments their digest is.
 */
import type { ControlParams, ControlResult } from "../../bridge/control-api.ts";
import type { Approval } from "../../core/consent/approval.ts";
import type { Given } from "./frame.tsx";

export interface Shown extends Pick<ControlResult<"approval.read">, "alike" | "pinned"> {
  readonly approval: Approval;
}

export function contentOf({ approval, alike, pinned }: Shown): string {
  const drawn = approval.kind === "call" ? { ...approval, argumentsText: "" } : approval;
  return JSON.stringify([drawn, pinned, alike]);
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
