import { operation } from '../../api/operation.ts';

export interface MetricsPorts {
  /** Returns the metrics of all threads in the format of Prometheus. */
  readonly collectMetrics: () => Promise<string>;
}

export const getMetrics = operation({
  method: 'GET',
  path: '/metrics',
  id: 'getMetrics',
  tag: 'Operations',
  summary: 'Metrics in the Prometheus text format',
  access: { credential: 'bearer', scope: 'metrics' },
  counts: 'other',
  answer: {
    description: 'Metrics of all threads together.',
    contentType: 'text/plain; version=0.0.4; charset=utf-8',
  },
  handle: (_request, { collectMetrics }: MetricsPorts) => collectMetrics(),
});
