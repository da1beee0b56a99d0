import type { Counters, LimitDecision } from '../counters/counters.ts';
import { clientNetwork } from './client-network.ts';
import { ANONYMOUS_LIMIT, DEFAULT_LIMITS, type LimitedOperation, type OwnLimits } from './operations.ts';

export interface RequestLimiterOptions {
  /** Counters shared by all nodes. */
  readonly counters: Counters;
  /** Counters of this node. */
  readonly ownCounters: Counters;
  readonly nowMs: () => number;
}

/** Counts requests and decides how many each caller may make. */
export class RequestLimiter implements Limiter {
  readonly #counters: Counters;
  readonly #ownCounters: Counters;
  readonly #nowMs: () => number;

  constructor({ counters, ownCounters, nowMs }: RequestLimiterOptions) {
    this.#counters = counters;
    this.#ownCounters = ownCounters;
    this.#nowMs = nowMs;
  }

  takeNow(operation: LimitedOperation, subject: LimitSubject): LimitDecision | undefined {
    const { counters, name, limit } = this.#countOf(operation, subject);
    return counters.takeNow(name, limit, this.#nowMs());
  }

  async take(
    operation: LimitedOperation,
    subject: LimitSubject,
    times?: Times,
  ): Promise<LimitDecision | undefined> {
    const { counters, name, limit } = this.#countOf(operation, subject);
    if (times === undefined) return counters.take(name, limit, this.#nowMs());
    // No request counts as more than the limit: it would never be allowed.
    const asked = Math.min(times.all, limit) - times.counted;
    return asked > 0 ? counters.take(name, limit, this.#nowMs(), asked) : undefined;
  }

  peek({ address }: AddressSubject): Promise<LimitDecision> {
    return this.#counters.peek(nameOf(address), ANONYMOUS_LIMIT, this.#nowMs());
  }

  #countOf(operation: LimitedOperation, subject: LimitSubject): Count {
    // Load balancers probe every node, and take one that refuses for dead. So neither probes of other nodes nor
    // clients behind the same address use up a node's probes.
    if ('prober' in subject) {
      const name = `health@${clientNetwork(subject.prober)}`;
      return { counters: this.#ownCounters, name, limit: ANONYMOUS_LIMIT };
    }
    // Keys, and users with tokens of a key, are counted by operation; an address has one count.
    if ('address' in subject) {
      return { counters: this.#counters, name: nameOf(subject.address), limit: ANONYMOUS_LIMIT };
    }
    const { id, limits } = subject.key;
    const name = subject.userId === undefined ? `${operation}:${id}` : `${operation}:${id}/${subject.userId}`;
    return { counters: this.#counters, name, limit: limits?.[operation] ?? DEFAULT_LIMITS[operation] };
  }
}

interface Count {
  readonly counters: Counters;
  readonly name: string;
  readonly limit: number;
}

function nameOf(address: string): string {
  return `@${clientNetwork(address)}`;
}

/**
 * The subject that a request is counted for: a key, one user of a key, or the client's address without a valid
 * credential. A prober (a load balancer that checks this node's health) is counted by address too, but separately.
 */
export type LimitSubject =
  | { readonly key: LimitedKey; readonly userId?: string }
  | AddressSubject
  | { readonly prober: string };

interface LimitedKey {
  readonly id: string;
  readonly limits?: OwnLimits;
}

interface AddressSubject {
  readonly address: string;
}

/** The number of requests that one counts as, and how many of these were counted before. */
export interface Times {
  readonly all: number;
  readonly counted: number;
}

/** Counts each request exactly once, before any work is done for it. */
export interface Limiter {
  /** Like `take`, without waiting. Undefined if it has to be waited for: then nothing was counted. */
  takeNow(operation: LimitedOperation, subject: LimitSubject): LimitDecision | undefined;
  /** `undefined`: this request is not limited. */
  take(operation: LimitedOperation, subject: LimitSubject, times?: Times): Promise<LimitDecision | undefined>;
  /** The decision of `take` for this address, without counting. */
  peek(subject: AddressSubject): Promise<LimitDecision | undefined>;
}

/** Allows everything, uncounted. */
export const UNLIMITED: Limiter = {
  takeNow: () => undefined,
  take: async () => undefined,
  peek: async () => undefined,
};
