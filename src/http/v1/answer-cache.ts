import { LRUCache } from 'lru-cache';

const MAX_BYTES = 16 * 2 ** 20;
/** What an answer takes besides its bytes, roughly. */
const OVERHEAD_BYTES = 200;

interface Kept {
  readonly revision: number;
  readonly answer: Buffer;
}

/**
 * Answers that were given before, as bytes. Each is kept with the revision that was read before the data; while that
 * is the revision still, the answer is what reading again would give.
 */
export class AnswerCache {
  readonly #kept = new LRUCache<string, Kept>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ answer }, key) => answer.length + key.length + OVERHEAD_BYTES,
  });

  /** `revision` is undefined where nobody can tell whether something changed; then nothing is kept. */
  async get(
    key: string,
    revision: number | undefined,
    make: () => Promise<string>,
  ): Promise<Buffer | string> {
    if (revision === undefined) return make();
    const kept = this.#kept.get(key);
    if (kept?.revision === revision) return kept.answer;
    const answer = Buffer.from(await make());
    this.#kept.set(key, { revision, answer });
    return answer;
  }
}
