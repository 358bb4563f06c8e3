/**
 * Firefox's own remote protocol, spoken directly: one loopback connection, frames of `<bytes>:<JSON>`, a command is
 * `[0, id, name, params]` and its answer `[1, id, error, result]`. It reaches extension pages and the browser's own code,
 * which WebDriver BiDi does not.
 *
 * @see https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html
 */
import { connect, type Socket } from "node:net";

export interface Marionette {
  send(command: string, params?: Readonly<Record<string, unknown>>): Promise<unknown>;
  end(): void;
}

export async function connectMarionette(port: number): Promise<Marionette> {
  const socket = connect(port, "127.0.0.1");
  const connection = new Connection(socket);
  await connection.hello;
  return connection;
}

interface Waiting {
  readonly command: string;
  readonly late: ReturnType<typeof setTimeout>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (problem: Error) => void;
}

const COLON = 58;

/** Commands take turns, so one without an answer would hold up all others. */
const PATIENCE_MS = 40_000;

class Connection implements Marionette {
  readonly hello: Promise<void>;
  readonly #socket: Socket;
  readonly #waiting = new Map<number, Waiting>();
  #greeted: () => void = () => {};
  #bytes = Buffer.alloc(0);
  #lastId = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
    this.hello = new Promise((resolve, reject) => {
      this.#greeted = resolve;
      socket.once("error", reject);
    });
    socket.on("data", (data) => this.#read(data));
    socket.on("error", () => this.#lost());
    socket.on("close", () => this.#lost());
  }

  send(command: string, params: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    this.#lastId += 1;
    const id = this.#lastId;
    const frame = JSON.stringify([0, id, command, params]);
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        this.#waiting.delete(id);
        reject(new Error(`${command}: Firefox did not answer within ${PATIENCE_MS / 1000} seconds.`));
      }, PATIENCE_MS);
      this.#waiting.set(id, { command, late, resolve, reject });
      this.#socket.write(`${Buffer.byteLength(frame)}:${frame}`);
    });
  }

  end(): void {
    this.#socket.destroy();
  }

  #read(data: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, data]);
    for (;;) {
      const colon = this.#bytes.indexOf(COLON);
      if (colon < 0) return;
      const end = colon + 1 + Number(this.#bytes.subarray(0, colon).toString());
      if (this.#bytes.length < end) return;
      const frame: unknown = JSON.parse(this.#bytes.subarray(colon + 1, end).toString());
      this.#bytes = this.#bytes.subarray(end);
      this.#take(frame);
    }
  }

  #take(frame: unknown): void {
    if (!Array.isArray(frame)) {
      this.#greeted();
      return;
    }
    const [, id, error, result] = frame as [number, number, { error: string; message: string } | null, unknown];
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    clearTimeout(waiting?.late);
    if (error === null) waiting?.resolve(result);
    else waiting?.reject(new Error(`${waiting.command}: ${error.error}: ${error.message}`));
  }

  #lost(): void {
    for (const waiting of this.#waiting.values()) {
      clearTimeout(waiting.late);
      waiting.reject(new Error(`${waiting.command}: the connection ended.`));
    }
    this.#waiting.clear();
  }
}
