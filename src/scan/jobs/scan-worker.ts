import { OutageError } from '@larder/core/errors.ts';
import { RepeatedTask } from '../../base/repeated-task.ts';
import { LEASE_MS, MAX_ATTEMPTS, ScanAttempt, type ScanAttemptOptions, toClaim } from './scan-attempt.ts';
import type { Claim, ClaimedScan } from './scan-queue.ts';
import type { ScanStore } from './scan-store.ts';

const EXTEND_EVERY_MS = LEASE_MS / 3;
/** Leases not extended for this long may have expired, after the machine slept or the database was down. */
const OVERDUE_MS = 2 * EXTEND_EVERY_MS;
/** Maximum delay of a job without a signal, such as from another process over the same folder. */
const QUEUE_POLL_MS = 500;
/** Time after the last job until the worker polls less often, if configured. */
const REST_AFTER_MS = 60_000;

export interface ScanWorkerOptions extends Omit<ScanAttemptOptions, 'store' | 'isStopping' | 'stopped'> {
  readonly store: Pick<ScanStore, 'claim'> & ScanAttemptOptions['store'];
  /** Maximum jobs held at one time. */
  readonly concurrency: number;
  /** Poll interval of a resting worker; the usual interval by default. */
  readonly restPollMs?: number;
}

interface Running extends Claim {
  readonly done: Promise<void>;
}

/**
 * Claims scans with stored images, a bounded number at a time, and extends their leases until each attempt has ended.
 *
 *     signal, poll, end of an attempt ──▶ look ──▶ claim ──▶ attempt ──▶ end
 *                                          ▲        │          │ stop: returned to the queue, claimable at once
 *                                          └─ none ─┘          └ lease lost: another worker has it, and the store refuses this one
 */
export class ScanWorker {
  readonly #options: ScanWorkerOptions;
  readonly #running = new Set<Running>();
  readonly #stopping = Promise.withResolvers<undefined>();
  readonly #looking: RepeatedTask;
  readonly #extending: RepeatedTask;
  #isStopping = false;
  #extendedAtMs = 0;
  #lastJobAtMs = Number.NEGATIVE_INFINITY;
  #stopListening = () => {};

  constructor(options: ScanWorkerOptions) {
    this.#options = options;
    const { observer } = options;
    this.#looking = new RepeatedTask(() => this.#claimAll(), {
      everyMs: () => this.#pollMs(),
      // An outage of the queue is reported once, although it is polled twice a second.
      onError: (error, failures) => {
        if (failures === 1 || !(error instanceof OutageError))
          observer.broken('taking scans from the queue', error);
      },
      ref: true,
    });
    this.#extending = new RepeatedTask(() => this.extendLeases(), {
      everyMs: EXTEND_EVERY_MS,
      onError: (error) => observer.broken('extending a lease', error),
    });
  }

  start(): void {
    this.#stopListening = this.#options.signals.listen(({ kind }) => {
      if (kind === 'queued') void this.look();
    });
    this.#looking.start();
    this.#extending.start();
    void this.look();
  }

  #pollMs(): number {
    const { restPollMs = QUEUE_POLL_MS, nowMs } = this.#options;
    const isResting = this.#running.size === 0 && nowMs() - this.#lastJobAtMs > REST_AFTER_MS;
    return isResting ? restPollMs : QUEUE_POLL_MS;
  }

  /** Claims waiting jobs up to `concurrency`. */
  look(): Promise<void> {
    return this.#looking.runNow();
  }

  /** Works until no job is due. */
  async drain(): Promise<void> {
    await this.look();
    while (this.#running.size > 0) {
      await Promise.all(Array.from(this.#running, ({ done }) => done));
      await this.look();
    }
  }

  async extendLeases(): Promise<void> {
    const { observer } = this.#options;
    await this.#extendAll((error, { id }) => observer.broken('extending a lease', error, id));
  }

  async #extendAll(onError: (error: unknown, claim: Claim) => void): Promise<void> {
    const { store, nowMs } = this.#options;
    const now = nowMs();
    let isDone = true;
    const extend = (claim: Claim) =>
      store.extendLease(claim, now + LEASE_MS).catch((error) => {
        isDone = false;
        onError(error, claim);
      });
    await Promise.all(Array.from(this.#running, extend));
    if (isDone) this.#extendedAtMs = now;
  }

  /** Returns unfinished jobs to the queue, so that others can claim them at once. */
  async stop(): Promise<void> {
    const { store, signals, nowMs, observer } = this.#options;
    this.#isStopping = true;
    this.#stopListening();
    await Promise.all([this.#looking.stop(), this.#extending.stop()]);
    const running = [...this.#running];
    const givenBack = await Promise.all(
      running.map((claim) =>
        store
          .giveBack(claim, nowMs())
          .catch((error) => observer.broken('giving a scan back', error, claim.id)),
      ),
    );
    if (givenBack.some((isBack) => isBack === true)) signals.announce({ kind: 'queued' });
    this.#stopping.resolve(undefined);
    await Promise.all(running.map(({ done }) => done));
  }

  async #claimAll(): Promise<void> {
    const { store, concurrency, nowMs } = this.#options;
    if (this.#running.size > 0 && nowMs() - this.#extendedAtMs > OVERDUE_MS) await this.#keepHeld();
    while (!this.#isStopping && this.#running.size < concurrency) {
      const now = nowMs();
      const request = { nowMs: now, leaseUntilMs: now + LEASE_MS, maxAttempts: MAX_ATTEMPTS };
      const claimed = await store.claim(request);
      if (claimed === undefined) return;
      this.#begin(claimed);
    }
  }

  /** Extends overdue leases before claiming: otherwise the worker could claim a job that it still holds. */
  #keepHeld(): Promise<void> {
    return this.#extendAll((error) => {
      throw error;
    });
  }

  #begin(claimed: ClaimedScan): void {
    const attempt = new ScanAttempt(claimed, {
      ...this.#options,
      isStopping: () => this.#isStopping,
      stopped: this.#stopping.promise,
    });
    const running: Running = {
      ...toClaim(claimed),
      done: attempt.run().finally(() => {
        this.#running.delete(running);
        this.#lastJobAtMs = this.#options.nowMs();
        // The job may have been released for another attempt soon.
        void this.look();
      }),
    };
    this.#running.add(running);
  }
}
