/** What is wrong with the helper for local servers, and the one command that repairs it. */
import type { JSX } from "preact";
import type { HostState } from "../../bridge/native-view.ts";
import { Command } from "./command.tsx";
import { t } from "./text.ts";

const HOST = "node dist/host/navra-host.mjs";

export function hostCommand(command: "install" | "doctor" | "review"): string {
  return `${HOST} ${command}`;
}

export function HelperRemedy({ state }: { readonly state: HostState["state"] }): JSX.Element {
  return (
    <>
      <p>{t(`shared_helper_${state}`)}</p>
      <Command text={hostCommand(state === "broken" ? "doctor" : "install")} />
    </>
  );
}
