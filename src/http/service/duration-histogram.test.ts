import fc from 'fast-check';
import { AggregatorRegistry, Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import type { MetricValues } from './metric-values.ts';
import { DurationHistogram } from './thread-metrics.ts';

const observations = fc.array(
  fc.record({
    route: fc.constantFrom('/a', '/b/:c'),
    method: fc.constantFrom('GET', 'POST'),
    status: fc.constantFrom(200, 404),
    seconds: fc.oneof(fc.double({ min: 0, max: 20, noNaN: true }), fc.constantFrom(0.0001, 0.5, 10)),
  }),
  { maxLength: 30 },
);

test('the sum over threads equals one histogram of prom-client', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(observations, { minLength: 1, maxLength: 3 }), async (threads) => {
      const ours = threads.map((observed) => {
        const histogram = new DurationHistogram();
        for (const { seconds, method, route, status } of observed) {
          histogram.observe({ method, route, status }, seconds);
        }
        return [histogram.values()] as MetricValues;
      });
      const theirs = await Promise.all(
        threads.map(async (observed) => {
          const registry = new Registry();
          const histogram = new Histogram({
            name: 'larder_http_request_duration_seconds',
            help: 'Time from the first byte of a request to the last of its answer.',
            labelNames: ['method', 'route', 'status'],
            buckets: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 10],
            registers: [registry],
          });
          for (const { seconds, method, route, status } of observed) {
            histogram.observe({ method, route, status }, seconds);
          }
          return (await registry.getMetricsAsJSON()) as MetricValues;
        }),
      );
      expect(await linesOf(ours)).toEqual(await linesOf(theirs));
    }),
  );
});

async function linesOf(threads: readonly MetricValues[]): Promise<string[]> {
  return (await AggregatorRegistry.aggregate([...threads]).metrics()).split('\n').sort();
}
