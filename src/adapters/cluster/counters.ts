import { Redis } from 'ioredis';
import { type Counters, type Tally, WINDOW_SECONDS } from '../../limits/counters.ts';

/** A request waits no longer than this for Redis. */
const COMMAND_TIMEOUT_MS = 50;
const CONNECT_TIMEOUT_MS = 1_000;
/** How often a Redis that went silent or away is tried again. */
const RETRY_MS = 500;
const PREFIX = 'larder:limit:';

/** Windows end on whole seconds of Redis' own clock, so that nodes whose clocks differ agree. */
const TAKE = `
local limit = tonumber(ARGV[1])
local time = redis.call('TIME')
local counted = tonumber(redis.call('GET', KEYS[1]) or '0')
local allowed = counted < limit
if allowed then
  counted = redis.call('INCR', KEYS[1])
  if counted == 1 then redis.call('EXPIREAT', KEYS[1], time[1] + ${WINDOW_SECONDS}) end
end
local left = redis.call('PTTL', KEYS[1])
if left < 0 then return { 0, counted, time[1] + ${WINDOW_SECONDS} } end
return { allowed and 1 or 0, counted, math.floor(time[1] + (time[2] / 1000 + left) / 1000 + 0.5) }`;

export interface RedisCountersPorts {
  readonly url: string;
  /** Counts while Redis is away: each process for itself. */
  readonly local: Counters;
  /** Told once for each change. */
  readonly onChange: (countedIn: 'redis' | 'local', cause?: Error) => void;
}

/**
 * Counters that all nodes share in Redis (or Valkey). While it is away, requests are counted in this process alone
 * and wait for nothing: only those under way when it falls silent wait, for `COMMAND_TIMEOUT_MS`.
 */
export class RedisCounters implements Counters<Tally | Promise<Tally>> {
  readonly #redis: Redis;
  readonly #local: Counters;
  readonly #onChange: RedisCountersPorts['onChange'];
  #retry: NodeJS.Timeout | undefined;
  #countedIn: 'redis' | 'local' = 'local';
  #lastError: Error | undefined;

  constructor({ url, local, onChange }: RedisCountersPorts) {
    this.#local = local;
    this.#onChange = onChange;
    this.#redis = new Redis(url, {
      lazyConnect: true,
      enableOfflineQueue: false,
      // A command that is sent twice would count twice.
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      commandTimeout: COMMAND_TIMEOUT_MS,
      connectTimeout: CONNECT_TIMEOUT_MS,
      retryStrategy: () => RETRY_MS,
    });
    this.#redis.on('error', (error) => {
      this.#lastError = error;
    });
    this.#redis.on('ready', () => this.#change('redis'));
    this.#redis.on('close', () => this.#change('local', this.#lastError));
  }

  /** Resolves when Redis answers or is found to be away; it is tried again until `close`. */
  async connect(): Promise<void> {
    await this.#redis.connect().catch((error: Error) => this.#onChange('local', this.#lastError ?? error));
  }

  get countedIn(): 'redis' | 'local' {
    return this.#countedIn;
  }

  take(name: string, limit: number, nowMs: number): Tally | Promise<Tally> {
    if (this.#countedIn === 'local') return this.#local.take(name, limit, nowMs);
    return this.#ask(name, limit).catch((error: Error) => {
      this.#fallSilent(error);
      return this.#local.take(name, limit, nowMs);
    });
  }

  close(): void {
    clearTimeout(this.#retry);
    this.#redis.removeAllListeners('close');
    this.#redis.disconnect();
  }

  async #ask(name: string, limit: number): Promise<Tally> {
    const answer = await this.#redis.eval(TAKE, 1, PREFIX + name, limit);
    const [allowed, counted, resetsAt] = answer as [number, number, number];
    return { allowed: allowed === 1, remaining: Math.max(0, limit - counted), resetsAt };
  }

  /** The connection may still stand, so no event tells when Redis is back: it is asked. */
  #fallSilent(error: Error): void {
    this.#change('local', error);
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => {
      if (this.#redis.status !== 'ready') return;
      this.#redis.ping().then(
        () => this.#change('redis'),
        (cause: Error) => this.#fallSilent(cause),
      );
    }, RETRY_MS).unref();
  }

  #change(countedIn: 'redis' | 'local', cause?: Error): void {
    if (this.#countedIn === countedIn) return;
    this.#countedIn = countedIn;
    this.#onChange(countedIn, cause);
  }
}
