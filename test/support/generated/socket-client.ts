import { Agent, type OutgoingHttpHeaders, request } from 'node:http';

export interface SocketAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  json(): unknown;
}

export interface SocketRequest {
  readonly method: string;
  /** Path and query, encoded. */
  readonly url: string;
  /** A header with several values is sent once for each. */
  readonly headers: OutgoingHttpHeaders;
  readonly body?: string;
}

/** Sends requests over connections that are kept. */
export class SocketClient implements Disposable {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 4 });
  readonly #port: number;

  constructor(port: number) {
    this.#port = port;
  }

  send({ method, url, headers, body }: SocketRequest): Promise<SocketAnswer> {
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
      const sent = request(
        {
          host: '127.0.0.1',
          port: this.#port,
          agent: this.#agent,
          method,
          path: url,
          headers: { ...headers, ...length },
        },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('error', reject);
          answer.on('end', () => {
            const text = Buffer.concat(chunks).toString();
            resolve({
              statusCode: answer.statusCode!,
              headers: answer.headers,
              body: text,
              json: () => JSON.parse(text),
            });
          });
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}
