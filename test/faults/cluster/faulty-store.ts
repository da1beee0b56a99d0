import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A proxy of an S3 store that can fail: it answers 503 as S3 does under load, or accepts requests and never answers
 * them.
 */
export type StoreState = 'well' | 'refusing' | 'silent';

const SLOW_DOWN =
  '<?xml version="1.0" encoding="UTF-8"?><Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>';

export class FaultyStore implements AsyncDisposable {
  readonly url: string;
  readonly #server: ReturnType<typeof createServer>;
  readonly #target: string;
  #state: StoreState = 'well';

  /** `target` is an address without a slash at the end. */
  static async open(target: string): Promise<FaultyStore> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FaultyStore(server, target);
  }

  private constructor(server: ReturnType<typeof createServer>, target: string) {
    this.#server = server;
    this.#target = target;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (incoming, answer) => this.#serve(incoming, answer));
  }

  set(state: StoreState): void {
    this.#state = state;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  #serve(incoming: IncomingMessage, answer: ServerResponse): void {
    if (this.#state === 'silent') return;
    if (this.#state === 'refusing') {
      incoming.resume();
      answer.writeHead(503, { 'content-type': 'application/xml' }).end(SLOW_DOWN);
      return;
    }
    const { method, url, headers } = incoming;
    // The Host is kept, because requests are signed for this address.
    const outgoing = request(this.#target + url!, { method, headers, agent: false }, (response) => {
      answer.writeHead(response.statusCode!, response.rawHeaders);
      response.pipe(answer);
    });
    outgoing.on('error', () => answer.destroy());
    answer.once('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  }
}
