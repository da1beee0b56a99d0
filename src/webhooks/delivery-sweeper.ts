import { RepeatedTask } from '../base/repeated-task.ts';
import type { DeliveryObserver } from './delivery-observer.ts';
import { type DeliveryStore, WEBHOOKS_AT_ONCE } from './delivery-store.ts';
import type { WebhookStore } from './webhook-store.ts';

const SWEEP_EVERY_MS = 10_000;
/** Bounds one write, because writes of clients wait for it. */
const MAX_AT_ONCE = 500;
/** A webhook with more queued deliveries is disabled. */
export const MAX_QUEUED = 10_000;

export interface DeliverySweeperOptions {
  readonly webhooks: WebhookStore;
  readonly deliveries: DeliveryStore;
  readonly observer: DeliveryObserver;
  readonly nowMs: () => number;
  readonly maxQueued?: number;
}

/**
 * Removes old deliveries, gives up those that waited too long, and disables webhooks with too long queues.
 * Several may run concurrently.
 */
export class DeliverySweeper extends RepeatedTask {
  readonly #options: DeliverySweeperOptions;

  constructor(options: DeliverySweeperOptions) {
    super(() => this.sweep(), {
      everyMs: SWEEP_EVERY_MS,
      onError: (error, failures) => {
        if (failures === 1) options.observer.broken('sweeping deliveries', error);
      },
    });
    this.#options = options;
  }

  async sweep(): Promise<void> {
    const { deliveries, nowMs } = this.#options;
    const now = nowMs();
    while ((await deliveries.forget(now, MAX_AT_ONCE)) === MAX_AT_ONCE && !this.isStopped);
    while ((await deliveries.giveUp(now, MAX_AT_ONCE)) === MAX_AT_ONCE && !this.isStopped);
    await this.#disableFull(now);
  }

  async #disableFull(nowMs: number): Promise<void> {
    const { webhooks, deliveries, observer, maxQueued = MAX_QUEUED } = this.#options;
    for (let after = ''; ; ) {
      const page = await deliveries.queued(after, nowMs);
      for (const { id } of page)
        if ((await deliveries.hasMore(id, maxQueued)) && (await webhooks.disable(id, 'queue_full', nowMs)))
          observer.disabled(id, 'queue_full');
      if (page.length < WEBHOOKS_AT_ONCE || this.isStopped) return;
      after = page.at(-1)!.id;
    }
  }
}
