import type { IdempotencyStore } from './idempotency-store.ts';
import { KEPT_FOR_MS } from './idempotent-requests.ts';

export const SWEEP_EVERY_MS = 60_000;
/** Bounds one write, since writes of clients wait for it. */
export const MAX_REMOVED_AT_ONCE = 1_000;

export interface AnswerSweeperPorts {
  readonly store: Pick<IdempotencyStore, 'removeForgotten'>;
  readonly nowMs: () => number;
  readonly onError: (cause: Error) => void;
}

/** Removes expired answers, as fast as new ones come. Several may sweep at one time. */
export class StoredResponseSweeper {
  readonly #ports: AnswerSweeperPorts;
  #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> | undefined;
  #isStopping = false;

  constructor(ports: AnswerSweeperPorts) {
    this.#ports = ports;
  }

  start(): void {
    this.#timer = setInterval(() => {
      // A sweep that is still under way when the next is due replaces it.
      this.#sweeping ??= this.sweep()
        .catch(this.#ports.onError)
        .finally(() => {
          this.#sweeping = undefined;
        });
    }, SWEEP_EVERY_MS);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#timer);
    await this.#sweeping;
  }

  async sweep(): Promise<void> {
    const { store, nowMs } = this.#ports;
    const forgottenMs = nowMs() - KEPT_FOR_MS;
    let removed: number;
    do removed = await store.removeForgotten(forgottenMs, MAX_REMOVED_AT_ONCE);
    while (removed === MAX_REMOVED_AT_ONCE && !this.#isStopping);
  }
}
