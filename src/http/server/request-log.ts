import type { Logger } from 'pino';
import { SLOW_REQUEST_MS } from './connection/limits.ts';
import { FIRST_SERVER_FAULT } from './error-response.ts';
import type { Exchange } from './exchange.ts';

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

const UNKNOWN_ROUTE = 'unknown';
/** Operations whose clients decide how long they last, so they are never slow: streams, and uploads over slow lines. */
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

  finished({ endpoint, incoming, response, startedAtMs, requestId, caller }: Exchange): void {
    const durationMs = performance.now() - startedAtMs;
    const route = endpoint?.path ?? UNKNOWN_ROUTE;
    const method = incoming.method!;
    const status = response.statusCode;
    this.#observer.finished({ route, method, status, durationMs });
    const isSlow = durationMs > SLOW_REQUEST_MS && !LASTING.has(endpoint?.counts);
    const isNoteworthy = status >= FIRST_SERVER_FAULT || isSlow;
    if (!isNoteworthy && !this.#logsAll) return;
    const line = { requestId, method, route, status, durationMs, caller: caller?.key.id };
    if (isNoteworthy) this.#log.warn(line, 'request');
    else this.#log.debug(line, 'request');
  }
}
