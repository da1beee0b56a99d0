import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * How long a thread works on at a time before it turns to its requests again. A step of the work may take a little longer.
 */
const SLICE_MS = 4;

interface Job {
  readonly steps: Iterator<void, void>;
  readonly resolve: () => void;
  readonly reject: (cause: unknown) => void;
}

/**
 * Does long work in slices, between which the thread answers requests. Jobs take turns, step by step, so that a long one
 * holds up no short one.
 */
export class BackgroundWork {
  readonly #nowMs: () => number;
  readonly #jobs = new Set<Job>();
  #isDue = false;

  constructor({ nowMs }: { nowMs: () => number }) {
    this.#nowMs = nowMs;
  }

  /** Short work is done at once, within this call. Rejects with what a step throws. */
  async run(steps: Iterator<void, void>): Promise<void> {
    const until = this.#nowMs() + SLICE_MS;
    do {
      if (steps.next().done === true) return;
    } while (this.#nowMs() < until);
    return this.runLater(steps);
  }

  /** Begins after the requests that are there already. */
  runLater(steps: Iterator<void, void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#jobs.add({ steps, resolve, reject });
      this.#wake();
    });
  }

  #wake(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    // Comes after the events that are there by then, which a microtask would not let through.
    setImmediate(() => {
      this.#isDue = false;
      this.#workOn();
      if (this.#jobs.size > 0) this.#wake();
    });
  }

  #workOn(): void {
    const until = this.#nowMs() + SLICE_MS;
    do {
      const [job] = this.#jobs;
      if (job === undefined) return;
      this.#jobs.delete(job);
      if (isLeft(job)) this.#jobs.add(job);
    } while (this.#nowMs() < until);
  }
}

/** Takes one step; whether others are left. */
function isLeft({ steps, resolve, reject }: Job): boolean {
  try {
    if (steps.next().done !== true) return true;
    resolve();
  } catch (cause) {
    reject(cause);
  }
  return false;
}

/** Entries that a thread reads or writes without a pause: two to three milliseconds. */
export const SLICE_ENTRIES = 500;
/** Recipes, which have up to 100 ingredients each: up to five milliseconds. */
export const SLICE_RECIPES = 10;

/** The items in slices. The thread does its other work, such as other requests, before each slice but the first. */
export async function* slicesOf<T>(items: readonly T[], size: number): AsyncGenerator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) {
    if (at > 0) await nextTurn();
    yield items.slice(at, at + size);
  }
}
