import type { ChangeHints } from '../db/change-hints.ts';
import { list, type Queries, sql } from '../db/sql.ts';
import type { LogOwner } from '../db/writer.ts';

/** Owners whose heads are read by one query. */
const MAX_READ_AT_ONCE = 500;

export interface ChangeWatchOptions {
  readonly db: Queries;
  readonly hints: ChangeHints;
  /** Maximum delay of a change whose hint was lost. */
  readonly pollMs: number;
  readonly onError: (error: unknown) => void;
}

interface Watched {
  readonly owner: LogOwner;
  readonly watchers: Set<ChangeSubscription>;
  /** The head at the latest poll. */
  seq: number | undefined;
}

/**
 * Notifies any number of readers on one thread of changes in the logs that they follow.
 *
 *     open ─▶ read the log ─▶ next: a hint, or a poll of the heads of all followed logs ─▶ read the log ─▶ …
 *
 * A reader opens its subscription before it reads, so that no change in between is missed. It may be notified
 * twice, or without a change.
 */
export class ChangeWatch {
  readonly #options: ChangeWatchOptions;
  readonly #watched = new Map<string, Watched>();
  /** Runs while at least one log is watched. */
  #polling: NodeJS.Timeout | undefined;
  #isPolling = false;
  #isClosed = false;

  constructor(options: ChangeWatchOptions) {
    this.#options = options;
  }

  /** Notifications of changes in these logs; close it after use. */
  open(owners: readonly LogOwner[]): ChangeSubscription {
    const news = new ChangeSubscription(() => {
      for (const owner of owners) this.#leave(owner, news);
    });
    if (this.#isClosed) news.end();
    else for (const owner of owners) this.#join(owner, news);
    return news;
  }

  /** Ends all notifications: their readers are notified for the last time. */
  close(): void {
    this.#isClosed = true;
    for (const { watchers } of this.#watched.values()) for (const news of watchers) news.end();
  }

  /** Reads the heads of all watched logs. */
  async poll(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    try {
      const all = [...this.#watched.values()];
      for (let at = 0; at < all.length; at += MAX_READ_AT_ONCE)
        await this.#readHeads(all.slice(at, at + MAX_READ_AT_ONCE));
    } catch (error) {
      this.#options.onError(error);
    } finally {
      this.#isPolling = false;
    }
  }

  #join(owner: LogOwner, news: ChangeSubscription): void {
    const key = keyOf(owner);
    const known = this.#watched.get(key);
    if (known !== undefined) {
      known.watchers.add(news);
      return;
    }
    const watched: Watched = { owner, watchers: new Set([news]), seq: undefined };
    this.#watched.set(key, watched);
    this.#polling ??= setInterval(() => void this.poll(), this.#options.pollMs).unref();
    void this.#hear(watched, this.#options.hints.of(owner));
  }

  #leave(owner: LogOwner, news: ChangeSubscription): void {
    const key = keyOf(owner);
    const watched = this.#watched.get(key);
    if (watched === undefined) return;
    watched.watchers.delete(news);
    if (watched.watchers.size === 0) this.#watched.delete(key);
    if (this.#watched.size > 0) return;
    clearInterval(this.#polling);
    this.#polling = undefined;
  }

  /**
   * Notifies the watchers of each hint, until there are none. Waits in parts, so that it ends soon after they
   * have left.
   */
  async #hear({ owner, watchers }: Watched, seen: number): Promise<void> {
    const { hints, pollMs } = this.#options;
    for (let known = seen; watchers.size > 0; ) {
      await hints.changed(owner, known, pollMs);
      const now = hints.of(owner);
      if (now !== known) tell(watchers);
      known = now;
    }
  }

  async #readHeads(followed: readonly Watched[]): Promise<void> {
    const asked = followed.map(({ owner }) => sql`(${owner.tenant}, ${owner.userId})`);
    // Padded to few different lengths, so that few statements are prepared.
    while (!Number.isInteger(Math.log2(asked.length))) asked.push(asked[0]!);
    const query = sql<{ readonly tenant_id: string; readonly user_id: string; readonly seq: number }>`
      select tenant_id, user_id, seq from change_heads where (tenant_id, user_id) in (values ${list(asked)})`;
    const rows = await query.all(this.#options.db);
    const heads = new Map(
      rows.map(({ tenant_id: tenant, user_id: userId, seq }) => [keyOf({ tenant, userId }), seq]),
    );
    for (const watched of followed) {
      const seq = heads.get(keyOf(watched.owner)) ?? 0;
      // Changes before the first poll may also have come without a hint.
      if (seq !== watched.seq) tell(watched.watchers);
      watched.seq = seq;
    }
  }
}

/** The wait of one reader. */
export class ChangeSubscription {
  readonly #leave: () => void;
  #isDue = false;
  #isEnded = false;
  #waiting: (() => void) | undefined;

  constructor(leave: () => void) {
    this.#leave = leave;
  }

  /** True after `close`, and if nothing is watched any longer. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  tell(): void {
    this.#isDue = true;
    this.#waiting?.();
  }

  end(): void {
    this.#isEnded = true;
    this.tell();
  }

  /**
   * Resolves when something has changed since the last call, at the end, and after `timeoutMs` if given.
   * Allows one call at a time.
   */
  async next(timeoutMs?: number): Promise<void> {
    if (!this.#isDue)
      await new Promise<void>((resolve) => {
        const timer = timeoutMs === undefined ? undefined : setTimeout(resolve, timeoutMs);
        this.#waiting = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    this.#waiting = undefined;
    this.#isDue = this.#isEnded;
  }

  close(): void {
    this.#leave();
    this.end();
  }
}

function tell(watchers: Iterable<ChangeSubscription>): void {
  for (const news of watchers) news.tell();
}

function keyOf({ tenant, userId }: LogOwner): string {
  return `${tenant}\n${userId}`;
}
