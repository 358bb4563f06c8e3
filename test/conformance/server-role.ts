/**
 * The server role: the suite is the client. It speaks to the shim, the shim through the page to navra's face, and navra to
 * a fixture server of one era. What the suite sees is what navra makes of the fixture.
 */
import { type Era, serveFixture } from "./fixture/serve.ts";
import type { Place } from "./place.ts";
import { openShim } from "./shim.ts";
import { runSuite, type SuiteRun } from "./suite.ts";

export async function serverRole(place: Place, revision: string, era: Era): Promise<SuiteRun> {
  const fixture = await serveFixture(era);
  try {
    const server = await place.connect(fixture.url);
    if (server.problem !== undefined) throw new Error(`navra does not reach the fixture: ${server.problem}`);
    const shim = await openShim(place.page, server.name);
    try {
      return await runSuite({ leg: "server", revision, args: ["--url", shim.url] });
    } finally {
      await shim.stop();
      await place.disconnect(server);
    }
  } finally {
    await fixture.stop();
  }
}
