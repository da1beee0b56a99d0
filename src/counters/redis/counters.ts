import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { type Counters, type LimitDecision, type LocalCounters, WINDOW_SECONDS } from '../counters.ts';
import { RedisLink } from './redis-link.ts';

/** For one name: the earlier count, the number of granted requests, and the end of the window. */
type TakeAnswer = readonly [before: number, granted: number, resetsAt: number];

/** A window with more time left than this was opened before the clock was set back, and would last for that time. */
const MAX_LEFT_MS = 2 * WINDOW_SECONDS * 1000;

/**
 * Counts requests of many names in one step. For each key there are three arguments: its limit, the number of
 * requests, and the weight of each. Windows end on whole seconds of Redis' own clock, so that nodes whose
 * clocks differ agree.
 */
const TAKE_SCRIPT = `
local time = redis.call('TIME')
local second, millisecond = tonumber(time[1]), tonumber(time[2]) / 1000
local answers = {}
for at, key in ipairs(KEYS) do
  local limit, asked, times = tonumber(ARGV[3 * at - 2]), tonumber(ARGV[3 * at - 1]), tonumber(ARGV[3 * at])
  local before = tonumber(redis.call('GET', key) or '0')
  local granted = math.max(0, math.min(asked, math.floor((limit - before) / times)))
  if granted > 0 then redis.call('INCRBY', key, granted * times) end
  local left = redis.call('PTTL', key)
  if left < 0 or left > ${MAX_LEFT_MS} then
    if left ~= -2 then redis.call('EXPIREAT', key, second + ${WINDOW_SECONDS}) end
    answers[at] = { before, granted, second + ${WINDOW_SECONDS} }
  else
    answers[at] = { before, granted, math.floor(second + (millisecond + left) / 1000 + 0.5) }
  end
end
return answers`;

/** Redis is considered unavailable after this many checks without an answer, which are spread over the time-out. */
const QUIET_CHECKS = 2;
/** The interval can be long, because nobody waits for a connection: requests are counted on this node meanwhile. */
const MIN_CONNECT_TIMEOUT_MS = 1_000;
/** Maximum names in one call of the script, so that no call blocks Redis for long. */
const MAX_BATCH_NAMES = 500;
/** Maximum requests that wait for Redis; further ones are counted on this node. */
const MAX_WAITING = 50_000;
/**
 * Only the part in braces selects the slot of a Redis Cluster: one call counts many names, which must be in
 * one slot.
 */
const PREFIX = '{larder:limit}:';
const TAKE_SHA = createHash('sha1').update(TAKE_SCRIPT).digest('hex');

interface Question {
  readonly name: string;
  readonly limit: number;
  readonly nowMs: number;
  /** The number of requests that each counts as. */
  readonly times: number;
  /** False if only the state of the window is read. */
  readonly counts: boolean;
}

/**
 * Requests of one tick with the same parameters, which are separated again when the answer arrives. Its time
 * is the first one's.
 */
interface Group extends Question {
  readonly waiting: ((decision: LimitDecision) => void)[];
}

/** Incremented on each new connection, to prove that this Redis accepts writes. */
const PROOF: Group = {
  name: 'proof',
  limit: Number.MAX_SAFE_INTEGER,
  nowMs: 0,
  times: 1,
  counts: true,
  waiting: [() => {}],
};

export interface RedisCountersOptions {
  readonly url: string;
  /** Time for which Redis may not respond; it is noticed after half to all of this time. */
  readonly timeoutMs: number;
  /** Counters during an outage of Redis: each node counts separately. */
  readonly local: LocalCounters;
  /** Called once for each change. */
  readonly onChange: (countedBy: 'cluster' | 'node', cause?: Error) => void;
}

/**
 * Counters that all nodes share in Redis (or Valkey). The requests of one turn of a thread's event loop are
 * sent in one call. During an outage of Redis, requests are counted on this node without waiting; only
 * pending ones wait until the outage is noticed.
 */
export class RedisCounters implements Counters {
  readonly #link: RedisLink;
  readonly #local: LocalCounters;
  readonly #timeoutMs: number;
  /** Counts that are sent with the next call. */
  #groups = new Map<string, Group>();
  /** Calls that Redis has not answered yet. */
  readonly #asked = new Set<readonly Group[]>();
  #waiting = 0;
  #countedAlone = 0;
  #watch: NodeJS.Timeout | undefined;
  #answers = 0;
  #answersSeen = 0;
  #quietChecks = 0;

