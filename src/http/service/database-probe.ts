import { type Pause, pause as pauseOnTimer } from '../../base/pause.ts';

/** Time for which a result is reused, however often load balancers ask. */
const MAX_AGE_MS = 1_000;
/** Time after which a database counts as unavailable: load balancers wait for a few seconds at most. */
const TIMEOUT_MS = 1_000;

export interface DatabaseProbeOptions {
  /** Resolves when the database answers, rejects when it does not; it need not have a time limit. */
  readonly check: () => Promise<void>;
  readonly nowMs: () => number;
  readonly pause?: Pause;
}

/** Reports within a second whether the database answers; sends one query at a time. */
export class DatabaseProbe {
  readonly #options: DatabaseProbeOptions;
  #found: { readonly isReachable: boolean; readonly atMs: number } | undefined;
  #asking: Promise<boolean> | undefined;

  constructor(options: DatabaseProbeOptions) {
    this.#options = options;
  }

  async isReachable(): Promise<boolean> {
    const { nowMs, pause = pauseOnTimer } = this.#options;
    // The age is unknown after the clock was set back.
    if (this.#found !== undefined && Math.abs(nowMs() - this.#found.atMs) < MAX_AGE_MS)
      return this.#found.isReachable;
    this.#asking ??= this.#ask();
    // The timer must not keep an ending process alive.
    return Promise.race([this.#asking, pause(TIMEOUT_MS, { ref: false }).then(() => false)]);
  }

  async #ask(): Promise<boolean> {
    const { check, nowMs } = this.#options;
    const isReachable = await check().then(
      () => true,
      () => false,
    );
    this.#found = { isReachable, atMs: nowMs() };
    this.#asking = undefined;
    return isReachable;
  }
}
