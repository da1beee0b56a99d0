import type { Agent, IncomingMessage, RequestOptions } from 'node:http';
import { Agent as HttpAgent, request as requestHttp } from '../base/node-http.ts';

export interface HttpRequest extends Pick<RequestOptions, 'method' | 'lookup'> {
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  /** Aborts the request, also while the body of the response is read. */
  readonly signal?: AbortSignal;
  /** Time limit for the first line of the response, including the connection. */
  readonly answerTimeoutMs?: number;
  /** Maximum pause within the body of the response. */
  readonly idleTimeoutMs?: number;
  /** Whether the connection is kept for the next request to this server. Then the request may be sent twice. */
  readonly keepsConnection?: boolean;
}

const agents = new Map<string, Agent>();

/**
 * Sends a request and resolves with the head of the response, whatever its status; redirects are not
 * followed. Its body must be read or destroyed.
 *
 * Does not use `fetch`: that decodes a Content-Encoding, so that neither the length nor a Range counts the
 * received bytes. It takes 18 MB in each thread, and in Node 24 it ends the process if a server closes the
 * connection of a response that is read slowly (https://github.com/nodejs/undici/issues/5360).
 */
export async function httpRequest(request: HttpRequest): Promise<IncomingMessage> {
  try {
    return await send(request);
  } catch (error) {
    if (error !== STALE) throw error;
    // The server closed the kept connection, most likely before the request arrived.
    return send({ ...request, keepsConnection: false });
  }
}

/** A status for a successful request. */
export function isSuccess({ statusCode }: IncomingMessage): boolean {
  return statusCode! >= 200 && statusCode! <= 299;
}

const STALE = new Error('the kept connection was closed');

function send({
  url,
  method = 'GET',
  headers,
  body,
  signal,
  lookup,
  answerTimeoutMs,
  idleTimeoutMs = 0,
  keepsConnection = false,
}: HttpRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // Imported here: most services call no other server, and TLS takes 2 MB in each thread.
    const { request: start } =
      url.protocol === 'https:' ? process.getBuiltinModule('node:https') : { request: requestHttp };
    const request = start(url, {
      method,
      headers: { 'accept-encoding': 'identity', ...headers },
      agent: keepsConnection ? agentOf(url.protocol) : false,
      lookup,
      signal,
    });
    const answerTimer =
      answerTimeoutMs === undefined
        ? undefined
        : setTimeout(
            () => request.destroy(new Error(`${url.host} gave no answer within ${answerTimeoutMs} ms`)),
            answerTimeoutMs,
          );
    request.once('close', () => clearTimeout(answerTimer));
    // Not `once`: bytes after the announced end of a response raise an error long afterwards.
    request.on('error', (error: NodeJS.ErrnoException) =>
      reject(request.reusedSocket && error.code === 'ECONNRESET' ? STALE : error),
    );
    request.once('response', (response) => {
      clearTimeout(answerTimer);
      request.setTimeout(idleTimeoutMs, () => {
        response.destroy(new Error(`${url.host} sent nothing for ${idleTimeoutMs} ms`));
      });
      resolve(response);
    });
    request.end(body);
  });
}

/** Keeps connections to all servers of a protocol. */
function agentOf(protocol: string): Agent {
  const known = agents.get(protocol);
  if (known !== undefined) return known;
  const agent = new (protocol === 'https:' ? process.getBuiltinModule('node:https').Agent : HttpAgent)({
    keepAlive: true,
  });
  agents.set(protocol, agent);
  return agent;
}