  constructor({ url, timeoutMs, local, onChange }: RedisCountersOptions) {
    this.#local = local;
    this.#timeoutMs = timeoutMs;
    this.#link = new RedisLink({
      url,
      connectTimeoutMs: Math.max(MIN_CONNECT_TIMEOUT_MS, timeoutMs),
      prove: (redis) => callScript(redis, [PROOF]),
      onChange: (isUp, cause) => {
        if (!isUp) this.#answerAllAlone();
        onChange(isUp ? 'cluster' : 'node', cause);
      },
    });
  }

  /** Resolves when Redis answers or is found to be unavailable; attempts continue until `close`. */
  connect(): Promise<void> {
    return this.#link.connect();
  }

  get countedBy(): 'cluster' | 'node' {
    return this.#link.redis === undefined ? 'node' : 'cluster';
  }

  /** Number of requests that this node has counted itself. */
  get countedAlone(): number {
    return this.#countedAlone;
  }

  takeNow(name: string, limit: number, nowMs: number): LimitDecision | undefined {
    return this.#isAsked ? undefined : this.#decideAlone({ name, limit, nowMs, times: 1, counts: true });
  }

  take(name: string, limit: number, nowMs: number, times = 1): Promise<LimitDecision> {
    return this.#decide({ name, limit, nowMs, times, counts: true });
  }

  peek(name: string, limit: number, nowMs: number): Promise<LimitDecision> {
    return this.#decide({ name, limit, nowMs, times: 1, counts: false });
  }

  async #decide(question: Question): Promise<LimitDecision> {
    if (!this.#isAsked) return this.#decideAlone(question);
    if (this.#groups.size === 0) setImmediate(() => this.#send());
    const { waiting } = this.#groupOf(question);
    this.#waiting++;
    return new Promise((resolve) => {
      waiting.push(resolve);
    });
  }

  /** Whether Redis counts, and not this node. */
  get #isAsked(): boolean {
    return this.#link.redis !== undefined && this.#waiting < MAX_WAITING;
  }

  close(): void {
    this.#link.close();
    this.#answerAllAlone();
  }

  #groupOf(question: Question): Group {
    const { name, limit, times, counts } = question;
    // A key whose limit has just been changed is counted under both limits for a moment.
    const key = `${counts} ${times} ${limit} ${name}`;
    const group = this.#groups.get(key) ?? { ...question, waiting: [] };
    this.#groups.set(key, group);
    return group;
  }

  #decideAlone({ name, limit, nowMs, times, counts }: Question): LimitDecision {
    if (!counts) return this.#local.peekNow(name, limit, nowMs);
    this.#countedAlone++;
    return this.#local.takeNow(name, limit, nowMs, times);
  }

  #send(): void {
    const groups = [...this.#groups.values()];
    this.#groups = new Map();
    const redis = this.#link.redis;
    if (redis === undefined) {
      this.#answerAlone(groups);
      return;
    }
    for (let at = 0; at < groups.length; at += MAX_BATCH_NAMES) {
      this.#ask(redis, groups.slice(at, at + MAX_BATCH_NAMES));
    }
  }

  #ask(redis: Redis, batch: readonly Group[]): void {
    this.#asked.add(batch);
    this.#watch ??= setInterval(() => this.#check(redis), this.#timeoutMs / QUIET_CHECKS).unref();
    callScript(redis, batch).then(
      (answers) => {
        if (this.#isDue(batch)) this.#answer(batch, answers);
      },
      (error: Error) => {
        if (!this.#isDue(batch)) return;
        this.#answerAlone(batch);
        this.#link.giveUp(redis, error);
      },
    );
  }

  /** False for a call whose answer came too late: its requests were already answered. */
  #isDue(batch: readonly Group[]): boolean {
    this.#answers++;
    return this.#asked.delete(batch);
  }

  /** The first requests are granted. */
  #answer(batch: readonly Group[], answers: readonly TakeAnswer[]): void {
    for (const [at, group] of batch.entries()) {
      const { waiting } = group;
      this.#waiting -= waiting.length;
      for (let position = 0; position < waiting.length; position++)
        waiting[position]!(decisionOf(answers[at]!, group, position));
    }
  }

  #answerAlone(groups: readonly Group[]): void {
    for (const group of groups) {
      this.#waiting -= group.waiting.length;
      for (const resolve of group.waiting) resolve(this.#decideAlone(group));
    }
  }

  #check(redis: Redis): void {
    if (this.#asked.size === 0) {
      this.#unwatch();
      return;
    }
    this.#quietChecks = this.#answers === this.#answersSeen ? this.#quietChecks + 1 : 0;
    this.#answersSeen = this.#answers;
    if (this.#quietChecks < QUIET_CHECKS) return;
    // Processes answers that arrived while this thread was busy, before Redis is considered unavailable.
    setImmediate(() => {
      if (this.#asked.size > 0 && this.#answers === this.#answersSeen) {
        this.#link.giveUp(redis, new Error(`Redis has not answered for ${this.#timeoutMs} ms`));
      }
    });
  }

  #unwatch(): void {
    clearInterval(this.#watch);
    this.#watch = undefined;
    this.#quietChecks = 0;
  }

  /** Answers all pending calls from this node's own counters, though Redis may have counted them, too. */
  #answerAllAlone(): void {
    this.#unwatch();
    const asked = [...this.#asked];
    this.#asked.clear();
    for (const batch of asked) this.#answerAlone(batch);
  }
}

function callScript(redis: Redis, batch: readonly Group[]): Promise<readonly TakeAnswer[]> {
  const words = [
    ...batch.map(({ name }) => PREFIX + name),
    ...batch.flatMap(({ limit, times, counts, waiting }) => [limit, counts ? waiting.length : 0, times]),
  ];
  const answer = redis.evalsha(TAKE_SHA, batch.length, ...words).catch((error: Error) => {
    // Redis does not have the script yet, and so has not counted: this is the first call, or Redis was
    // restarted.
    if (error.message.startsWith('NOSCRIPT')) return redis.eval(TAKE_SCRIPT, batch.length, ...words);
    throw error;
  });
  return answer as Promise<readonly TakeAnswer[]>;
}

function decisionOf(answer: TakeAnswer, { limit, times, counts }: Question, position: number): LimitDecision {
  const [before, granted, resetsAt] = answer;
  if (!counts) return { allowed: before < limit, limit, remaining: Math.max(0, limit - before), resetsAt };
  const allowed = position < granted;
  const counted = before + times * Math.min(position + 1, granted);
  return { allowed, limit, remaining: Math.max(0, limit - counted), resetsAt };
}
