import type { MetricValues } from './metric-values.ts';

/** Seconds. Answers take tens of microseconds; the upper buckets are for trouble. */
const BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 10] as const;
const NAME = 'larder_http_request_duration_seconds';

interface Labels {
  readonly route: string;
  readonly method: string;
  readonly status: number;
}

interface Series {
  readonly labels: Labels;
  /** Requests in each bucket and in none of those below it; the last element counts what is slower than all. */
  readonly counts: Float64Array;
  sum: number;
}

/**
 * How long requests took, by route, method and status. Ten times as fast as prom-client's histogram, which matters at
 * tens of thousands of requests a second: the labels of a series are looked up instead of joined.
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

  /** In the form in which prom-client adds up the metrics of several threads. */
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
