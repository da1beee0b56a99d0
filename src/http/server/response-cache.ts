import { LRUCache } from 'lru-cache';
import { andThen, type MaybePromise } from '../../maybe-promise.ts';

/** What keeping an answer takes besides its characters, roughly. */
const OVERHEAD_BYTES = 200;

interface Kept {
  readonly revision: number | string;
  readonly answer: string;
}

/**
 * Earlier answers of one thread. Each is kept with the revision that was read before its data; as long as that is still
 * the revision, reading again would give the same answer.
 */
export class ResponseCache {
  readonly #kept: LRUCache<string, Kept>;

  constructor({ maxBytes }: { maxBytes: number }) {
    this.#kept = new LRUCache<string, Kept>({
      maxSize: maxBytes,
      sizeCalculation: ({ answer }, key) => answer.length + key.length + OVERHEAD_BYTES,
    });
  }

  /**
   * The answer kept under `key`, or a new one from `make`. Nothing is kept where `revision` is undefined, since a change
   * could then not be noticed, nor where `make` has no answer.
   */
  get<Answer extends string | undefined>(
    key: string,
    revision: number | string | undefined,
    make: () => MaybePromise<Answer>,
  ): MaybePromise<Answer | string> {
    if (revision === undefined) return make();
    const kept = this.#kept.get(key);
    if (kept?.revision === revision) return kept.answer;
    return andThen(make(), (answer) => {
      if (answer !== undefined) this.#kept.set(key, { revision, answer });
      return answer;
    });
  }
}
