import type { MaybePromise } from '../maybe-promise.ts';
import { clientNetwork } from './client-network.ts';
import type { Counters, Tally } from './counters.ts';
import type { Limiter, LimitSubject } from './limiter.ts';
import { ANONYMOUS_LIMIT, DEFAULT_LIMITS, type Operation } from './operations.ts';

/** Says how many requests each caller may make, and has them counted; answers at once where the counters do. */
export class RequestLimiter implements Limiter {
  readonly #counters: Counters;
  readonly #nowMs: () => number;

  constructor({ counters, nowMs }: { counters: Counters; nowMs: () => number }) {
    this.#counters = counters;
    this.#nowMs = nowMs;
  }

  take(operation: Operation, subject: LimitSubject): MaybePromise<Tally> {
    const { name, limit } = quota(operation, subject);
    return this.#counters.take(name, limit, this.#nowMs());
  }
}

/** A key, and each user that has a token of it, is counted for each operation; an address once for everything. */
function quota(operation: Operation, subject: LimitSubject): { name: string; limit: number } {
  if ('address' in subject) return { name: `@${clientNetwork(subject.address)}`, limit: ANONYMOUS_LIMIT };
  const { id, limits } = subject.key;
  const holder = subject.userId === undefined ? id : `${id}/${subject.userId}`;
  return { name: `${operation}:${holder}`, limit: limits?.[operation] ?? DEFAULT_LIMITS[operation] };
}
