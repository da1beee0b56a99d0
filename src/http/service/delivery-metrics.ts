import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { AttemptedDelivery } from '../../webhooks/delivery-observer.ts';

/** In seconds: from an event in this process to the latest attempt of three days. */
const BUCKETS = [0.05, 0.25, 1, 5, 30, 300, 3_600, 86_400];

/** Metrics of the deliveries of this process, and of pending ones of all processes. */
export class DeliveryMetrics {
  readonly #attempts: Counter<'outcome'>;
  readonly #delay: Histogram;

  constructor({ register, depth }: { register: Registry; depth: () => Promise<number> | undefined }) {
    const registers = [register];
    const queue: Gauge = new Gauge({
      name: 'larder_webhook_queue_deliveries',
      help: 'Deliveries of webhooks that wait, of all processes, counted up to 100,000.',
      registers,
      async collect() {
        // If the database is unavailable, only this metric is missing.
        const found = await depth()?.catch(() => undefined);
        queue.reset();
        if (found === undefined) queue.remove();
        else queue.set(found);
      },
    });
    this.#attempts = new Counter({
      name: 'larder_webhook_attempts_total',
      help: 'Attempts to deliver, by what came of them: succeeded, postponed, or failed for good.',
      labelNames: ['outcome'],
      registers,
    });
    for (const outcome of ['succeeded', 'postponed', 'failed']) this.#attempts.inc({ outcome }, 0);
    this.#delay = new Histogram({
      name: 'larder_webhook_delay_seconds',
      help: 'From an event to the answer of its receiver, of deliveries that succeeded.',
      buckets: BUCKETS,
      registers,
    });
  }

  attempted({ outcome, delayMs }: AttemptedDelivery): void {
    this.#attempts.inc({ outcome });
    if (outcome === 'succeeded') this.#delay.observe(delayMs / 1000);
  }
}
