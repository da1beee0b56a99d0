import { type CopyProblemCode, retryDelayMs } from './fetch-problem.ts';

export interface NewestWinsParts<T> {
  /** Aborted where another one is wanted meanwhile; what it resolves with is then dropped. */
  readonly load: (name: string, signal: AbortSignal) => Promise<T>;
  readonly use: (loaded: T, name: string) => Promise<void>;
  /** Called for each failure of `load` or `use`; resolves with its kind, which decides how soon the next attempt is made. */
  readonly failed: (name: string, error: unknown) => Promise<CopyProblemCode>;
  /** Ends early, without an error, where the signal is aborted. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** From 0 to 1. */
  readonly random: () => number;
}

/**
 * Loads the newest of what is wanted and brings it into use, one at a time.
 *
 *     want ──▶ load ──▶ use ──▶ in use
 *      │ ▲       └──failed──┘
 *      │ │            ▼
 *      │ └── wait, longer each time
 *      └── ends the wait for an older one, and drops it where it is being loaded
 */
export class NewestWins<T> {
  readonly #parts: NewestWinsParts<T>;
  #inUse: string | undefined;
  #pursuit = new AbortController();
  #pursuing: Promise<void> = Promise.resolve();

  /** `inUse` is the name of the one that is in use already. */
  constructor(parts: NewestWinsParts<T>, inUse?: string) {
    this.#parts = parts;
    this.#inUse = inUse;
  }

  want(name: string): void {
    this.#pursuit.abort();
    this.#pursuit = new AbortController();
    const { signal } = this.#pursuit;
    this.#pursuing = this.#pursuing.then(() => this.#pursue(name, signal));
  }

  /** Resolves when nothing is under way any more. */
  close(): Promise<void> {
    this.#pursuit.abort();
    return this.#pursuing;
  }

  async #pursue(name: string, signal: AbortSignal): Promise<void> {
    const { load, use, failed, pause, random } = this.#parts;
    for (let failures = 1; !signal.aborted && name !== this.#inUse; failures++) {
      try {
        const loaded = await load(name, signal);
        if (signal.aborted) return;
        await use(loaded, name);
        this.#inUse = name;
      } catch (error) {
        if (signal.aborted) return;
        const code = await failed(name, error);
        await pause(retryDelayMs(code, failures, random()), signal);
      }
    }
  }
}
