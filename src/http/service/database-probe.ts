import { type Pause, pause as pauseOnTimer } from '../../base/pause.ts';

/** How long an answer is given again, however often load balancers ask. */
const MAX_AGE_MS = 1_000;
/** A database that takes longer to answer counts as away: load balancers wait for a few seconds at most. */
const TIMEOUT_MS = 1_000;

export interface DatabaseProbeOptions {
  /** Resolves when the database answers, rejects when it does not, and may take its time. */
  readonly check: () => Promise<void>;
  readonly nowMs: () => number;
  readonly pause?: Pause;
}

/** Tells within a second whether the database answers; one question at a time is under way. */
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
    // The pause must not keep a process alive that is ending.
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
