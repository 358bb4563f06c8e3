/**
 * What the protocol asks of a client, sentence by sentence, and the test that shows it. `shown` names a test by its file and
 * (part of) its title; `not` says why something is not so here, in a sentence a reviewer can argue with.
 *
 * @see MCP 2024-11-05 … 2026-07-28 · Base protocol, Transports, Lifecycle, Utilities
 */
export interface Requirement {
  readonly section: string;
  readonly says: string;
  readonly shown?: readonly (readonly [file: string, title: string])[];
  readonly not?: string;
}

const S = "test/core/servers";
const T = "test/core/transports";

const row = (section: string, says: string, ...shown: readonly (readonly [string, string])[]): Requirement => ({
  section,
  says,
  shown,
});
const not = (section: string, says: string, reason: string): Requirement => ({ section, says, not: reason });

export const CLIENT_SIDE: readonly Requirement[] = [
  // Every revision
  row("ids", "A request's id is a string or an integer and never null", [
    "test/core/wire/decode.test.ts",
    'kind: "request", id: token',
  ]),
  row(
    "ids",
    "Towards a server every request has an id of ours, used once in a session, mapped back for the agent",
    [
      `${S}/upstream-legacy.test.ts`,
      "is numbered anew, and its reply carries the agent's id with all other bytes kept",
    ],
    [`${S}/upstream-legacy.test.ts`, "never uses an id twice, also after the worker came back"],
  ),
  row(
    "progress",
    "Tokens are minted anew, so that two agents may pick the same",
    [`${S}/upstream-legacy.test.ts`, "gets progress with the agent's own token, and other notifications as they are"],
    [`${S}/upstream-modern.test.ts`, "maps progress like any other"],
  ),
  row(
    "progress",
    "It strictly increases, and its rate is limited",
    [`${S}/progress.test.ts`, "grows with each report; what repeats, goes back or is no number is left out"],
    [`${S}/progress.test.ts`, "is no flood"],
  ),
  row("progress", "Nobody hears of a token that was not given", [
    `${S}/upstream-legacy.test.ts`,
    "gets no progress that it did not ask for",
  ]),
  row(
    "pagination",
    "Cursors are opaque, the empty one is valid, and a list has an end",
    [`${S}/catalogue.test.ts`, "holds every tool of every page with its exact text"],
    [`${S}/catalogue.test.ts`, "ends at a cursor that comes again"],
  ),
  row(
    "cancellation",
    "Only what is in flight is cancelled, under the id the server knows, and a late reply is ignored",
    [`${S}/upstream-legacy.test.ts`, "that is cancelled tells the server by the id it knows, and ends at once"],
    [`${S}/upstream-websocket.test.ts`, "accepts a reply once; double, foreign and late ones are dropped and counted"],
  ),
  row("cancellation", "`initialize` is never cancelled for one of several who wait for it", [
    `${S}/upstream-legacy.test.ts`,
    "is not cancelled for others when one caller gives up waiting for it",
  ]),
  row(
    "timeouts",
    "Every request has a time, begun anew by signs of life, with an end that nothing moves; the person can set both",
    [`${S}/upstream-bad.test.ts`, "that never answers is given up after five minutes"],
    [`${S}/upstream-bad.test.ts`, "that reports progress is waited for, but not for ever"],
    ["test/core/limits.test.ts", "of a call's time ends the next call that takes longer"],
  ),
  row("tools", "Annotations are claims unless the person trusts the server", [
    `${S}/tool-class.test.ts`,
    "the class of a tool",
  ]),
  row("tools", "Of two tools with one name only one exists", [
    `${S}/catalogue.test.ts`,
    "leaves out what is no tool, and all but the first of one name",
  ]),
  not(
    "icons",
    "Only https or data, the server's own origin, no credentials",
    "No icon of a server's is ever loaded or shown.",
  ),

  // 2024-11-05 HTTP+SSE
  row(
    "HTTP+SSE",
    "The stream's first word is where to post; only an address of the same origin is one",
    [`${T}/http-sse.test.ts`, "posts to the address that the stream names, over one stream for all frames"],
    [`${T}/http-sse.test.ts`, "sends nothing to an address of another origin"],
  ),
  row("HTTP+SSE", "A stream that ends takes its session with it", [
    `${S}/upstream-http-sse.test.ts`,
    "is begun anew with the next request when its stream ends",
  ]),
  row(
    "HTTP+SSE",
    "It is looked for after POST was refused with 400, 404 or 405, and only then",
    [`${S}/upstream-http-sse.test.ts`, "is found where POST is refused, and listed and called over its two endpoints"],
    [`${S}/upstream-http-sse.test.ts`, "is looked for only where POST was refused"],
  ),

  // Streamable HTTP up to 2025-11-25
  row("Streamable HTTP", "Each message is its own POST that accepts both kinds of answer", [
    `${T}/streamable-http.test.ts`,
    "accepts both kinds of answer and carries the given headers",
  ]),
  row("Streamable HTTP", "`initialize` carries neither session nor version; everything after it does", [
    `${S}/upstream-legacy.test.ts`,
    "sends version and session only after initialize",
  ]),
  row("sessions", "An id is visible ASCII, from a successful `initialize` only", [
    `${S}/upstream-legacy.test.ts`,
    "refuses a session id that could not be a header",
  ]),
  row(
    "sessions",
    "404 to a session begins a new one, and the call is sent once more",
    [`${S}/upstream-legacy.test.ts`, "and the call is sent once more"],
    [`${S}/upstream-legacy.test.ts`, "is not opened for ever"],
  ),
  row("sessions", "It ends with DELETE", [
    `${S}/upstream-legacy.test.ts`,
    "ends with a DELETE, its calls and its row when the principal's is closed, and leaves others alone",
  ]),
  row(
    "standing stream",
    "405, and just so 400, 401, 403, 404, 406 and a 200 that is no stream, mean that there is none",
    [`${S}/standing.test.ts`, "is not asked for again where the server says"],
  ),
  row("standing stream", "Streams that open and end without a word are opened a few times only", [
    `${S}/standing.test.ts`,
    "that opens and ends without a word is opened a few times only",
  ]),
  row("standing stream", "It is open while a document of the caller can be seen, and no longer", [
    "test/core/list-news.test.ts",
    "that nobody sees has no standing stream, and has it back when it is seen",
  ]),
  row("streams", "Priming events are not messages", [
    `${T}/streamable-http.test.ts`,
    "reads events however they are cut, and skips priming events, comments and other events",
  ]),
  row(
    "streams",
    "`retry` is obeyed exactly, and the stream goes on with GET and Last-Event-ID",
    [`${S}/resume.test.ts`, "is taken up with GET after exactly the time the server named, and the reply comes there"],
    [`${S}/resume.test.ts`, "is taken up also where it broke"],
  ),
  row(
    "streams",
    "A stream is followed only where it gave event ids, and not for ever",
    [`${S}/resume.test.ts`, "is not without an event id: nothing says where to go on"],
    [`${S}/resume.test.ts`, "is given up after streams that bring nothing new"],
  ),
  row(
    "batches",
    "Agents of 2025-03-26 and 2024-11-05 may send up to a hundred messages at once; no server is sent a batch",
    ["test/core/wire/envelopes.test.ts", "refuses every row that is a batch where the revision has none"],
    ["test/core/wire/decode.test.ts", "gives each item its own slice, and an invalid one a fault in its place"],
  ),
  row(
    "negotiation",
    "The newest revision is asked for, and a server that settles on an unknown one is left alone",
    [`${S}/upstream-legacy.test.ts`, "is not begun with a server whose revision navra does not know"],
    [`${S}/upstream-legacy.test.ts`, "settles on the server's older revision and keeps that session for it"],
  ),
  row(
    "requests of the server's",
    "They are answered in the session, whatever goes wrong",
    [`${S}/upstream-legacy.test.ts`, "lets the server ask back, and posts the whole reply in the session"],
    [`${S}/upstream-legacy.test.ts`, "answers the server also where asking the agent fails"],
  ),

  // 2026-07-28
  row("_meta", "Version, capabilities and client are navra's to say; every other key keeps its bytes", [
    `${S}/upstream-modern.test.ts`,
    "overwrites what the agent wrote there, keeps its name and every other key and byte",
  ]),
  row("trace context", "A trace goes on where there is one and begins where there is none", [
    `${S}/upstream-modern.test.ts`,
    "begins a trace where the agent is in none, and a new span with each request",
  ]),
  row(
    "headers",
    "Version, method and name say what the body says",
    [`${S}/upstream-modern.test.ts`, "stands alone: no handshake, and the standard headers say what the body says"],
    ["test/core/mcp/headers.test.ts", "repeat version, method and name from 2026-07-28 on"],
  ),
  row("headers", "Values that are not plain are carried as Base64 of their UTF-8", [
    "test/core/mcp/headers.test.ts",
    "decodes to the same text",
  ]),
  row(
    "headers",
    "Arguments that a tool marks are repeated, null and absent ones are not",
    [
      "test/core/mcp/param-headers.test.ts",
      "are left out where the argument is null, absent, a structure, or an integer that readers disagree on",
    ],
    ["test/core/header-marks.test.ts", "is called with its arguments mirrored"],
  ),
  row("headers", "A tool with a mark that breaks the rules is dropped, the others stay, and the person can see why", [
    "test/core/header-marks.test.ts",
    "is not listed and not called where the marks break the rules, and the person can see why",
  ]),
  row("errors", "−32020 fetches the list again and sends the call once more", [
    "test/core/header-marks.test.ts",
    "gets the call once more after a fresh list, and no third time",
  ]),
  row("errors", "−32022 that names our own version sends the request once more", [
    `${S}/upstream-modern.test.ts`,
    "is sent once more where the server names that very version as one it speaks",
  ]),
  row("errors", "−32021 is of our hop and never shown as it is to an agent of a session", [
    "test/core/bridge/older-agent.test.ts",
    "of a missing capability are words: in a result of a tool, else in an error",
  ]),
  row("errors", "404 with a JSON-RPC body is the server's answer", [
    `${S}/upstream-modern.test.ts`,
    "hears a 404 with an error as the server's answer",
  ]),
  row("results", "A kind of result that nobody declared is invalid; an absent one is complete", [
    "test/core/tasks.test.ts",
    "is a fault of the server's where nobody declared tasks",
  ]),
  row(
    "streams",
    "Closing the response is the cancellation, and a broken stream is a lost request",
    [`${S}/upstream-modern.test.ts`, "is cancelled by closing the response, without a notification"],
    [`${S}/resume.test.ts`, "of 2026-07-28 is not taken up: the request is lost"],
  ),
  row("sessions", "There are none, whatever the server offers", [
    `${S}/upstream-modern.test.ts`,
    "has no session, whatever the server offers",
  ]),
  row(
    "input required",
    "`requestState` goes back byte for byte, and absent where there was none",
    [
      "test/core/back.test.ts",
      "reaches the agent with a handle in the state's place, and the server gets its own state back byte for byte",
    ],
    ["test/core/back.test.ts", "brings no state where the server gave none"],
  ),
  row(
    "input required",
    "Only calls of tools, prompts and reads may ask, rounds have an end",
    ["test/core/back.test.ts", "is a fault where the method has none"],
    ["test/core/bridge/older-agent.test.ts", "ends when it asks without end"],
  ),
  row(
    "caching",
    "A discovery and a list hold for as long as the server says, for their principal alone",
    [
      `${S}/upstream-modern.test.ts`,
      "is asked once for each principal, given as the exact text, and asked again when its time is over",
    ],
    [`${S}/registry.test.ts`, "leaves a list alone for as long as the server says that it holds"],
  ),
  row(
    "subscriptions",
    "What belongs to a subscription carries its id, its type kept, and ends with the server's result",
    [
      "test/core/subscriptions.test.ts",
      "lasts longer than any call, and ends by the server's result with the agent's id",
    ],
  ),
  row("logging", "A message is passed on only where the request asked for it", [
    "test/core/subscriptions.test.ts",
    "reach no agent that did not",
  ]),
  row(
    "capabilities",
    "Each request declares what its agent declared and navra carries, no more",
    ["test/core/back.test.ts", "is what the agent declared and navra carries, no more"],
    ["test/core/back.test.ts", "follows each request of 2026-07-28"],
  ),

  // Era probe
  row("probe", "Only a valid discovery, or −32022 with a version we speak, proves the newer era", [
    `${S}/probe.test.ts`,
    "judges %s",
  ]),
  row("probe", "A sign-in wall, an overloaded server, silence and a broken network prove nothing", [
    `${S}/probe.test.ts`,
    "learns nothing from silence",
  ]),
  row(
    "probe",
    "A verdict expires; an older server that was replaced is found out while it is used",
    [`${S}/probe.test.ts`, "keeps a verdict for an hour, and asks again then"],
    [`${S}/registry.test.ts`, "finds out that an older server was replaced by a newer one"],
  ),
  row(
    "probe",
    "On a shared connection any other error, silence or hanging up is the older era",
    [`${S}/upstream-websocket.test.ts`, "for the older era"],
    [`${S}/upstream-native.test.ts`, "takes a program that stays silent for one of the older era"],
  ),

  // Schemas
  row(
    "schemas",
    "They pass verbatim, and no reference of theirs is ever fetched",
    [`${S}/catalogue.test.ts`, "holds every tool of every page with its exact text"],
    ["test/laws/redacted-arguments.test.ts", "arguments with something taken out fit the schema, or are not sent"],
  ),

  row(
    "schemas",
    "Each dialect is judged as itself; what is unknown, outside, or without bounds cannot be shown to fit",
    ["test/core/inspect/fits.test.ts", "a reference to the net"],
    ["test/core/inspect/fits.test.ts", "a dialect that nobody knows"],
    ["test/core/inspect/fits.test.ts", "more steps than anyone waits for"],
  ),

  // WebSocket
  row(
    "WebSocket",
    "`mcp` is offered, then nothing; which of them it was is remembered for the server",
    [`${T}/websocket.test.ts`, "tries without a sub-protocol when the handshake with mcp fails, and remembers it"],
    [`${T}/websocket.test.ts`, "shares with others to the same server what it learnt of the sub-protocol"],
  ),
  row("WebSocket", "A binary message ends the connection", [
    `${T}/websocket.test.ts`,
    "ends the connection at a binary message, with a sentence",
  ]),
  not("WebSocket", "… with code 1003", "Browsers let no script close with a code other than 1000 or 3000 to 4999."),
  row(
    "WebSocket",
    "A quiet connection is asked whether it lives, in less time than proxies wait, and a dead one is left",
    [`${S}/upstream-websocket.test.ts`, "is asked after a quiet time whether it lives, and its answer is enough"],
    [
      `${S}/upstream-websocket.test.ts`,
      "that does not answer is dead: open calls end, and a new one is made after a moment",
    ],
  ),
  row("WebSocket", "What was in flight fails, and nothing is sent again", [
    `${S}/upstream-websocket.test.ts`,
    "fails every open call when the connection is lost, and the next call begins a new session",
  ]),
  not(
    "WebSocket",
    "A bearer token goes only where the browser can carry it",
    "navra signs in to no server yet, so there is no token.",
  ),
  row("WebSocket", "Encrypted, or on this computer", [`${S}/url.test.ts`, "is refused with a sentence"]),

  // Resilience
  row("resilience", "Waits are random up to a bound that doubles", [
    `${S}/circuit.test.ts`,
    "is anywhere between nothing and a bound that doubles up to its most",
  ]),
  row("resilience", "Trying again has a budget per server", [
    `${S}/budget.test.ts`,
    "is spent after so many at once, and fills up slowly",
  ]),
  row("resilience", "A server that names a time is left alone until then", [
    `${S}/circuit.test.ts`,
    "is left alone until then, and the agent hears how long that is",
  ]),
  row(
    "resilience",
    "A sleep, or a clock that was set, begins the counting anew",
    [`${S}/budget.test.ts`, "tells when the machine slept through it"],
    [`${S}/circuit.test.ts`, "starts afresh after a long time, as after a sleep"],
  ),
  row("resilience", "What is permanent (401, 403, 404) is not tried again", [
    `${S}/upstream-http-sse.test.ts`,
    "is not hammered where an agent listens",
  ]),
  row("resilience", "Each server has a circuit: closed, open, half open", [
    `${S}/circuit.test.ts`,
    "lets one call through when its time is over, and closes when that one reaches the server",
  ]),
  row("resilience", "One dead server hides no other", ["test/core/one-dead-server.test.ts", "hides no other"]),

  // Origin
  row(
    "Origin",
    "A server that refuses it is named as such, and one switch leaves the header out",
    [
      "test/e2e/origin-header.e2e.ts",
      "is reached when the header is left out, and refused again when it is sent again",
    ],
    [`${T}/streamable-http.test.ts`, "is about the Origin header"],
  ),
  row("Origin", "A browser that keeps navra from the local network is asked and named", [
    "test/platform/worker/local-network.test.ts",
    "was kept back by the browser",
  ]),
  row("other ways", "A page does not reach a registered endpoint past navra", [
    "test/e2e/guard.e2e.ts",
    "is closed to scripts, workers, frames, forms, images and sockets of a page, under any name of this computer",
  ]),
];
