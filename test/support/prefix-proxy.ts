import { type IncomingHttpHeaders, request } from 'node:http';
import { type LocalServer, startLocalServer } from './local-server.ts';

export interface PrefixProxy extends LocalServer {
  /** Address of the service behind this proxy, with the prefix. */
  readonly url: string;
  /** Variable behaviour of the proxy: whether it removes the prefix, and the headers that it sets. */
  strips: boolean;
  headers: IncomingHttpHeaders;
  /** Port of the service. */
  port: number;
}

/** A reverse proxy that serves everything under a prefix, and responds with 502 to all other paths. */
export async function startPrefixProxy(prefix: string): Promise<PrefixProxy> {
  const state = { strips: true, headers: {} as IncomingHttpHeaders, port: 0 };
  const server = await startLocalServer((incoming, response) => {
    const url = incoming.url!;
    if (!url.startsWith(`${prefix}/`)) {
      incoming.resume();
      response.writeHead(502).end(`${url} is outside of ${prefix}`);
      return;
    }
    const sent = request(
      {
        host: '127.0.0.1',
        port: state.port,
        method: incoming.method,
        path: state.strips ? url.slice(prefix.length) : url,
        headers: { ...incoming.headers, ...state.headers },
      },
      (answer) => {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      },
    );
    sent.once('error', () => response.destroy());
    response.once('close', () => sent.destroy());
    incoming.pipe(sent);
  });
  return Object.assign(state, {
    base: server.base,
    url: server.base + prefix,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  });
}
