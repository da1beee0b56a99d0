import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { SLOW_REQUEST_MS } from './server-limits.ts';

/** One answered request, as metrics and logs see it. */
export interface ObservedRequest {
  /** The declared path, never the one that was sent: a bounded set of names. */
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly durationMs: number;
}

export interface RequestObserver {
  started(): void;
  finished(request: ObservedRequest): void;
}

const UNKNOWN_ROUTE = 'unknown';

/** Counts every request, and logs those that were slow or failed; all of them at level debug. */
export function observeRequests(
  server: FastifyInstance,
  { observer, log }: { observer: RequestObserver; log: Logger },
): void {
  const logsAll = log.isLevelEnabled('debug');
  server.addHook('onRequest', (_request, _reply, done) => {
    observer.started();
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    const status = reply.statusCode;
    const durationMs = reply.elapsedTime;
    const route = request.routeOptions.url ?? UNKNOWN_ROUTE;
    const { method } = request;
    observer.finished({ route, method, status, durationMs });
    const isNoteworthy = status >= 500 || durationMs > SLOW_REQUEST_MS;
    if (isNoteworthy || logsAll) {
      const line = {
        requestId: request.id,
        method,
        route,
        status,
        durationMs,
        caller: request.caller?.key.id,
      };
      if (isNoteworthy) log.warn(line, 'request');
      else log.debug(line, 'request');
    }
    done();
  });
}
