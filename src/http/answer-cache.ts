import { LRUCache } from 'lru-cache';
import { andThen, type MaybePromise } from '../maybe-promise.ts';

/** What an answer takes besides its characters, roughly. */
const OVERHEAD_BYTES = 200;

interface Kept {
  readonly revision: number | string;
  readonly answer: string;
}

/**
 * Answers that were given before, of one thread. Each is kept with the revision that was read before the data; while
 * that is the revision still, the answer is what reading again would give.
 */
export class AnswerCache {
  readonly #kept: LRUCache<string, Kept>;

  constructor({ maxBytes }: { maxBytes: number }) {
    this.#kept = new LRUCache<string, Kept>({
      maxSize: maxBytes,
      sizeCalculation: ({ answer }, key) => answer.length + key.length + OVERHEAD_BYTES,
    });
  }

  /**
   * Nothing is kept where `revision` is undefined, since nobody can tell whether something changed, and where `make`
   * has no answer.
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
