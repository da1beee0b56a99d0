import { LRUCache } from 'lru-cache';

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

  /** The answer kept under `key`; undefined where there is none of this revision. */
  find(key: string, revision: number | string | undefined): Answer | undefined {
    const kept = this.#kept.get(key);
    return kept?.revision === revision ? kept?.answer : undefined;
  }

  /**
   * Keeps an answer whose data was read after its revision, and returns it. Not kept are long ones, and those whose revision is
   * undefined, since a change could then not be noticed.
   */
  keep<Made extends Answer>(key: string, revision: number | string | undefined, answer: Made): Made {
    if (revision !== undefined) {
      const size = answer.length + key.length + OVERHEAD_BYTES;
      this.#kept.set(key, { revision, answer }, { size });
    }
    return answer;
  }
}
