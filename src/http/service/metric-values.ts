import type { MetricObjectWithValues, MetricValue } from 'prom-client';

/**
 * The metrics of one thread, in the form in which prom-client aggregates several: they are sent to the main
 * thread, which alone loads prom-client, 4 MB.
 */
export type MetricValues = Omit<MetricObjectWithValues<MetricValue<string>>, 'collect'>[];

type Values = readonly { readonly value: number; readonly labels: Readonly<Record<string, string>> }[];

export function counter(name: string, help: string, values: number | Values): MetricValues[number] {
  return metric('counter', name, help, values, 'sum');
}

/** `aggregator`: how the main thread combines the values of all threads. */
export function gauge(
  name: string,
  help: string,
  values: number | Values,
  aggregator: 'sum' | 'min' | 'max' | 'average' = 'sum',
): MetricValues[number] {
  return metric('gauge', name, help, values, aggregator);
}

function metric(type: string, name: string, help: string, values: number | Values, aggregator: string) {
  const all = typeof values === 'number' ? [{ value: values, labels: {} }] : [...values];
  // Declared as numbers; prom-client itself uses these words.
  return { name, help, type: type as never, aggregator: aggregator as never, values: all };
}
