import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, Histogram, Registry } from 'prom-client';
import type { ObservedRequest, RequestObserver } from './request-observer.ts';
import type { MetricValues } from './threads/protocol.ts';

/** Seconds. Answers take tens of microseconds; the upper buckets are for trouble. */
const DURATION_BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 10];
const NANOSECONDS = 1e-9;
const LAG_RESOLUTION_MS = 20;

/** Counts the requests of one API thread. Close it with the thread. */
export class ThreadMetrics implements RequestObserver {
  readonly #registry = new Registry();
  readonly #durations: Histogram<'method' | 'route' | 'status'>;
  readonly #eventLoopDelay = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
  #inFlight = 0;

  constructor({ thread }: { thread: number }) {
    const registers = [this.#registry];
    this.#durations = new Histogram({
      name: 'larder_http_request_duration_seconds',
      help: 'Time from the first byte of a request to the last of its answer.',
      labelNames: ['method', 'route', 'status'],
      buckets: DURATION_BUCKETS,
      registers,
    });
    const inFlight: Gauge = new Gauge({
      name: 'larder_http_requests_in_flight',
      help: 'Requests that are being answered.',
      registers,
      collect: () => inFlight.set(this.#inFlight),
    });
    const lag: Gauge<'thread'> = new Gauge({
      name: 'larder_event_loop_lag_seconds',
      help: 'Longest delay of an API thread since metrics were collected last.',
      labelNames: ['thread'],
      registers,
      collect: () => {
        lag.set({ thread }, this.#eventLoopDelay.max * NANOSECONDS);
        this.#eventLoopDelay.reset();
      },
    });
  }

  open(): void {
    this.#eventLoopDelay.enable();
  }

  close(): void {
    this.#eventLoopDelay.disable();
  }

  started(): void {
    this.#inFlight++;
  }

  finished({ method, route, status, durationMs }: ObservedRequest): void {
    this.#inFlight--;
    this.#durations.observe({ method, route, status }, durationMs / 1000);
  }

  async values(): Promise<MetricValues> {
    return (await this.#registry.getMetricsAsJSON()) as MetricValues;
  }
}
