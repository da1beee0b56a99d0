import { RepeatedTask } from '../base/repeated-task.ts';
import type { IdempotencyStore } from './idempotency-store.ts';
import { KEPT_FOR_MS } from './idempotent-requests.ts';

export const SWEEP_EVERY_MS = 60_000;
/** Bounds one write, because writes of clients wait for it. */
export const MAX_REMOVED_AT_ONCE = 1_000;

export interface StoredResponseSweeperOptions {
  readonly store: Pick<IdempotencyStore, 'removeForgotten'>;
  readonly nowMs: () => number;
  readonly onError: (cause: unknown) => void;
}

/** Removes expired responses, as fast as new ones arrive. Several sweepers may run concurrently. */
export class StoredResponseSweeper extends RepeatedTask {
  readonly #options: StoredResponseSweeperOptions;

  constructor(options: StoredResponseSweeperOptions) {
    super(() => this.sweep(), { everyMs: SWEEP_EVERY_MS, onError: options.onError });
    this.#options = options;
  }

  async sweep(): Promise<void> {
    const { store, nowMs } = this.#options;
    const forgottenMs = nowMs() - KEPT_FOR_MS;
    let removed: number;
    do removed = await store.removeForgotten(forgottenMs, MAX_REMOVED_AT_ONCE);
    while (removed === MAX_REMOVED_AT_ONCE && !this.isStopped);
  }
}
