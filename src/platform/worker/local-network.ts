/**
 * Whether the browser keeps navra from servers nearby. It fails such requests like any other that cannot be made, so after a
 * failure it is asked whether the person denied the way. Browsers that know no such permission never did.
 *
 * @see https://wicg.github.io/local-network-access/ (permissions)
 */
import { netsOf } from "../../core/policy/host.ts";

/** As it was first named, and the two that took its place; a browser knows some of them. */
const NAMES = ["local-network-access", "local-network", "loopback-network"] as const;

export async function isLocalNetworkRefused(url: string): Promise<boolean> {
  const nets = netsOf(new URL(url).hostname);
  if (!nets.includes("loopback") && !nets.includes("private")) return false;
  const states = await Promise.all(NAMES.map(stateOf));
  return states.includes("denied");
}

async function stateOf(name: (typeof NAMES)[number]): Promise<PermissionState | undefined> {
  try {
    return (await navigator.permissions.query({ name: name as PermissionName })).state;
  } catch {
    return undefined;
  }
}
