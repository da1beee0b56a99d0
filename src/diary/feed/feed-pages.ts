import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '@larder/core/errors.ts';
import { Places } from '../../base/places.ts';
import type { ChangeSubscription, ChangeWatch } from '../../changes/change-watch.ts';
import type { DiaryOwner } from '../records/entry.ts';
import { type FeedPosition, parseCursor, toCursor } from './feed-position.ts';
import { type FeedChange, tenantOf, type UserFeed } from './user-feed.ts';

/** A page ends before an object that would exceed this length. */
export const MAX_PAGE_BYTES = 2 ** 20;
/** Changes of other kinds than the requested ones that a page passes over. */
const MAX_SKIPPED = 2_000;
/** Objects that are written without a pause: two to three milliseconds. */
const OBJECTS_AT_ONCE = 200;
/**
 * Maximum requests and streams on one thread that wait for changes: in total, of a tenant, of a user. Each
 * takes some kilobytes.
 */
const MAX_WAITING = 10_000;
const MAX_WAITING_OF_TENANT = 2_000;
export const MAX_WAITING_OF_USER = 10;
const RETRY_SECONDS = 1;

export interface FeedRequest {
  readonly owner: DiaryOwner;
  /** Whether the caller may read the foods that the user sees. */
  readonly hasFoods: boolean;
  /** Only changes of these kinds; undefined for all. */
  readonly kinds?: ReadonlySet<string> | undefined;
  readonly cursor: string | undefined;
  /** Aborted when the client has left. */
  readonly signal: AbortSignal;
}

export interface FeedPageRequest extends FeedRequest {
  readonly limit: number;
  /** Maximum time to wait for changes if there are none. */
  readonly waitMs: number;
  readonly toObject: (change: FeedChange) => unknown;
}

export interface FeedPage {
  readonly changes: readonly unknown[];
  readonly cursor: string;
  /** Whether more changes can be read at once. */
  readonly more: boolean;
}

export interface FeedPagesOptions {
  readonly feed: UserFeed;
  readonly watch: ChangeWatch;
  readonly readEpoch: () => Promise<string>;
}

/** The feeds of users for clients: in pages, with cursors, and with waiting for changes. */
export class FeedPages {
  readonly #options: FeedPagesOptions;
  readonly #places = new Places({ all: MAX_WAITING, each: [MAX_WAITING_OF_TENANT, MAX_WAITING_OF_USER] });

  constructor(options: FeedPagesOptions) {
    this.#options = options;
  }

  /**
   * Throws `cursor_expired` if the feed does not reach back to the cursor, and `rate_limit_exceeded` if too
   * many requests wait.
   */
  async page(request: FeedPageRequest): Promise<FeedPage> {
    const { owner, hasFoods, cursor, waitMs, signal } = request;
    const { feed } = this.#options;
    const epoch = await this.#options.readEpoch();
    const until = performance.now() + waitMs;
    let news: ChangeSubscription | undefined;
    let free: (() => void) | undefined;
    try {
      if (waitMs > 0) news = this.#open(owner, hasFoods, signal);
      let position = cursor === undefined ? await feed.begin(owner) : parseCursor(cursor, owner, epoch);
      for (;;) {
        const { changes, more, end } = await this.#collect(request, position);
        const leftMs = until - performance.now();
        if (changes.length > 0 || more || news === undefined || news.isEnded || leftMs <= 0)
          return { changes, more, cursor: toCursor(end, owner, epoch) };
        free ??= this.#take(owner);
        await news.next(leftMs);
        position = end;
      }
    } finally {
      news?.close();
      free?.();
    }
  }

  /**
   * Yields a cursor after each change: that of a reader who has read it. The first one is the current cursor,
   * unless the reader has it.
   */
  async *news(request: FeedRequest): AsyncGenerator<string, void, undefined> {
    const { owner, hasFoods, cursor, signal } = request;
    const { feed, readEpoch } = this.#options;
    const news = this.#open(owner, hasFoods, signal);
    try {
      const readEnd = async () => toCursor(await feed.end(owner, hasFoods), owner, await readEpoch());
      for (let seen = cursor; !news.isEnded; await news.next()) {
        let now = await readEnd();
        if (now !== seen && !news.isEnded && (await this.#hasNews(request, seen))) {
          // A change that was written meanwhile may be the one that was found.
          if (request.kinds !== undefined) now = await readEnd();
          yield now;
        }
        seen = now;
      }
    } finally {
      news.close();
    }
  }

  /** Whether there is a change of the requested kinds after a cursor, or the reader has to begin again. */
  async #hasNews(request: FeedRequest, cursor: string | undefined): Promise<boolean> {
    const { owner, kinds } = request;
    if (kinds === undefined || cursor === undefined) return true;
    const one = { ...request, limit: 1, toObject: () => '' };
    try {
      let position = parseCursor(cursor, owner, await this.#options.readEpoch());
      for (;;) {
        const { changes, more, end } = await this.#collect(one, position);
        if (changes.length > 0) return true;
        if (!more) return false;
        position = end;
      }
    } catch (error) {
      if (error instanceof AppError && error.code === 'cursor_expired') return true;
      throw error;
    }
  }

  /** Occupies a place for a stream until `ended` is aborted. Throws `rate_limit_exceeded`. */
  takePlace(owner: DiaryOwner, ended: AbortSignal): void {
    const free = this.#take(owner);
    if (ended.aborted) free();
    else ended.addEventListener('abort', free, { once: true });
  }

  #open(owner: DiaryOwner, hasFoods: boolean, signal: AbortSignal): ChangeSubscription {
    const news = this.#options.watch.open(hasFoods ? [owner, tenantOf(owner)] : [owner]);
    if (signal.aborted) news.end();
    else signal.addEventListener('abort', () => news.end(), { once: true });
    return news;
  }

  #take({ tenant, userId }: DiaryOwner): () => void {
    const free = this.#places.take([tenant, `${tenant}\n${userId}`]);
    if (free !== undefined) return free;
    throw new AppError({
      code: 'rate_limit_exceeded',
      message: `At most ${MAX_WAITING_OF_USER} requests can wait for the changes of a user; retry in ${RETRY_SECONDS} second, or ask without waiting.`,
      details: { retryAfter: RETRY_SECONDS },
    });
  }

  async #collect(
    { owner, hasFoods, kinds, limit, toObject }: Omit<FeedPageRequest, 'waitMs'>,
    start: FeedPosition,
  ) {
    const steps = this.#options.feed.read(owner, start, hasFoods);
    const changes: unknown[] = [];
    let bytes = 0;
    let skipped = 0;
    let end = start;
    try {
      for (;;) {
        const { done, value } = await steps.next();
        if (done === true) return { changes, end, more: value };
        const { change, position } = value;
        if (change !== undefined && kinds !== undefined && !kinds.has(change.kind)) {
          if (++skipped > MAX_SKIPPED) return { changes, end: position, more: true };
        } else if (change !== undefined) {
          if (changes.length === limit) return { changes, end, more: true };
          const object = toObject(change);
          bytes += Buffer.byteLength(JSON.stringify(object));
          if (bytes > MAX_PAGE_BYTES && changes.length > 0) return { changes, end, more: true };
          changes.push(object);
          if (changes.length % OBJECTS_AT_ONCE === 0) await nextTurn();
        }
        end = position;
      }
    } finally {
      await steps.return(true);
    }
  }
}
