import { LRUCache } from 'lru-cache';
import type { MaybePromise } from '../../../maybe-promise.ts';

/** What keeping an answer takes besides its characters, roughly. */
const OVERHEAD_BYTES = 200;
/** Of the whole cache, so that no caller can empty it of others' answers by a few long ones. */
const MAX_SHARE = 1 / 16;

interface Kept<Answer> {
  readonly revision: number | string;
  readonly answer: Answer;
}

/**
 * Earlier answers of one thread. Each is kept with the revision that was read before its data; as long as that is still
 * the revision, reading again would give the same answer.
 */
export class ResponseCache<Answer extends { readonly length: number } = string> {
  readonly #kept: LRUCache<string, Kept<Answer>>;

  constructor({ maxBytes }: { maxBytes: number }) {
    this.#kept = new LRUCache<string, Kept<Answer>>({
      maxSize: maxBytes,
      maxEntrySize: maxBytes * MAX_SHARE,
    });
  }

  /**
   * The answer kept under `key`, or a new one from `make`. Nothing is kept where `revision` is undefined, since a change
   * could then not be noticed, nor where `make` has no answer or a long one.
   */
  get<Made extends Answer | undefined>(
    key: string,
    revision: number | string | undefined,
    make: () => MaybePromise<Made>,
  ): MaybePromise<Made | Answer> {
    if (revision === undefined) return make();
    const kept = this.#kept.get(key);
    if (kept?.revision === revision) return kept.answer;
    const made = make();
    if (made instanceof Promise) return made.then((answer) => this.#keep(key, revision, answer));
    return this.#keep(key, revision, made);
  }

  #keep<Made extends Answer | undefined>(key: string, revision: number | string, answer: Made): Made {
    if (answer !== undefined) {
      const size = answer.length + key.length + OVERHEAD_BYTES;
      this.#kept.set(key, { revision, answer }, { size });
    }
    return answer;
  }
}
