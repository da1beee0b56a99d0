import { LRUCache } from 'lru-cache';
import type { CacheSlot } from '../../api/operation.ts';
import type { CompleteReply } from './exchange.ts';

/** Approximate bytes of a kept answer besides its characters. */
const OVERHEAD_BYTES = 200;
/** Largest share of the cache that one answer may take, so that a few long ones do not empty it of others' answers. */
const MAX_SHARE = 1 / 16;

interface Kept {
  readonly revision: number | string;
  readonly reply: CompleteReply;
}

/** Earlier answers of one operation on one thread, as bytes. Each is kept with the revision that was read before its data. */
export class ResponseCache {
  readonly #kept: LRUCache<string, Kept>;

  constructor({ maxBytes }: { maxBytes: number }) {
    this.#kept = new LRUCache<string, Kept>({
      maxSize: maxBytes,
      maxEntrySize: maxBytes * MAX_SHARE,
    });
  }

  /** Undefined if there is no answer of this revision. */
  find({ key, revision }: CacheSlot): CompleteReply | undefined {
    const kept = this.#kept.get(key);
    return kept?.revision === revision ? kept.reply : undefined;
  }

  /** Long answers are not kept, nor those that are no text and no bytes. */
  keep({ key, revision }: CacheSlot, reply: CompleteReply): void {
    const { body } = reply;
    if (typeof body !== 'string' && !Buffer.isBuffer(body)) return;
    this.#kept.set(key, { revision, reply }, { size: body.length + key.length + OVERHEAD_BYTES });
  }
}
