import type { SharedLimits } from '../../limits/counters.ts';
import type { ObservedRequest, RequestObserver } from '../server/request-handler.ts';
import type { DatabaseLoad } from './database-metrics.ts';
import { databaseMetrics } from './database-metrics.ts';
import { DurationHistogram } from './duration-histogram.ts';
import { EventLoopLag } from './event-loop-lag.ts';
import { type MetricValues, plainMetric, single } from './metric-values.ts';

export interface ThreadMetricsPorts {
  readonly thread: number;
  readonly isDatabaseReachable: () => Promise<boolean>;
  /** Only a node of a cluster has this and the next one. */
  readonly sharedLimits: SharedLimits | undefined;
  readonly databaseLoad: DatabaseLoad | undefined;
}

/** Counts the requests of one API thread. Close it with the thread. */
export class ThreadMetrics implements RequestObserver {
  readonly #ports: ThreadMetricsPorts;
  readonly #durations = new DurationHistogram();
  readonly #lag = new EventLoopLag();
  #inFlight = 0;

  constructor(ports: ThreadMetricsPorts) {
    this.#ports = ports;
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
    const { thread, isDatabaseReachable, sharedLimits, databaseLoad } = this.#ports;
    const isReachable = await isDatabaseReachable();
    return [
      this.#durations.values(),
      plainMetric({
        type: 'gauge',
        name: 'larder_http_requests_in_flight',
        help: 'Requests that are being answered.',
        values: single(this.#inFlight),
      }),
      plainMetric({
        type: 'gauge',
        name: 'larder_event_loop_lag_seconds',
        help: 'Longest delay of an API thread with requests since metrics were collected last.',
        values: [{ value: this.#lag.takeSeconds(), labels: { thread: String(thread) } }],
      }),
      plainMetric({
        type: 'gauge',
        name: 'larder_database_reachable',
        help: '1 while the database answers, else 0.',
        aggregator: 'min',
        values: single(isReachable ? 1 : 0),
      }),
      ...(sharedLimits === undefined ? [] : limitMetrics(sharedLimits)),
      ...(databaseLoad === undefined ? [] : databaseMetrics(databaseLoad)),
    ];
  }
}

function limitMetrics(limits: SharedLimits): MetricValues {
  return [
    plainMetric({
      type: 'gauge',
      name: 'larder_limits_counted_by_node',
      help: '1 while Redis is away and this node counts requests for itself, else 0.',
      aggregator: 'max',
      values: single(limits.countedBy === 'node' ? 1 : 0),
    }),
    plainMetric({
      type: 'counter',
      name: 'larder_limits_counted_by_node_total',
      help: 'Requests that this node counted for itself because Redis was away.',
      values: single(limits.countedAlone),
    }),
  ];
}
