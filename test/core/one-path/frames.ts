/** Two hundred frames of an agent's: every kind of ending a call can have, over and over with other ids and arguments. */
import { MODERN_META } from "../../fakes/gateway.ts";
import { GITHUB_TOKEN } from "../inspect/samples.ts";

type Make = (at: number) => { readonly method: string; readonly params?: object };

const call =
  (name: string, args: object = { path: "/a" }, meta: object = {}): Make =>
  (at) => ({ method: "tools/call", params: { name, arguments: { ...args, at }, _meta: meta } });

const KINDS: readonly Make[] = [
  call("file_read", { path: "/etc/hostname" }),
  call("file_read", { path: "grüße 😀 \u2028" }),
  call("file_read", { path: "/a", deep: [[{ x: [null, true] }]] }),
  call("file_write", { path: "/allowed" }),
  call("file_write", { path: "/denied" }),
  call("file_burn"),
  call("file_read", { path: `with ${GITHUB_TOKEN}` }),
  call("unlucky"),
  call("refusing"),
  call("chatty", { path: "/a" }, { progressToken: "mine" }),
  call("hidden"),
  call("leaky"),
  call("nowhere"),
  (at) => ({ method: "resources/read", params: { uri: `file:///${at}` } }),
  (at) => ({ method: "prompts/get", params: { name: "p", arguments: { at: String(at) } } }),
  () => ({ method: "tools/list", params: {} }),
  call("curious"),
  call("nosy"),
  () => ({ method: "resources/list", params: {} }),
  call("doubled"),
];

const DECLARING = { ...MODERN_META, "io.modelcontextprotocol/clientCapabilities": { elicitation: {} } };

export const COUNT = 200;

export function frameAt(at: number, modern: boolean): { readonly id: unknown; readonly text: string } {
  const id = at % 3 === 0 ? `a-${at}` : at + 1;
  const { method, params = {} } = (KINDS[at % KINDS.length] as Make)(at);
  const meta = { ...("_meta" in params ? (params._meta as object) : {}), ...(modern ? DECLARING : {}) };
  return { id, text: JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta: meta } }) };
}
