import { setImmediate as nextTurn } from 'node:timers/promises';

/** Maximum time that a thread works before it handles requests again. The last step may exceed it a little. */
const SLICE_MS = 4;

interface Job {
  readonly steps: Iterator<void, void>;
  readonly resolve: () => void;
  readonly reject: (cause: unknown) => void;
}

/**
 * Runs long work in slices, between which the thread handles requests. Jobs take turns, step by step, so that
 * a long one does not delay a short one.
 */
export class BackgroundWork {
  readonly #nowMs: () => number;
  readonly #jobs = new Set<Job>();
  #isDue = false;

  constructor({ nowMs }: { nowMs: () => number }) {
    this.#nowMs = nowMs;
  }

  /** Short work is done within this call. Rejects with the error of a step. */
  async run(steps: Iterator<void, void>): Promise<void> {
    const until = this.#nowMs() + SLICE_MS;
    do {
      if (steps.next().done === true) return;
    } while (this.#nowMs() < until);
    return this.runLater(steps);
  }

  /** Begins after the requests that are already queued. */
  runLater(steps: Iterator<void, void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#jobs.add({ steps, resolve, reject });
      this.#wake();
    });
  }

  #wake(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    // Runs after the events that are queued by then, unlike a microtask.
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

/** Runs one step; returns whether others remain. */
function isLeft({ steps, resolve, reject }: Job): boolean {
  try {
    if (steps.next().done !== true) return true;
    resolve();
  } catch (cause) {
    reject(cause);
  }
  return false;
}

/** Diary entries that a thread processes without a pause: two to three milliseconds. */
export const SLICE_ENTRIES = 500;
/** Recipes with up to 100 ingredients each that a thread processes without a pause: up to five milliseconds. */
export const SLICE_RECIPES = 10;

/** The items in slices. Other work of the thread, such as requests, runs before each slice except the first. */
export async function* slicesOf<T>(items: readonly T[], size: number): AsyncGenerator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) {
    if (at > 0) await nextTurn();
    yield items.slice(at, at + size);
  }
}
