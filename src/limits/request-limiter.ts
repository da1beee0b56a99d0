import type { MaybePromise } from '../base/maybe-promise.ts';
import type { Counters, LimitDecision } from '../counters/counters.ts';
import { clientNetwork } from './client-network.ts';
import { ANONYMOUS_LIMIT, DEFAULT_LIMITS, type Operation, type OwnLimits } from './operations.ts';

export interface RequestLimiterPorts {
  /** Counters shared by all nodes. */
  readonly counters: Counters;
  /** Counters of this node. */
  readonly ownCounters: Counters;
  readonly nowMs: () => number;
}

/** Counts requests and decides how many each caller may make; synchronously if the counters are. */
export class RequestLimiter implements Limiter {
  readonly #counters: Counters;
  readonly #ownCounters: Counters;
  readonly #nowMs: () => number;

  constructor({ counters, ownCounters, nowMs }: RequestLimiterPorts) {
    this.#counters = counters;
    this.#ownCounters = ownCounters;
    this.#nowMs = nowMs;
  }

  take(operation: Operation, subject: LimitSubject, times?: Times): MaybePromise<LimitDecision | undefined> {
    // Load balancers probe every node, and remove one that refuses. So neither probes of other nodes nor clients behind
    // the same address use up a node's probes.
    if ('prober' in subject) {
      const name = `health@${clientNetwork(subject.prober)}`;
      return this.#ownCounters.take(name, ANONYMOUS_LIMIT, this.#nowMs());
    }
    let name: string;
    let limit = ANONYMOUS_LIMIT;
    // Keys, and users with tokens of a key, are counted by operation; an address has one count.
    if ('address' in subject) name = nameOf(subject.address);
    else {
      const { id, limits } = subject.key;
      name = subject.userId === undefined ? `${operation}:${id}` : `${operation}:${id}/${subject.userId}`;
      limit = limits?.[operation] ?? DEFAULT_LIMITS[operation];
    }
    if (times === undefined) return this.#counters.take(name, limit, this.#nowMs());
    // A request never counts as more than the limit: it would never be allowed.
    const asked = Math.min(times.all, limit) - times.counted;
    return asked > 0 ? this.#counters.take(name, limit, this.#nowMs(), asked) : undefined;
  }

  peek({ address }: AddressSubject): MaybePromise<LimitDecision> {
    return this.#counters.peek(nameOf(address), ANONYMOUS_LIMIT, this.#nowMs());
  }
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
  /** Returns undefined if the request is not limited. */
  take(operation: Operation, subject: LimitSubject, times?: Times): MaybePromise<LimitDecision | undefined>;
  /** The decision of `take` for this address, without counting. */
  peek(subject: AddressSubject): MaybePromise<LimitDecision | undefined>;
}

/** A limiter that allows everything and counts nothing. */
export const UNLIMITED: Limiter = { take: () => undefined, peek: () => undefined };
