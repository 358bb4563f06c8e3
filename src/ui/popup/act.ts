/** What a person does in the popup: sent once, shown as a sentence when it fails, and seen in the view right after. */
import type { ControlMethod, ControlParams, ControlResult } from "../../bridge/control-api.ts";

/** Resolves with the result, or with undefined after the failure was shown. */
export type Act = <M extends ControlMethod>(
  method: M,
  params: ControlParams<M>,
) => Promise<ControlResult<M> | undefined>;
