import { Redis } from 'ioredis';
import { pause } from '../../base/pause.ts';
import { retry } from '../../base/retry.ts';

/** Interval of connection attempts during an outage of Redis. */
const RETRY_MS = 250;

export interface RedisLinkOptions {
  readonly url: string;
  /** Time limit of a connection attempt until `prove` has resolved. */
  readonly connectTimeoutMs: number;
  /** Resolves when a new connection is usable; rejects when it is not. */
  readonly prove: (redis: Redis) => Promise<unknown>;
  /** Called once for each change; `cause` is the reason of an outage, if known. */
  readonly onChange: (isUp: boolean, cause?: Error) => void;
}

/**
 * One connection to Redis (or Valkey) that reconnects by itself.
 *
 *     down ──every RETRY_MS: connect──▶ up ──closed, or abandoned by its user──▶ down
 *
 * Every attempt is a new connection, so that one that hangs, because its machine is gone, can be abandoned. Nothing is
 * queued during an outage of Redis, and nothing is sent twice.
 */
export class RedisLink {
  readonly #url: string;
  readonly #connectTimeoutMs: number;
  readonly #prove: RedisLinkOptions['prove'];
  readonly #onChange: RedisLinkOptions['onChange'];
  #redis: Redis | undefined;
  readonly #closed = new AbortController();
  #attempt: Redis | undefined;

  constructor({ url, connectTimeoutMs, prove, onChange }: RedisLinkOptions) {
    this.#url = url;
    this.#connectTimeoutMs = connectTimeoutMs;
    this.#prove = prove;
    this.#onChange = onChange;
  }

  /** Resolves when Redis is ready or unavailable; attempts continue until `close`. */
  async connect(): Promise<void> {
    try {
      await this.#connect();
    } catch (cause) {
      if (this.#closed.signal.aborted) return;
      this.#onChange(false, cause as Error);
      this.#reconnect();
    }
  }

  /** The connection, while Redis is available. */
  get redis(): Redis | undefined {
    return this.#redis;
  }

  /** Abandons a connection whose other end does not answer. */
  giveUp(redis: Redis, cause: Error): void {
    if (this.#redis !== redis) return;
    this.#redis = undefined;
    redis.disconnect();
    if (this.#closed.signal.aborted) return;
    this.#onChange(false, cause);
    this.#reconnect();
  }

  close(): void {
    this.#closed.abort();
    this.#attempt?.disconnect();
    this.#redis?.disconnect();
    this.#redis = undefined;
  }

  /** Throws the reason if there is no connection. */
  async #connect(): Promise<void> {
    const redis = new Redis(this.#url, {
      lazyConnect: true,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      connectTimeout: this.#connectTimeoutMs,
      retryStrategy: () => null,
    });
    this.#attempt = redis;
    let cause: Error | undefined;
    redis.on('error', (error) => {
      cause = error;
    });
    // `connectTimeout` ends with the TCP handshake, which a frozen process still answers.
    const timer = setTimeout(() => {
      cause ??= new Error(`not ready within ${this.#connectTimeoutMs} ms`);
      redis.disconnect();
    }, this.#connectTimeoutMs);
    try {
      await redis.connect();
      await this.#prove(redis);
    } catch (error) {
      redis.disconnect();
      throw cause ?? error;
    } finally {
      clearTimeout(timer);
      this.#attempt = undefined;
    }
    if (this.#closed.signal.aborted) redis.disconnect();
    else this.#use(redis);
  }

  #use(redis: Redis): void {
    this.#redis = redis;
    let cause = new Error('Redis closed the connection');
    redis.on('error', (error) => {
      cause = error;
    });
    redis.on('close', () => this.giveUp(redis, cause));
    this.#onChange(true);
  }

  /** Ends with `close`. */
  #reconnect(): void {
    const waiting = { signal: this.#closed.signal, ref: false };
    pause(RETRY_MS, waiting)
      .then(() => retry(() => this.#connect(), { delayMs: () => RETRY_MS, ...waiting }))
      .catch(() => {});
  }
}
