import { Counter, Gauge, Registry } from 'prom-client';
import type { SharedLimits } from '../../limits/counters.ts';
import type { ObservedRequest, RequestObserver } from '../server/request-log.ts';
import type { DatabaseLoad } from './database-metrics.ts';
import { addDatabaseMetrics } from './database-metrics.ts';
import type { MetricValues } from './duration-histogram.ts';
import { DurationHistogram } from './duration-histogram.ts';
import { EventLoopLag } from './event-loop-lag.ts';

export interface ThreadMetricsPorts {
  readonly thread: number;
  readonly isDatabaseReachable: () => Promise<boolean>;
  /** Only a node of a cluster has this and the next one. */
  readonly sharedLimits: SharedLimits | undefined;
  readonly databaseLoad: DatabaseLoad | undefined;
}

/** Counts the requests of one API thread. Close it with the thread. */
export class ThreadMetrics implements RequestObserver {
  readonly #registry = new Registry();
  readonly #durations = new DurationHistogram();
  readonly #lag = new EventLoopLag();
  #inFlight = 0;

  constructor({ thread, isDatabaseReachable, sharedLimits, databaseLoad }: ThreadMetricsPorts) {
    const registers = [this.#registry];
    const inFlight: Gauge = new Gauge({
      name: 'larder_http_requests_in_flight',
      help: 'Requests that are being answered.',
      registers,
      collect: () => inFlight.set(this.#inFlight),
    });
    const lag: Gauge<'thread'> = new Gauge({
      name: 'larder_event_loop_lag_seconds',
      help: 'Longest delay of an API thread with requests since metrics were collected last.',
      labelNames: ['thread'],
      registers,
      collect: () => lag.set({ thread }, this.#lag.takeSeconds()),
    });
    const reachable: Gauge = new Gauge({
      name: 'larder_database_reachable',
      help: '1 while the database answers, else 0.',
      registers,
      aggregator: 'min',
      collect: async () => reachable.set((await isDatabaseReachable()) ? 1 : 0),
    });
    if (sharedLimits !== undefined) this.#watchLimits(sharedLimits);
    if (databaseLoad !== undefined) addDatabaseMetrics(this.#registry, databaseLoad);
  }

  #watchLimits(limits: SharedLimits): void {
    const registers = [this.#registry];
    const alone: Gauge = new Gauge({
      name: 'larder_limits_counted_by_node',
      help: '1 while Redis is away and this node counts requests for itself, else 0.',
      registers,
      aggregator: 'max',
      collect: () => alone.set(limits.countedBy === 'node' ? 1 : 0),
    });
    const requests: Counter = new Counter({
      name: 'larder_limits_counted_by_node_total',
      help: 'Requests that this node counted for itself because Redis was away.',
      registers,
      collect: () => {
        requests.reset();
        requests.inc(limits.countedAlone);
      },
    });
  }

  close(): void {
    this.#lag.close();
  }

  started(): void {
    this.#lag.requested();
    this.#inFlight++;
  }

  finished(request: ObservedRequest): void {
    this.#inFlight--;
    this.#durations.observe(request, request.durationMs / 1000);
  }

  async values(): Promise<MetricValues> {
    const others = (await this.#registry.getMetricsAsJSON()) as MetricValues;
    return [this.#durations.values(), ...others];
  }
}
