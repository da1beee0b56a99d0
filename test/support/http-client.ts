import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** Tests that send thousands of concurrent requests share these connections. */
const MAX_CONNECTIONS = 64;

export interface Asked {
  readonly method?: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** An object is sent as JSON, a string unchanged. */
  readonly payload?: object | string;
  /** Resolves with the first bytes, and disconnects: for streams that do not end. */
  readonly leavesEarly?: boolean;
  /** The local address of the request. */
  readonly localAddress?: string;
}

export interface Answer {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests say what they expect of it.
  readonly json: () => any;
}

/** Requests to one port of this machine, over connections that are kept until the client is closed. */
export class HttpClient {
  readonly #port: number;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: MAX_CONNECTIONS });

  constructor(port: number) {
    this.#port = port;
  }

  /** A string is the address of a GET. */
  async ask(asked: string | Asked): Promise<Answer> {
    const {
      method = 'GET',
      url,
      headers = {},
      payload,
      localAddress,
      leavesEarly = false,
    } = typeof asked === 'string' ? { url: asked } : asked;
    const body = payload === undefined || typeof payload === 'string' ? payload : JSON.stringify(payload);
    const sent = request({
      agent: this.#agent,
      host: '127.0.0.1',
      port: this.#port,
      method,
      path: url,
      ...(localAddress !== undefined && { localAddress }),
      headers: {
        ...(typeof payload === 'object' && { 'content-type': 'application/json' }),
        ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
        ...given(headers),
      },
    });
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    sent.once('error', reject);
    sent.once('response', (response) => {
      const toAnswer = (text: string): Answer => ({
        statusCode: response.statusCode!,
        headers: response.headers,
        body: text,
        json: () => JSON.parse(text),
      });
      if (!leavesEarly) return void text(response).then(toAnswer).then(resolve, reject);
      response.once('data', (chunk) => {
        resolve(toAnswer(String(chunk)));
        response.destroy();
      });
      response.once('error', reject);
    });
    sent.end(body);
    return promise;
  }

  close(): void {
    this.#agent.destroy();
  }
}

function given(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter((header): header is [string, string] => header[1] !== undefined),
  );
}
