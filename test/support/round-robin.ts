import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * A load balancer for several nodes, which get requests in turn. An unanswered request is sent to another
 * node if that is safe: it never reached the first, it only reads, or it has an Idempotency-Key. Otherwise
 * its client's connection is closed.
 */
export interface RoundRobin extends AsyncDisposable {
  readonly url: string;
  /** Sets the nodes. */
  use(targets: readonly string[]): void;
}

/** How nodes are probed. An unhealthy one gets no requests, and its pending ones are taken away. */
export interface HealthChecks {
  readonly path: string;
  readonly everyMs: number;
  readonly timeoutMs: number;
}

type Sent = 'answered' | 'unanswered' | 'never there';

/** `targets` are addresses without a slash at the end. */
export async function openRoundRobin(targets: readonly string[], checks?: HealthChecks): Promise<RoundRobin> {
  let nodes = targets;
  let turn = 0;
  const watch = checks && new HealthWatch(() => nodes, checks);
  const server = createServer(async (incoming, answer) => {
    const body = await buffer(incoming).catch(() => undefined);
    if (body === undefined) return;
    const first = turn++;
    for (let attempt = 0; attempt < nodes.length; attempt++) {
      const node = nodes[(first + attempt) % nodes.length]!;
      const ill = watch?.illness(node);
      if (ill?.aborted === true) continue;
      const sent = await send(node, incoming, body, answer, ill);
      if (sent === 'answered' || answer.destroyed) return;
      if (sent === 'unanswered' && !isRepeatable(incoming)) break;
    }
    answer.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    use(targets) {
      nodes = targets;
    },
    async [Symbol.asyncDispose]() {
      watch?.stop();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/**
 * Resolves when the response has begun or will not arrive. An interrupted response is interrupted for the
 * client, too.
 */
function send(
  target: string,
  incoming: IncomingMessage,
  body: Buffer,
  answer: ServerResponse,
  signal?: AbortSignal,
): Promise<Sent> {
  const { method, url, headers } = incoming;
  return new Promise((resolve) => {
    let isConnected = false;
    // A reused connection may be closing, so requests on it have an uncertain outcome. The client's Host is
    // kept, because URLs in responses use it.
    const outgoing = request(target + url!, { method, headers, agent: false, signal }, (response) => {
      resolve('answered');
      answer.writeHead(response.statusCode!, response.rawHeaders);
      response.pipe(answer);
      response.once('close', () => response.complete || answer.destroy());
    });
    outgoing.once('socket', (socket) =>
      socket.once('connect', () => {
        isConnected = true;
      }),
    );
    outgoing.on('error', () => resolve(isConnected ? 'unanswered' : 'never there'));
    answer.once('close', () => outgoing.destroy());
    outgoing.end(body);
  });
}

function isRepeatable({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD' || headers['idempotency-key'] !== undefined;
}

/** Probes every node periodically. */
class HealthWatch {
  readonly #checks: HealthChecks;
  readonly #illnesses = new Map<string, AbortController>();
  readonly #timer: NodeJS.Timeout;

  constructor(nodes: () => readonly string[], checks: HealthChecks) {
    this.#checks = checks;
    this.#timer = setInterval(() => {
      for (const node of nodes()) void this.#check(node);
    }, checks.everyMs);
  }

  /** Aborted while the node is unhealthy. */
  illness(node: string): AbortSignal {
    return this.#illness(node).signal;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #check(node: string): Promise<void> {
    const { path, timeoutMs } = this.#checks;
    const isWell = await fetch(node + path, { signal: AbortSignal.timeout(timeoutMs) }).then(
      async (answer) => {
        await answer.arrayBuffer();
        return answer.ok;
      },
      () => false,
    );
    const illness = this.#illness(node);
    if (!isWell) illness.abort();
    else if (illness.signal.aborted) this.#illnesses.delete(node);
  }

  #illness(node: string): AbortController {
    const illness = this.#illnesses.get(node) ?? new AbortController();
    this.#illnesses.set(node, illness);
    return illness;
  }
}
