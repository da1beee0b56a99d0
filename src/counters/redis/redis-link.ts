import { Redis } from 'ioredis';

/** Interval of connection attempts during an outage of Redis. */
const RETRY_MS = 250;

export interface RedisLinkOptions {
  readonly url: string;
  /** How long a connection may take until `prove` has resolved. */
  readonly connectTimeoutMs: number;
  /** Resolves when a new connection is fit for use; rejects when it is not. */
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
  #isClosed = false;
  #retry: NodeJS.Timeout | undefined;
  #attempt: Redis | undefined;

  constructor({ url, connectTimeoutMs, prove, onChange }: RedisLinkOptions) {
    this.#url = url;
    this.#connectTimeoutMs = connectTimeoutMs;
    this.#prove = prove;
    this.#onChange = onChange;
  }

  /** Resolves when Redis is ready or unavailable; attempts continue until `close`. */
  async connect(): Promise<void> {
    const cause = await this.#connect();
    if (cause === undefined || this.#isClosed) return;
    this.#onChange(false, cause);
    this.#retryLater();
  }

  /** The connection, while Redis is there. */
  get redis(): Redis | undefined {
    return this.#redis;
  }

  /** Abandons a connection whose other end does not answer. */
  giveUp(redis: Redis, cause: Error): void {
    if (this.#redis !== redis) return;
    this.#redis = undefined;
    redis.disconnect();
    if (this.#isClosed) return;
    this.#onChange(false, cause);
    this.#retryLater();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    this.#attempt?.disconnect();
    this.#redis?.disconnect();
    this.#redis = undefined;
  }

  /** Why there is no connection, or undefined when there is one. */
  async #connect(): Promise<Error | undefined> {
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
      return cause ?? (error as Error);
    } finally {
      clearTimeout(timer);
      this.#attempt = undefined;
    }
    if (this.#isClosed) redis.disconnect();
    else this.#use(redis);
    return undefined;
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

  #retryLater(): void {
    this.#retry = setTimeout(async () => {
      if ((await this.#connect()) !== undefined && !this.#isClosed) this.#retryLater();
    }, RETRY_MS).unref();
  }
}
