import type { MetricObjectWithValues, MetricValue } from 'prom-client';

/**
 * The metrics of one thread, in the form in which prom-client aggregates several: they are sent to the main
 * thread, which alone loads prom-client, 4 MB.
 */
export type MetricValues = Omit<MetricObjectWithValues<MetricValue<string>>, 'collect'>[];

interface PlainMetric {
  readonly type: 'counter' | 'gauge';
  readonly name: string;
  readonly help: string;
  /** The way in which the main thread combines the values of all threads. */
  readonly aggregator?: 'sum' | 'min' | 'max' | 'average';
  readonly values: readonly { readonly value: number; readonly labels: Readonly<Record<string, string>> }[];
}

export function plainMetric({
  aggregator = 'sum',
  type,
  values,
  ...named
}: PlainMetric): MetricValues[number] {
  // Declared as a number; prom-client itself uses these words.
  return { ...named, type: type as never, aggregator, values: [...values] };
}

/** Without labels. */
export function single(value: number): PlainMetric['values'] {
  return [{ value, labels: {} }];
}
