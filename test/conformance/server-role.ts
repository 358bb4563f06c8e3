/**
 * The server role: the suite is the client. It speaks to the shim, the shim through the page to navra's face, and navra to
 * a fixture server of one era, over HTTP or as a program behind the native host. What the suite sees is what navra makes of
 * the fixture.
 */
import { serveFixture } from "./fixture/serve.ts";
import type { Era } from "./fixture/server.ts";
import type { Place } from "./place.ts";
import { openShim } from "./shim.ts";
import { fixtureAddress } from "./stdio.ts";
import { runSuite, type SuiteRun } from "./suite.ts";

export async function serverRole(place: Place, revision: string, era: Era): Promise<SuiteRun> {
  const fixture = await serveFixture(era);
  try {
    return await through(place, revision, fixture.url);
  } finally {
    await fixture.stop();
  }
}

/** The same behind the native host, over standard input and output. */
export function stdioRole(place: Place, revision: string, era: Era): Promise<SuiteRun> {
  return through(place, revision, fixtureAddress(era));
}

async function through(place: Place, revision: string, address: string): Promise<SuiteRun> {
  const server = await place.connect(address);
  if (server.problem !== undefined) throw new Error(`navra does not reach the fixture: ${server.problem}`);
  const shim = await openShim(place.page, server.name);
  try {
    return await runSuite({ leg: "server", revision, args: ["--url", shim.url] });
  } finally {
    await shim.stop();
    await place.disconnect(server);
  }
}
