import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * A TCP proxy whose connections can be interrupted.
 *
 *     open    bytes pass through
 *     cut     existing and new connections are reset, as if the server were gone
 *     silent  connections are accepted and stay open without any data, as if the machine or network were gone
 */
export type LinkState = 'open' | 'cut' | 'silent';

export class CuttableLink implements AsyncDisposable {
  readonly port: number;
  readonly #server: ReturnType<typeof createServer>;
  readonly #targetPort: number;
  readonly #clients = new Set<Socket>();
  #state: LinkState = 'open';

  /** Forwards to this port of the loopback interface. */
  static async open(targetPort: number): Promise<CuttableLink> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new CuttableLink(server, targetPort);
  }

  private constructor(server: ReturnType<typeof createServer>, targetPort: number) {
    this.#server = server;
    this.#targetPort = targetPort;
    this.port = (server.address() as AddressInfo).port;
    server.on('connection', (client) => this.#serve(client));
  }

  set(state: LinkState): void {
    this.#state = state;
    // Unresponsive connections remain so: clients must notice it themselves.
    if (state === 'cut') for (const client of this.#clients) client.resetAndDestroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    for (const client of this.#clients) client.destroy();
    if (this.#server.listening) await once(this.#server, 'close');
  }

  #serve(client: Socket): void {
    this.#clients.add(client);
    client.on('error', () => {});
    client.once('close', () => this.#clients.delete(client));
    if (this.#state === 'cut') {
      client.resetAndDestroy();
      return;
    }
    if (this.#state === 'silent') return;
    const upstream = connect(this.#targetPort, '127.0.0.1');
    const isOpen = () => this.#state === 'open';
    client.on('data', (bytes) => isOpen() && upstream.write(bytes));
    upstream.on('data', (bytes) => isOpen() && client.write(bytes));
    upstream.on('error', () => client.destroy());
    upstream.once('close', () => isOpen() && client.destroy());
    client.once('close', () => upstream.destroy());
  }
}
