import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const REST_MS = 30_000;
/** Maximum garbage of a thread's old objects, in percent of the memory in use, before V8 collects it. */
const OLD_GARBAGE_PERCENT = 60;

type Collect = (how: { readonly type: 'major'; readonly flavor: 'last-resort' }) => void;

/**
 * Returns the memory of garbage to the system some time after this thread's last work. V8 only collects
 * during allocation, so garbage of a start or a busy hour would remain while the thread is idle.
 */
export class IdleMemory {
  readonly #restMs: number;
  #rest: NodeJS.Timeout | undefined;
  #isBusy = false;

  constructor({ restMs = REST_MS }: { readonly restMs?: number } = {}) {
    this.#restMs = restMs;
  }

  /** Begins a busy period, in which nothing is collected. */
  begin(): void {
    this.#isBusy = true;
    clearTimeout(this.#rest);
    this.#rest = undefined;
  }

  /** Ends it. */
  end(): void {
    this.#isBusy = false;
    this.worked();
  }

  /** Call it after each piece of work. */
  worked(): void {
    if (this.#isBusy) return;
    if (this.#rest === undefined) this.#rest = setTimeout(() => this.#release(), this.#restMs).unref();
    else this.#rest.refresh();
  }

  #release(): void {
    const collect = findCollect();
    if (collect === undefined) this.#rest!.refresh();
    else collect({ type: 'major', flavor: 'last-resort' });
  }
}

/**
 * Makes all threads of this process, also later ones, collect old garbage early. By default V8 waits until a
 * heap is up to four times the memory in use, and after a burst of large requests it keeps the pages while
 * only small ones follow.
 */
export function collectOldGarbageEarly(): void {
  setFlagsFromString(`--heap-growing-percent=${OLD_GARBAGE_PERCENT}`);
}

/**
 * Finds V8's last-resort garbage collection, which also shrinks the heap. Does not use `node:inspector`: its
 * session deadlocks if it is closed in the callback of the collection. Returns undefined if another thread
 * resets the flag, which all threads share, at this moment.
 */
function findCollect(): Collect | undefined {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('globalThis.gc') as Collect | undefined;
  // Code compiled under other flags is not taken from the cache.
  setFlagsFromString('--no-expose-gc');
  return collect;
}
