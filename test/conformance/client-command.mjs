/**
 * What the suite starts as "the client", once for each scenario. It asks the runner, which has the browser open, to act the
 * scenario out, and ends as that ended.
 */
const errand = {
  scenario: process.env.MCP_CONFORMANCE_SCENARIO,
  version: process.env.MCP_CONFORMANCE_PROTOCOL_VERSION,
  context: process.env.MCP_CONFORMANCE_CONTEXT,
  url: process.argv.at(-1),
};
const answer = await fetch(process.env.NAVRA_CONFORMANCE_RUNNER, { method: "POST", body: JSON.stringify(errand) });
const { problem } = await answer.json();
if (problem !== undefined) console.error(problem);
process.exit(problem === undefined ? 0 : 1);
