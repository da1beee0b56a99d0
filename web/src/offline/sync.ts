import { type Larder, LarderError } from 'larder-client';
import type { LocalCopy } from './local-copy.ts';
import { isUnreachable, outcomeOf } from './queue/outcome.ts';
import { send } from './queue/send.ts';
import { nextToSend, type Write } from './queue/writes.ts';

/** Changes in a page of the feed. */
const PAGE = 500;
/** Recents that are kept for adding offline. */
const RECENTS = 50;
const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;

export interface SyncOptions {
  readonly larder: Larder;
  readonly userId: string;
  readonly copy: LocalCopy;
  /** The language in which the service names foods. */
  readonly language: () => string;
  /** Called after the local copy changed. */
  readonly onChange: () => void;
  /** Called when the service was reached, or was not. */
  readonly onReach: (isReached: boolean) => void;
  /** Called when the service no longer accepts the session. */
  readonly onSignedOut: (error: LarderError) => void;
}

/** Sends the writes of a person and follows the feed of changes, in one tab at a time. */
export class Sync {
  readonly #options: SyncOptions;
  readonly #ended = new AbortController();
  #following: AbortController | undefined;
  #language = '';
  #sending: Promise<void> | undefined;
  #isAskedAgain = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wake = () => {};

  constructor(options: SyncOptions) {
    this.#options = options;
  }

  /** Follows the feed until `pause` or `end`; asks again at once if it waits for the service to come back. */
  follow(): void {
    if (this.#ended.signal.aborted) return;
    const language = this.#options.language();
    if (this.#following !== undefined) {
      if (language === this.#language) {
        this.#wake();
        return;
      }
      this.pause();
    }
    this.#language = language;
    const following = new AbortController();
    const { signal } = following;
    this.#following = following;
    this.#alone('follow', signal, () => this.#followFeed(signal)).catch(() => {
      if (this.#following === following) this.#following = undefined;
    });
  }

  pause(): void {
    this.#following?.abort();
    this.#following = undefined;
  }

  end(): void {
    this.pause();
    clearTimeout(this.#timer);
    this.#ended.abort();
  }

  /**
   * Sends what waits, in the order in which it was written; ends when nothing more can be sent at present. What is left is sent
   * later.
   */
  flush(): Promise<void> {
    this.#isAskedAgain = true;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  async #sendAll(): Promise<void> {
    clearTimeout(this.#timer);
    while (this.#isAskedAgain && !this.#ended.signal.aborted) {
      this.#isAskedAgain = false;
      try {
        await this.#alone('send', this.#ended.signal, () => this.#sendPass());
      } catch {
        // The browser's database failed: everything stays in it.
        this.#flushLater(MAX_PAUSE_MS);
      }
    }
  }

  #flushLater(ms: number): void {
    clearTimeout(this.#timer);
    if (!this.#ended.signal.aborted) this.#timer = setTimeout(() => void this.flush(), ms);
  }

  async #sendPass(): Promise<void> {
    const { copy, onChange, onReach, onSignedOut } = this.#options;
    const skipped = new Set<number>();
    for (;;) {
      const write = nextToSend(await copy.writes(), skipped);
      if (write === undefined || this.#ended.signal.aborted) break;
      const error = await this.#sendOne(write);
      if (error?.status === 401) return onSignedOut(error);
      if (error !== undefined && isUnreachable(error)) {
        onReach(error.code === 'rate_limit_exceeded');
        return this.#flushLater(error.retryAfterMs ?? MAX_PAUSE_MS);
      }
      onReach(true);
      if (error !== undefined) skipped.add(write.seq);
      onChange();
    }
    if (skipped.size > 0) this.#flushLater(MAX_PAUSE_MS);
  }

  /** Returns why a write is still in the queue. */
  async #sendOne(waiting: Write): Promise<LarderError | undefined> {
    const { larder, userId, copy } = this.#options;
    let write: Write = { ...waiting, attempts: waiting.attempts + 1 };
    for (;;) {
      // What was sent once cannot be taken back unseen, should the page end before the answer.
      if (!(await copy.update(write))) return undefined;
      try {
        await copy.settle(write, await send(larder, userId, write));
        return undefined;
      } catch (error) {
        if (!(error instanceof LarderError)) throw error;
        const outcome = outcomeOf(write, error);
        if (outcome.kind === 'done') {
          await copy.settle(write, outcome.value);
          return undefined;
        }
        if (outcome.kind === 'again' && write.attempts < waiting.attempts + 3) {
          write = { ...outcome.write, attempts: write.attempts + 1 };
          continue;
        }
        if (outcome.kind === 'conflict')
          await copy.update({ ...write, state: 'conflict', theirs: outcome.theirs });
        if (outcome.kind === 'refused')
          await copy.update({ ...write, state: 'refused', reason: outcome.reason });
        return error;
      }
    }
  }

  async #followFeed(signal: AbortSignal): Promise<void> {
    const { copy, onReach, onSignedOut } = this.#options;
    await copy.prune();
    let pauseMs = MIN_PAUSE_MS;
    while (!signal.aborted) {
      try {
        await this.#readFeed(signal, () => {
          pauseMs = MIN_PAUSE_MS;
        });
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof LarderError)) {
          // A copy that cannot follow, as on a full disk, must not be shown as the whole.
          await copy.forget();
          throw error;
        }
        if (error.status === 401) return onSignedOut(error);
        if (error.code === 'cursor_expired') await copy.forget();
        else {
          if (isUnreachable(error)) onReach(error.code === 'rate_limit_exceeded');
          const isWoken = await this.#rest(error.retryAfterMs ?? pauseMs, signal);
          pauseMs = isWoken ? MIN_PAUSE_MS : Math.min(2 * pauseMs, MAX_PAUSE_MS);
        }
      }
    }
  }

  /** Takes over pages as they come; ends with the error of a request. */
  async #readFeed(signal: AbortSignal, onPage: () => void): Promise<void> {
    const { larder, userId, copy, onChange, onReach } = this.#options;
    const language = this.#language;
    const isNamed = (await copy.note('language')) === language;
    const after = isNamed ? await copy.note('cursor') : undefined;
    let isFirst = true;
    for await (const page of larder.user(userId).changes({ after, limit: PAGE, signal, maxRetries: 0 })) {
      onPage();
      onReach(true);
      if (isFirst && !isNamed) await copy.forgetNames(language);
      await copy.apply(page);
      try {
        if (!page.more) await this.#refreshRecents(signal);
      } finally {
        // Views read recents too.
        if (page.changes.length > 0 || isFirst) onChange();
      }
      if (isFirst) void this.flush();
      isFirst = false;
    }
  }

  async #refreshRecents(signal: AbortSignal): Promise<void> {
    const { larder, userId, copy } = this.#options;
    await copy.setNote(
      'recents',
      await larder.user(userId).foods.recent({ limit: RECENTS }, { signal, maxRetries: 0 }),
    );
  }

  /** Waits; returns whether `follow` or `end` was called meanwhile, as when the device is online again. */
  #rest(ms: number, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms, false);
      this.#wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
      signal.addEventListener('abort', this.#wake, { once: true });
    });
  }

  /**
   * Runs where no other tab of this browser does the same. Pages without TLS have no locks; there the ids and versions of writes make
   * it safe that two tabs send them.
   */
  async #alone(what: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    const name = `larder-${what}-${this.#options.userId}`;
    if (navigator.locks === undefined) await work();
    else await navigator.locks.request(name, { signal }, work);
  }
}
