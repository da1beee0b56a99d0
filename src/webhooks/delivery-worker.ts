import { LeasedJobs } from '../base/leased-jobs.ts';
import type { ChangeHints } from '../db/change-hints.ts';
import { attemptDelivery, type DeliveryAttemptOptions } from './delivery-attempt.ts';
import { WEBHOOKS_AT_ONCE } from './delivery-store.ts';
import { type ClaimedDelivery, WEBHOOK_QUEUE, type WebhookTarget } from './webhook.ts';

/** Longer than an attempt. */
export const LEASE_MS = 30_000;
/** Maximum concurrent deliveries of one process: in total, for a tenant, to one webhook. */
const MAX_AT_ONCE = 64;
const MAX_OF_TENANT = 8;
const MAX_OF_WEBHOOK = 4;
/** Limits attempts to webhooks whose latest attempt failed or was slow, so that the others always find room. */
const MAX_SLOW = 32;
const SLOW_MS = 2_000;
/** Maximum number of webhooks that are recorded as slow. */
const MAX_REMEMBERED = 10_000;

const DOING = {
  claim: 'taking deliveries from the queue',
  extend: 'extending a lease',
  'give back': 'giving a delivery back',
} as const;

export interface DeliveryWorkerOptions extends DeliveryAttemptOptions {
  readonly hints: ChangeHints;
  /** Poll interval, which is the maximum delay of deliveries without a hint. */
  readonly pollMs: number;
}

interface Job {
  readonly claimed: ClaimedDelivery;
  readonly target: WebhookTarget;
}

/**
 * Sends deliveries, alternating between webhooks; see `LeasedJobs`. A slow receiver only uses the room of its
 * webhook, its tenant and of slow webhooks.
 */
export class DeliveryWorker {
  readonly #options: DeliveryWorkerOptions;
  readonly #jobs: LeasedJobs<Job>;
  readonly #slow = new Set<string>();
  /** The most recently served webhook; the next one follows. */
  #after = '';
  #isStopping = false;

  constructor(options: DeliveryWorkerOptions) {
    this.#options = options;
    const { deliveries, observer, nowMs, pollMs } = options;
    this.#jobs = new LeasedJobs<Job>({
      leaseMs: LEASE_MS,
      restPollMs: pollMs,
      nowMs,
      claim: (held) => this.#claim(held),
      extendLease: ({ claimed }, leaseUntilMs) => deliveries.extendLease(claimed, leaseUntilMs),
      giveBack: ({ claimed }, dueAtMs) => deliveries.giveBack(claimed, dueAtMs),
      run: async ({ claimed, target }, stopping) => {
        const startedAtMs = nowMs();
        let isGood = false;
        try {
          isGood = await attemptDelivery(claimed, target, stopping, options);
        } catch (error) {
          // The lease expires, and the delivery is claimed again.
          observer.broken('delivering', error, claimed.id);
        }
        this.#remember(target.id, isGood && nowMs() - startedAtMs < SLOW_MS);
      },
      onError: (step, error, job) => observer.broken(DOING[step], error, job?.claimed.id),
    });
  }

  start(): void {
    this.#jobs.start();
    void this.#hear();
  }

  /** Sends until no delivery is due. */
  drain(): Promise<void> {
    return this.#jobs.drain();
  }

  /** Returns unfinished deliveries to the queue, so that others can claim them at once. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#jobs.stop();
    // Wakes other workers for the returned deliveries, and ends the wait of this one.
    this.#options.hints.raise(WEBHOOK_QUEUE);
  }

  /** Checks the queue whenever something was queued. */
  async #hear(): Promise<void> {
    const { hints, pollMs } = this.#options;
    for (let seen = hints.of(WEBHOOK_QUEUE); !this.#isStopping; ) {
      await hints.changed(WEBHOOK_QUEUE, seen, pollMs);
      const now = hints.of(WEBHOOK_QUEUE);
      if (now !== seen) void this.#jobs.look();
      seen = now;
    }
  }

  /** The due deliveries of the next webhooks that have room. */
  async #claim(held: ReadonlySet<Job>): Promise<readonly Job[]> {
    const { webhooks, deliveries, nowMs } = this.#options;
    const room = new Room(held, this.#slow);
    let after = this.#after;
    for (let hasWrapped = after === ''; !room.isFull; ) {
      const page = await deliveries.queued(after, nowMs());
      const chosen = new Map<string, number>();
      for (const { id, tenant, isDue } of page) {
        const limit = isDue && tenant !== undefined ? room.take(id, tenant) : 0;
        if (limit > 0) chosen.set(id, limit);
      }
      if (chosen.size > 0) {
        this.#after = [...chosen.keys()].at(-1)!;
        const now = nowMs();
        const claims = (await webhooks.targets([...chosen.keys()])).map(async (target) => {
          const request = { nowMs: now, leaseUntilMs: now + LEASE_MS, limit: chosen.get(target.id)! };
          return (await deliveries.claim(target.id, request)).map((claimed) => ({ claimed, target }));
        });
        const jobs = (await Promise.all(claims)).flat();
        if (jobs.length > 0) return jobs;
      }
      if (page.length === WEBHOOKS_AT_ONCE) after = page.at(-1)!.id;
      else if (hasWrapped) return [];
      else {
        after = '';
        hasWrapped = true;
      }
    }
    return [];
  }

  #remember(webhookId: string, isFast: boolean): void {
    this.#slow.delete(webhookId);
    if (isFast) return;
    this.#slow.add(webhookId);
    if (this.#slow.size > MAX_REMEMBERED) this.#slow.delete(this.#slow.values().next().value!);
  }
}

/** Counts the free room beside the held deliveries. */
class Room {
  readonly #ofTenants = new Map<string, number>();
  readonly #ofWebhooks = new Map<string, number>();
  readonly #slow: ReadonlySet<string>;
  #taken = 0;
  #takenBySlow = 0;

  constructor(held: ReadonlySet<Job>, slow: ReadonlySet<string>) {
    this.#slow = slow;
    for (const { target } of held) this.#count(target.id, target.tenant, 1);
  }

  get isFull(): boolean {
    return this.#taken >= MAX_AT_ONCE;
  }

  /** Takes the room that a webhook may use; returns the number. */
  take(id: string, tenant: string): number {
    const room = Math.min(
      MAX_AT_ONCE - this.#taken,
      MAX_OF_TENANT - (this.#ofTenants.get(tenant) ?? 0),
      MAX_OF_WEBHOOK - (this.#ofWebhooks.get(id) ?? 0),
      this.#slow.has(id) ? MAX_SLOW - this.#takenBySlow : Number.POSITIVE_INFINITY,
    );
    if (room > 0) this.#count(id, tenant, room);
    return Math.max(0, room);
  }

  #count(id: string, tenant: string, count: number): void {
    this.#taken += count;
    if (this.#slow.has(id)) this.#takenBySlow += count;
    this.#ofTenants.set(tenant, (this.#ofTenants.get(tenant) ?? 0) + count);
    this.#ofWebhooks.set(id, (this.#ofWebhooks.get(id) ?? 0) + count);
  }
}
