/**
 * Names of tools and prompts where an agent sees several servers at once: the server's name and theirs, in what model
 * providers accept everywhere (letters, digits, `_`, `-`, at most 64). The server's name is the one the person gave it;
 * what a server calls itself counts for nothing. A name that fits is told apart at the first double underscore; any other
 * is cut and ends in a digest of both names, so that nobody can choose a name that is taken for another's.
 *
 * @see MCP 2026-07-28 · Tools · Tool names (aggregators)
 */

export interface Named {
  readonly server: string;
  readonly name: string;
}

export type Digest = (text: string) => Promise<string>;

const MOST = 64;
const SERVER = /^[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*$/;
const NAME = /^[A-Za-z0-9_-]+$/;
const DIGESTED = /-[0-9a-f]{16}$/;
const SERVER_CUT = 20;
const NAME_CUT = 25;
const DIGEST_CUT = 16;

export async function aliasOf(named: Named, digest: Digest): Promise<string> {
  const { server, name } = named;
  if (isPlain(named)) return `${server}__${name}`;
  const hash = await digest(JSON.stringify([server, name]));
  return `${cut(server, SERVER_CUT)}__${cut(name, NAME_CUT)}-${hash.slice(0, DIGEST_CUT)}`;
}

/** Whether the alias says by itself what it stands for. */
export function isPlain({ server, name }: Named): boolean {
  return SERVER.test(server) && NAME.test(name) && !DIGESTED.test(name) && server.length + 2 + name.length <= MOST;
}

/** Both names of a plain alias; nothing for one that has to be looked up, and for what is none. */
export function readAlias(alias: string): Named | undefined {
  const at = alias.indexOf("__");
  if (at < 0) return undefined;
  const named = { server: alias.slice(0, at), name: alias.slice(at + 2) };
  return isPlain(named) ? named : undefined;
}

function cut(text: string, most: number): string {
  return text.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, most);
}
