import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Caller } from '../../access/caller.ts';
import { SLOW_REQUEST_MS } from './limits.ts';

/** One answered request, as metrics see it. */
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

/** One answered request, as logs see it. */
export interface LoggedRequest extends ObservedRequest {
  readonly requestId: string;
  readonly caller: Caller | null;
  /** Its client decides how long it lasts, so it never counts as slow. */
  readonly mayLast?: boolean;
}

const UNKNOWN_ROUTE = 'unknown';
/** Operations that may last: streams, and uploads over slow lines. */
const LASTING: ReadonlySet<unknown> = new Set(['stream', 'uncounted']);

/** Counts every request, and logs those that were slow or failed; all of them at level debug. */
export class RequestLog {
  readonly #observer: RequestObserver;
  readonly #log: Logger;
  readonly #logsAll: boolean;

  constructor({ observer, log }: { observer: RequestObserver; log: Logger }) {
    this.#observer = observer;
    this.#log = log;
    this.#logsAll = log.isLevelEnabled('debug');
  }

  started(): void {
    this.#observer.started();
  }

  finished(request: LoggedRequest): void {
    this.#observer.finished(request);
    const isSlow = request.durationMs > SLOW_REQUEST_MS && request.mayLast !== true;
    const isNoteworthy = request.status >= 500 || isSlow;
    if (!isNoteworthy && !this.#logsAll) return;
    const { requestId, method, route, status, durationMs, caller } = request;
    const line = { requestId, method, route, status, durationMs, caller: caller?.key.id };
    if (isNoteworthy) this.#log.warn(line, 'request');
    else this.#log.debug(line, 'request');
  }
}

/** Has every request of the framework observed. */
export function observeRequests(server: FastifyInstance, requests: RequestLog): void {
  server.addHook('onRequest', (_request, _reply, done) => {
    requests.started();
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    requests.finished({
      route: request.routeOptions.url ?? UNKNOWN_ROUTE,
      method: request.method,
      status: reply.statusCode,
      durationMs: reply.elapsedTime,
      requestId: request.id,
      caller: request.caller,
      mayLast: LASTING.has(request.routeOptions.config.declaration?.operation),
    });
    done();
  });
}
