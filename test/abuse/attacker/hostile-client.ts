import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';

export interface HostileRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly timeoutMs?: number;
  /** Address of the loopback network: the service counts each address for itself. */
  readonly localAddress?: string;
  /** Sends the path as it is; otherwise `..` and the like are resolved before, as browsers do. */
  readonly isRaw?: boolean;
}

export interface HostileAnswer {
  /** 0 where none came. */
  readonly status: number;
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
}

const TIMEOUT_MS = 30_000;
/** Connections at one time for each attack that does not open its own. */
const MAX_SOCKETS = 256;
const MAX_KEPT_BYTES = 4 * 1024 * 1024;

/** Sends what no good client would, and counts what comes back. */
export class HostileClient {
  readonly #url: URL;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS });
  readonly #counts = new Map<string, number>();

  constructor({ url }: { readonly url: string }) {
    this.#url = new URL(url);
  }

  /** Answers by status; `none` where a connection ended without one. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  count(status: number): void {
    const name = status === 0 ? 'none' : String(status);
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  /** `address` is a path of the service, or a whole address. Never throws. */
  send(address: string, options: HostileRequest = {}): Promise<HostileAnswer> {
    const { method = 'GET', headers = {}, body, timeoutMs = TIMEOUT_MS, localAddress, isRaw } = options;
    return new Promise((resolve) => {
      const end = (status: number, text: string, answered: IncomingHttpHeaders = {}) => {
        clearTimeout(timer);
        this.count(status);
        resolve({ status, body: text, headers: answered });
      };
      const settings = {
        method,
        headers,
        agent: this.#agent,
        ...(localAddress !== undefined && { localAddress }),
        ...(isRaw === true && { path: address }),
      };
      const url = isRaw === true ? this.#url : new URL(address, this.#url);
      const outgoing = request(url, settings, (answer) => {
        read(answer).then(
          (text) => end(answer.statusCode!, text, answer.headers),
          () => end(0, ''),
        );
      });
      const timer = setTimeout(() => outgoing.destroy(new Error('no answer in time')), timeoutMs);
      outgoing.once('error', () => end(0, ''));
      outgoing.end(body);
    });
  }

  /** A connection of its own; errors on it are of no interest. */
  connect(localAddress?: string): Socket {
    const { hostname: host, port } = this.#url;
    const socket = connect({ host, port: Number(port), ...(localAddress !== undefined && { localAddress }) });
    socket.on('error', () => {});
    return socket;
  }

  close(): void {
    this.#agent.destroy();
  }
}

async function read(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer) {
    bytes += chunk.length;
    if (bytes <= MAX_KEPT_BYTES) chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
