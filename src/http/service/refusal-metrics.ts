import type { ErrorCode } from '@larder/core/errors.ts';
import type { ObservedRequest } from '../server/request-handler.ts';
import { counter, gauge, type MetricValues } from './metric-values.ts';

const REFUSALS = 'larder_http_refusals_total';
const FIRST_REFUSAL = 400;
const FIRST_FAULT = 500;

interface Series {
  readonly labels: { readonly route: string; readonly method: string; readonly code: ErrorCode };
  count: number;
  lastAtMs: number;
}

/**
 * Counts the rejected requests of one API thread by kind, with the latest time. Routes and codes are those of
 * the API, so the number of series is bounded and they contain no text of clients.
 */
export class RefusalMetrics {
  readonly #nowMs: () => number;
  readonly #series = new Map<string, Series>();
  #refusedOrigins = 0;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  observe({ route, method, status }: ObservedRequest, code: ErrorCode): void {
    if (status < FIRST_REFUSAL || status >= FIRST_FAULT) return;
    const key = `${method} ${route} ${code}`;
    const series = this.#series.get(key) ?? { labels: { route, method, code }, count: 0, lastAtMs: 0 };
    series.count++;
    series.lastAtMs = this.#nowMs();
    this.#series.set(key, series);
  }

  originRefused(): void {
    this.#refusedOrigins++;
  }

  values(): MetricValues {
    const all = [...this.#series.values()];
    return [
      counter(
        REFUSALS,
        'Requests that were answered with a status from 400 to 499.',
        all.map(({ labels, count }) => ({ labels, value: count })),
      ),
      gauge(
        'larder_http_last_refusal_timestamp_seconds',
        'When a request was last refused so.',
        all.map(({ labels, lastAtMs }) => ({ labels, value: lastAtMs / 1000 })),
        'max',
      ),
      counter(
        'larder_http_refused_origins_total',
        'Requests of pages whose origin LARDER_CORS_ORIGINS does not allow.',
        this.#refusedOrigins,
      ),
    ];
  }
}

/** Adds up the rejections of all threads by their code. */
export function refusalsByCode(threads: readonly MetricValues[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { values } of threads.flat().filter(({ name }) => name === REFUSALS)) {
    for (const { labels, value } of values) {
      const code = String((labels as { readonly code?: string }).code);
      counts[code] = (counts[code] ?? 0) + value;
    }
  }
  return counts;
}
