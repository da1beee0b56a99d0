import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A load balancer in front of several nodes: each request goes to the next of them, whoever sends it. */
export interface RoundRobin extends AsyncDisposable {
  readonly url: string;
}

/** `targets` are addresses without a slash at the end. */
export async function openRoundRobin(targets: readonly string[]): Promise<RoundRobin> {
  let turn = 0;
  const server = createServer((incoming, answer) => {
    const { method, url, headers } = incoming;
    // The Host of the client is kept, since addresses in answers are made from it.
    const outgoing = request(targets[turn++ % targets.length] + url!, { method, headers }, (response) => {
      answer.writeHead(response.statusCode!, response.rawHeaders);
      response.pipe(answer);
    });
    outgoing.once('error', () => answer.destroy());
    answer.once('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
