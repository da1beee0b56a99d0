import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 20;
/** After the last request. */
const WATCHED_MS = 5_000;
const NANOSECONDS = 1e-9;

/**
 * The longest delay of this thread's event loop while there are requests. A thread without requests is not watched: looking
 * fifty times a second would be most of what an idle service does.
 */
export class EventLoopLag {
  readonly #histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  /** Of earlier watches since `takeSeconds`. */
  #earlier = 0;
  #ending: NodeJS.Timeout | undefined;

  /** To be called at each request. */
  requested(): void {
    if (this.#ending !== undefined) {
      this.#ending.refresh();
      return;
    }
    // Otherwise the time without a watch counts as a delay.
    this.#histogram.reset();
    this.#histogram.enable();
    this.#ending = setTimeout(() => this.close(), WATCHED_MS).unref();
  }

  /** Since the last call. */
  takeSeconds(): number {
    const longest = Math.max(this.#earlier, this.#histogram.max);
    this.#earlier = 0;
    this.#histogram.reset();
    return longest * NANOSECONDS;
  }

  close(): void {
    clearTimeout(this.#ending);
    this.#ending = undefined;
    this.#histogram.disable();
    this.#earlier = Math.max(this.#earlier, this.#histogram.max);
  }
}
