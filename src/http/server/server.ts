import type { Server } from 'node:http';
import type { Server as TlsServer } from 'node:tls';
import type { Logger } from 'pino';
import { createServer as createHttpServer } from '../../base/node-http.ts';
import type { IdempotentRequests } from '../../idempotency/idempotent-requests.ts';
import { ClientAddresses } from './connection/client-addresses.ts';
import * as limits from './connection/limits.ts';
import { allowOrigins, RefusedOrigins } from './cors.ts';
import type { Endpoint } from './endpoint.ts';
import { Guard, type GuardOptions } from './guard.ts';
import {
  RequestHandler,
  type RequestHandlerOptions,
  type RequestObserver,
  type ServiceState,
} from './request-handler.ts';
import { Router } from './router.ts';
import { answerClientError, refuseTunnel } from './socket-errors.ts';

export interface ServerOptions extends GuardOptions {
  readonly endpoints: readonly Endpoint[];
  readonly idempotentRequests: IdempotentRequests;
  /** Origins whose pages may read answers; see `allowOrigins`. */
  readonly corsOrigins: readonly string[];
  /** Proxies whose X-Forwarded headers are believed. */
  readonly trustedProxies: readonly string[];
  /** Configured address of this service, with its base path; by default each request names it. */
  readonly publicUrl: string | undefined;
  readonly observer: RequestObserver;
  readonly log: Logger;
  readonly service: ServiceState;
  /** Keeps security events for operators. */
  readonly securityEvents?: RequestHandlerOptions['securityEvents'];
  /** Certificate and key in PEM; with them the server speaks TLS. */
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  /** Value of `Strict-Transport-Security`; 0 sends no header. */
  readonly hstsSeconds?: number;
}

/** Suites with forward secrecy and authenticated encryption alone (RFC 9325, 4.2; RFC 8446, 9.1). */
const TLS = {
  minVersion: 'TLSv1.2',
  ciphers: [
    ...['TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256', 'TLS_AES_128_GCM_SHA256'],
    ...['ECDSA', 'RSA'].flatMap((signature) =>
      ['AES256-GCM-SHA384', 'CHACHA20-POLY1305', 'AES128-GCM-SHA256'].map(
        (cipher) => `ECDHE-${signature}-${cipher}`,
      ),
    ),
  ].join(':'),
} as const;

/** Has new connections use these files. Throws if they are no certificate with its key. */
export function renewTls(server: Server, files: NonNullable<ServerOptions['tls']>): void {
  if ('setSecureContext' in server) (server as unknown as TlsServer).setSecureContext({ ...TLS, ...files });
}

/** The HTTP server of one thread, not yet listening. */
export function createServer(options: ServerOptions): Server {
  const { hstsSeconds = 0 } = options;
  const refusedOrigins = new RefusedOrigins(options);
  const handler = new RequestHandler({
    ...options,
    router: new Router(options.endpoints),
    guard: new Guard(options),
    clients: new ClientAddresses(options),
    transportSecurity: hstsSeconds > 0 ? `max-age=${hstsSeconds}` : undefined,
    allowOrigin: allowOrigins(options.corsOrigins, (origin) => {
      options.observer.originRefused();
      refusedOrigins.add(origin);
    }),
  });
  const settings = {
    maxHeaderSize: limits.MAX_HEADER_BYTES,
    headersTimeout: limits.HEADERS_TIMEOUT_MS,
    requestTimeout: limits.REQUEST_TIMEOUT_MS,
    keepAliveTimeout: limits.KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: limits.CONNECTION_CHECK_INTERVAL_MS,
    // Node's own refusal has no body; `admit` refuses in our words.
    requireHostHeader: false,
  };
  const { tls } = options;
  // Loaded where it is used: it takes memory in each thread.
  const server: Server =
    tls === undefined
      ? createHttpServer(settings)
      : process.getBuiltinModule('node:https').createServer({ ...settings, ...TLS, ...tls });
  server.maxConnections = limits.MAX_CONNECTIONS_PER_THREAD;
  server.on('request', handler.take);
  // An expectation that we do not know may be ignored (RFC 9110, 10.1.1); Node's own refusal has no body.
  server.on('checkExpectation', handler.take);
  server.on('connect', (request, socket) => refuseTunnel(request, socket, options));
  server.on('clientError', (error, socket) => answerClientError(error, socket, options));
  return server;
}
