/**
 * Sessions of the revisions up to 2025-11-25: one channel for each, opened with `initialize`. Each request's stream begins
 * with an event without data that names where to resume; the stream of a call that takes its time is closed once, and the
 * client comes back for the rest, as the revision allows a server to do.
 *
 * @see MCP 2025-11-25 · Transports · Streamable HTTP · Session management, Resumability and redelivery
 */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { FrameChannel, PageSide } from "./join.ts";
import { EVENT_STREAM, errorFrame, event, type Frame, parseFrame } from "./shim-exchange.ts";

export interface Sessions {
  post(request: IncomingMessage, response: ServerResponse, message: Posted): void;
  /** GET and DELETE. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  close(): void;
}

interface Posted {
  readonly text: string;
  readonly frame: Frame;
}

/** What belongs to one request, whichever responses carry it. */
interface Stream {
  readonly id: string;
  readonly sent: { readonly id: string; readonly frame: string }[];
  /** The response that carries it now. */
  response: ServerResponse | undefined;
  done: boolean;
}

interface Session {
  readonly id: string;
  readonly channel: FrameChannel;
  /** By request id, as JSON. */
  readonly open: Map<string, Stream>;
  readonly streams: Map<string, Stream>;
  readonly progress: Map<string | number, Stream>;
  /** The standing stream, for what belongs to no request. */
  standing: ServerResponse | undefined;
}

const RETRY_MS = 200;

export function createSessions(page: PageSide, server: string): Sessions {
  const sessions = new Map<string, Session>();

  const begin = (): Session => {
    const id = randomUUID();
    const session: Session = {
      id,
      channel: page.open(server, { frame: (text) => deliver(session, text), lost: () => undefined }),
      open: new Map(),
      streams: new Map(),
      progress: new Map(),
      standing: undefined,
    };
    sessions.set(id, session);
    return session;
  };

  const end = (session: Session): void => {
    sessions.delete(session.id);
    session.channel.close();
    session.standing?.end();
    for (const stream of session.streams.values()) stream.response?.end();
  };

  return {
    post(request, response, message) {
      const session = find(sessions, request) ?? (message.frame.method === "initialize" ? begin() : undefined);
      if (!session || (request.headers["mcp-session-id"] !== undefined && !sessions.has(session.id))) {
        return refuse(request, response, message.frame);
      }
      if (message.frame.id === undefined || message.frame.method === undefined) {
        session.channel.send(message.text);
        response.writeHead(202).end();
        return;
      }
      openStream(session, response, message.frame);
      session.channel.send(message.text);
    },
    handle(request, response) {
      const session = find(sessions, request);
      if (!session) return refuse(request, response, {});
      if (request.method === "DELETE") {
        end(session);
        response.writeHead(200).end();
      } else if (request.method === "GET") {
        resume(session, response, String(request.headers["last-event-id"] ?? ""));
      } else {
        response.writeHead(405, { allow: "GET, POST, DELETE" }).end();
      }
    },
    close() {
      for (const session of sessions.values()) end(session);
    },
  };
}

function find(sessions: ReadonlyMap<string, Session>, { headers }: IncomingMessage): Session | undefined {
  const id = headers["mcp-session-id"];
  return typeof id === "string" ? sessions.get(id) : undefined;
}

function refuse({ headers }: IncomingMessage, response: ServerResponse, { id }: Frame): void {
  const unknown = headers["mcp-session-id"] !== undefined;
  const message = unknown ? "There is no such session." : "Open a session with `initialize` first.";
  response
    .writeHead(unknown ? 404 : 400, { "content-type": "application/json" })
    .end(errorFrame({ id: id ?? null, code: -32000, message } as { id: null; code: number }));
}

function openStream(session: Session, response: ServerResponse, { id, meta }: Frame): void {
  const stream: Stream = { id: randomUUID(), sent: [], response, done: false };
  session.open.set(JSON.stringify(id), stream);
  session.streams.set(stream.id, stream);
  const token = meta?.progressToken;
  if (typeof token === "string" || typeof token === "number") session.progress.set(token, stream);
  response.writeHead(200, { ...EVENT_STREAM, "mcp-session-id": session.id });
  response.write(`id: ${stream.id}/0\nretry: ${RETRY_MS}\ndata: \n\n`);
  response.on("close", () => {
    if (stream.response === response) stream.response = undefined;
  });
}

function resume(session: Session, response: ServerResponse, last: string): void {
  response.writeHead(200, { ...EVENT_STREAM, "mcp-session-id": session.id });
  response.flushHeaders();
  const [streamId = "", count] = last.split("/");
  const stream = session.streams.get(streamId);
  if (!stream) {
    session.standing = response;
    response.on("close", () => {
      if (session.standing === response) session.standing = undefined;
    });
    return;
  }
  for (const { id, frame } of stream.sent.slice(Number(count) || 0)) response.write(event(frame, id));
  if (stream.done) response.end();
  else stream.response = response;
}

function deliver(session: Session, text: string): void {
  const frame = parseFrame(text);
  if (!frame) return;
  const stream = streamOf(session, frame);
  if (!stream) {
    session.standing?.write(event(text));
    return;
  }
  const id = `${stream.id}/${stream.sent.length + 1}`;
  stream.sent.push({ id, frame: text });
  stream.response?.write(event(text, id));
  if (frame.method !== undefined) return;
  stream.done = true;
  stream.response?.end();
  session.open.delete(JSON.stringify(frame.id));
}

/** A reply goes to its request, progress to its token; anything else to the request that is open, where there is just one. */
function streamOf(session: Session, frame: Frame): Stream | undefined {
  if (frame.method === undefined) return session.open.get(JSON.stringify(frame.id));
  const token = frame.params?.progressToken;
  if (frame.method === "notifications/progress") return session.progress.get(token as string);
  if (LIST_CHANGES.test(frame.method)) return undefined;
  const [only, ...others] = session.open.values();
  return others.length === 0 ? only : undefined;
}

const LIST_CHANGES = /list_changed$|resources\/updated$/;
