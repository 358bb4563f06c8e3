/**
 * Which server answers for a resource, where an agent sees several at once. Addresses stay as the servers wrote them, also
 * inside texts, so an agent's request says only the address.
 *
 * Decided: who listed an address answers for it, of several the first by name (the others' item is left out of the list);
 * then who has the template that fits it best; then who names it as the app of a tool. Nobody else is asked. Trying one
 * server after another would tell each of them what the agent wants of the others.
 */

export interface Owners {
  /** Gives whether the address is this server's from now on. */
  claim(principalKey: string, uri: string, server: string): boolean;
  claimTemplate(principalKey: string, template: string, server: string): boolean;
  of(principalKey: string, uri: string): string | undefined;
}

/** Of one site. */
const MOST = 10_000;

interface Known {
  readonly uris: Map<string, string>;
  readonly templates: Map<string, string>;
}

export function createOwners(): Owners {
  const sites = new Map<string, Known>();
  const known = (principalKey: string): Known => {
    const found = sites.get(principalKey) ?? { uris: new Map(), templates: new Map() };
    sites.set(principalKey, found);
    return found;
  };
  return {
    claim: (principalKey, uri, server) => claim(known(principalKey).uris, uri, server),
    claimTemplate: (principalKey, template, server) => claim(known(principalKey).templates, template, server),
    of(principalKey, uri) {
      const { uris, templates } = known(principalKey);
      return uris.get(uri) ?? templates.get(uri) ?? bestFit(uri, templates);
    },
  };
}

/** Lists are asked in the order of names, and a later one with the same address does not get it. */
function claim(names: Map<string, string>, name: string, server: string): boolean {
  const before = names.get(name);
  if (before !== undefined && before <= server) return before === server;
  const [oldest] = names.keys();
  if (names.size >= MOST && oldest !== undefined) names.delete(oldest);
  names.set(name, server);
  return true;
}

/** The longest fixed beginning; nothing where two servers have it. */
function bestFit(uri: string, templates: ReadonlyMap<string, string>): string | undefined {
  let best = 0;
  let owners = new Set<string>();
  for (const [template, server] of templates) {
    const length = template.indexOf("{");
    if (length < Math.max(best, 1) || !uri.startsWith(template.slice(0, length))) continue;
    if (length > best) owners = new Set();
    best = length;
    owners.add(server);
  }
  const [only, ...others] = owners;
  return others.length === 0 ? only : undefined;
}
