/** Every control method's handler, put together from one file per subject; a missing one does not compile. */
import type { ControlApi, ControlMethod, ControlParams, ControlResult } from "../../bridge/control-api.ts";
import type { Gateway } from "../../core/gateway.ts";
import type { Topic } from "../../core/ports.ts";
import type { ControlPeer } from "../../platform/worker/control-sender.ts";
import type { NativePort } from "../../platform/worker/native-port.ts";
import type { PageOpener } from "../../platform/worker/open-page.ts";
import type { TabReader } from "../../platform/worker/tabs.ts";
import { approvalHandlers } from "./approvals.ts";
import { limitHandlers } from "./limits.ts";
import { localHandlers } from "./local.ts";
import { policyBasisHandlers } from "./policy-basis.ts";
import { recordHandlers } from "./records.ts";
import { ruleFileHandlers } from "./rule-files.ts";
import { ruleHandlers } from "./rules.ts";
import { serverHandlers } from "./servers.ts";
import { siteHandlers } from "./site.ts";

export type Handler<Method extends ControlMethod> = (
  params: ControlParams<Method>,
  peer: ControlPeer,
) => ControlResult<Method> | Promise<ControlResult<Method>>;

export type Handlers = { readonly [Method in keyof ControlApi]: Handler<Method> };

export interface HandlerOptions {
  readonly gateway: Gateway;
  readonly native: NativePort;
  readonly reader: TabReader;
  readonly openApproval: (id: string) => Promise<void>;
  /** A page that a server wants opened, in a plain tab of the window that asked. Call it only after a yes. */
  readonly openPage: PageOpener;
  readonly updateFence: () => Promise<void>;
  /** Tells every open page of navra's what changed. */
  readonly changed: (topic: Topic) => void;
}

export function createHandlers(options: HandlerOptions): Handlers {
  return {
    ...siteHandlers(options),
    ...ruleHandlers(options),
    ...ruleFileHandlers(options),
    ...policyBasisHandlers(options),
    ...approvalHandlers(options),
    ...serverHandlers(options),
    ...limitHandlers(options),
    ...localHandlers(options),
    ...recordHandlers(options),
  };
}
