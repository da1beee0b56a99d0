import { BusyError, OutageError } from '@larder/core/errors.ts';
import { LRUCache } from 'lru-cache';
import { type Pause, pause as pauseOnTimer } from '../base/pause.ts';

/**
 * Maximum age of a cached row. A revocation takes effect everywhere after at most this time and one look-up, well
 * within the promised second, without any thread or node notifying another.
 */
const MAX_AGE_MS = 500;
/** Maximum wait of a known row for a slow store before the earlier result may be used. */
const PATIENCE_MS = 250;
/**
 * Maximum age of an earlier result while the store is slow, and how long a failed store counts as away. Look-ups fail
 * before that.
 */
const SLOW_MS = 5_000;
/** Maximum age of an earlier result while the store is away. */
const AWAY_MS = 60_000;
const MAX_REMEMBERED = 10_000;

interface LatestAnswer<Found> {
  readonly stored: Found;
  readonly answeredAtMs: number;
}

interface Remembered<Found> {
  /** Reset by a failed look-up, so that the next request asks again. */
  askedAtMs: number;
  readonly answer: Promise<Found | undefined>;
  /** The store's latest result; undefined until there is one. */
  latest: LatestAnswer<Found> | undefined;
}

export interface CachedLookUpsOptions<Found> {
  /** A look-up that fails with an `OutageError` other than a `BusyError` means that the store is down. */
  readonly find: (id: string) => Promise<Found | undefined>;
  readonly nowMs: () => number;
  readonly pause?: Pause;
}

/**
 * Looks up credentials by id, and keeps those in use for half a second. Earlier results bridge outages of the store. One per
 * API thread and kind of credential.
 */
export class CachedLookUps<Found> {
  readonly #find: (id: string) => Promise<Found | undefined>;
  readonly #nowMs: () => number;
  readonly #pause: Pause;
  /** Time of the last failed look-up; undefined since the store responded. */
  #awayAtMs: number | undefined;
  readonly #remembered = new LRUCache<string, Remembered<Found>>({ max: MAX_REMEMBERED });

  constructor({ find, nowMs, pause = pauseOnTimer }: CachedLookUpsOptions<Found>) {
    this.#find = find;
    this.#nowMs = nowMs;
    this.#pause = pause;
  }

  /** The cached row of this id; undefined where the store has to be asked. */
  recall(id: string): Found | undefined {
    const known = this.#remembered.get(id);
    return known !== undefined && this.#age(known.askedAtMs) < MAX_AGE_MS ? known.latest?.stored : undefined;
  }

  /** The cached row of this id, or the one that the store has. */
  find(id: string): Promise<Found | undefined> {
    const known = this.#remembered.get(id);
    if (known !== undefined && this.#age(known.askedAtMs) < MAX_AGE_MS) return known.answer;
    const before = known?.latest;
    const asked = this.#ask(id);
    const answer = before === undefined ? asked : this.#orEarlier(asked, before);
    const entry: Remembered<Found> = { askedAtMs: this.#nowMs(), answer, latest: undefined };
    this.#remembered.set(id, entry);
    const forget = () => {
      if (this.#remembered.get(id) === entry) this.#remembered.delete(id);
    };
    // The earlier result is used until the store returns a newer one.
    answer.then(
      (stored) => {
        if (stored === before?.stored) entry.latest ??= before;
      },
      () => {
        if (before === undefined) return forget();
        entry.latest ??= before;
        entry.askedAtMs = Number.NEGATIVE_INFINITY;
      },
    );
    // Unknown ids are not kept, so that guesses cannot evict keys in use.
    asked.then(
      (stored) => {
        entry.latest = stored && { stored, answeredAtMs: this.#nowMs() };
        if (stored === undefined) forget();
      },
      () => undefined,
    );
    return answer;
  }

  async #ask(id: string): Promise<Found | undefined> {
    try {
      const stored = await this.#find(id);
      this.#awayAtMs = undefined;
      return stored;
    } catch (error) {
      if (error instanceof OutageError && !(error instanceof BusyError)) this.#awayAtMs = this.#nowMs();
      throw error;
    }
  }

  /**
   * Returns the store's result, or the earlier one: at once while the store is down, after a wait while it is slow. If
   * the store is only busy with other requests, the earlier one is not used.
   */
  async #orEarlier(
    asked: Promise<Found | undefined>,
    before: LatestAnswer<Found>,
  ): Promise<Found | undefined> {
    const isBridged = () => this.#isAway && this.#age(before.answeredAtMs) < AWAY_MS;
    if (isBridged()) {
      asked.catch(() => {});
      return before.stored;
    }
    const orEarlier = asked.catch((error) => {
      if (isBridged()) return before.stored;
      throw error;
    });
    const patience = new AbortController();
    // The pause must not keep a process alive that is ending.
    const late = this.#pause(PATIENCE_MS, { signal: patience.signal, ref: false }).then(() =>
      this.#age(before.answeredAtMs) < SLOW_MS ? before.stored : orEarlier,
    );
    try {
      return await Promise.race([orEarlier, late]);
    } finally {
      patience.abort();
    }
  }

  get #isAway(): boolean {
    return this.#awayAtMs !== undefined && this.#age(this.#awayAtMs) < SLOW_MS;
  }

  /** After a clock change the age is unknown; the absolute difference is an upper estimate. */
  #age(atMs: number): number {
    return Math.abs(this.#nowMs() - atMs);
  }
}
