import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { SharedLimits } from '../../counters/counters.ts';
import type { ObservedRequest, RequestObserver } from '../server/request-handler.ts';
import { type DatabaseLoad, databaseMetrics } from './database-metrics.ts';
import { counter, gauge, type MetricValues } from './metric-values.ts';
import { RefusalMetrics } from './refusal-metrics.ts';

export interface ThreadMetricsOptions {
  readonly thread: number;
  readonly isDatabaseReachable: () => Promise<boolean>;
  /** Only a node of a cluster has this and the next one. */
  readonly sharedLimits: SharedLimits | undefined;
  readonly databaseLoad: DatabaseLoad | undefined;
  readonly activity: Activity;
}

/** Called at the beginning of requests, and some seconds after the last one. */
export interface Activity {
  begin(): void;
  end(): void;
}

/** Counts the requests of one API thread. Close it with the thread. */
export class ThreadMetrics implements RequestObserver {
  readonly #options: ThreadMetricsOptions;
  readonly #durations = new DurationHistogram();
  readonly #refusals = new RefusalMetrics(Date.now);
  readonly #lag: EventLoopLag;
  #inFlight = 0;

  constructor(options: ThreadMetricsOptions) {
    this.#options = options;
    this.#lag = new EventLoopLag(options);
  }

  close(): void {
    this.#lag.close();
  }

  started(): void {
    this.#lag.requested();
    this.#inFlight++;
  }

  originRefused(): void {
    this.#refusals.originRefused();
  }

  readonly finished = (request: ObservedRequest): void => {
    this.#inFlight--;
    this.#durations.observe(request, request.durationMs / 1000);
    if (request.code !== undefined) this.#refusals.observe(request, request.code);
  };

  async values(): Promise<MetricValues> {
    const { thread, isDatabaseReachable, sharedLimits, databaseLoad } = this.#options;
    const isReachable = await isDatabaseReachable();
    return [
      this.#durations.values(),
      ...this.#refusals.values(),
      gauge('larder_http_requests_in_flight', 'Requests that are being answered.', this.#inFlight),
      gauge(
        'larder_event_loop_lag_seconds',
        'Longest delay of an API thread with requests since metrics were collected last.',
        [{ value: this.#lag.takeSeconds(), labels: { thread: String(thread) } }],
      ),
      gauge('larder_database_reachable', '1 while the database answers, else 0.', isReachable ? 1 : 0, 'min'),
      ...(sharedLimits === undefined ? [] : limitMetrics(sharedLimits)),
      ...(databaseLoad === undefined ? [] : databaseMetrics(databaseLoad)),
    ];
  }
}

function limitMetrics(limits: SharedLimits): MetricValues {
  return [
    gauge(
      'larder_limits_counted_by_node',
      '1 while Redis is away and this node counts requests for itself, else 0.',
      limits.countedBy === 'node' ? 1 : 0,
      'max',
    ),
    counter(
      'larder_limits_counted_by_node_total',
      'Requests that this node counted for itself because Redis was away.',
      limits.countedAlone,
    ),
  ];
}

/** Buckets in seconds. Responses take tens of microseconds; the upper buckets are for problems. */
const BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 10] as const;
const NAME = 'larder_http_request_duration_seconds';

interface Labels {
  readonly route: string;
  readonly method: string;
  readonly status: number;
}

interface Series {
  readonly labels: Labels;
  /** Number of requests in each bucket alone; the last element counts those that are slower than all. */
  readonly counts: Float64Array;
  sum: number;
}

/**
 * Durations of requests, by route, method and status. Ten times as fast as prom-client's histogram, which
 * matters at tens of thousands of requests a second: the labels of a series are looked up instead of joined.
 */
export class DurationHistogram {
  readonly #byRoute = new Map<string, Map<string, Map<number, Series>>>();

  observe(labels: Labels, seconds: number): void {
    const { route, method, status } = labels;
    const series = this.#byRoute.get(route)?.get(method)?.get(status) ?? this.#add(labels);
    let bucket = 0;
    while (bucket < BUCKETS.length && seconds > BUCKETS[bucket]!) bucket++;
    series.counts[bucket]!++;
    series.sum += seconds;
  }

  /** In the form in which prom-client aggregates the metrics of several threads. */
  values(): MetricValues[number] {
    const all = [...this.#byRoute.values()].flatMap((methods) =>
      [...methods.values()].flatMap((statuses) => [...statuses.values()]),
    );
    return {
      name: NAME,
      help: 'Time from the first byte of a request to the last of its answer.',
      type: 'histogram' as never,
      aggregator: 'sum',
      values: all.flatMap(toValues),
    };
  }

  #add({ route, method, status }: Labels): Series {
    const series = {
      labels: { method, route, status },
      counts: new Float64Array(BUCKETS.length + 1),
      sum: 0,
    };
    const methods = this.#byRoute.get(route) ?? new Map<string, Map<number, Series>>();
    const statuses = methods.get(method) ?? new Map<number, Series>();
    this.#byRoute.set(route, methods.set(method, statuses.set(status, series)));
    return series;
  }
}

/** Prometheus counts a request in its bucket and in all above it. */
function toValues({ labels, counts, sum }: Series) {
  let count = 0;
  const buckets = [...BUCKETS, '+Inf'].map((le, at) => {
    count += counts[at]!;
    return { labels: { le, ...labels }, value: count, metricName: `${NAME}_bucket` };
  });
  return [
    ...buckets,
    { labels: { ...labels }, value: sum, metricName: `${NAME}_sum` },
    { labels: { ...labels }, value: count, metricName: `${NAME}_count` },
  ];
}

const RESOLUTION_MS = 20;
/** Time after the last request until the watch ends. */
const WATCHED_MS = 5_000;
const NANOSECONDS = 1e-9;

/**
 * The longest delay of this thread's event loop while there are requests. A thread without requests is not
 * watched: fifty checks a second would be most of the load of an idle service.
 */
export class EventLoopLag {
  readonly #histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  /** Longest delay of earlier watches since `takeSeconds`. */
  #earlier = 0;
  #ending: NodeJS.Timeout | undefined;
  readonly #activity: Activity;

  constructor({ activity }: { readonly activity: Activity }) {
    this.#activity = activity;
  }

  /** Call it at each request. */
  requested(): void {
    if (this.#ending !== undefined) {
      this.#ending.refresh();
      return;
    }
    // Otherwise the time without a watch would count as a delay.
    this.#histogram.reset();
    this.#histogram.enable();
    this.#activity.begin();
    this.#ending = setTimeout(() => this.close(), WATCHED_MS).unref();
  }

  /** Maximum since the last call. */
  takeSeconds(): number {
    const longest = Math.max(this.#earlier, this.#histogram.max);
    this.#earlier = 0;
    this.#histogram.reset();
    return longest * NANOSECONDS;
  }

  close(): void {
    if (this.#ending === undefined) return;
    clearTimeout(this.#ending);
    this.#ending = undefined;
    this.#activity.end();
    this.#histogram.disable();
    this.#earlier = Math.max(this.#earlier, this.#histogram.max);
  }
}
