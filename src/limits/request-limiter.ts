import type { Counters, LimitDecision } from '../counters/counters.ts';
import { clientNetwork } from './client-network.ts';
import {
  ANONYMOUS_LIMIT,
  DEFAULT_LIMITS,
  type LimitedOperation,
  type OwnLimits,
  TOTALS,
} from './operations.ts';

export interface RequestLimiterOptions {
  /** Counters shared by all nodes. */
  readonly counters: Counters;
  /** Counters of this node. */
  readonly ownCounters: Counters;
  readonly nowMs: () => number;
}

/** Counts requests and enforces the limits of callers. */
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
    let tightest: LimitDecision | undefined;
    for (const { counters, name, limit } of this.#countsOf(operation, subject)) {
      const decision = counters.takeNow(name, limit, this.#nowMs());
      if (decision === undefined) return undefined;
      tightest = tighter(tightest, decision);
      if (!decision.allowed) break;
    }
    return tightest;
  }

  async take(
    operation: LimitedOperation,
    subject: LimitSubject,
    times?: Times,
  ): Promise<LimitDecision | undefined> {
    let tightest: LimitDecision | undefined;
    // Counted in sequence: requests that a user may not send must not count for the key, or one user could
    // use up all of it.
    for (const { counters, name, limit, isTotal } of this.#countsOf(operation, subject)) {
      // A request counts at most as much as the limit: otherwise it would never be allowed.
      const asked = times === undefined ? 1 : Math.min(times.all, limit) - countedBefore(times, isTotal);
      if (asked <= 0) continue;
      const decision = await counters.take(name, limit, this.#nowMs(), asked);
      tightest = tighter(tightest, decision);
      if (!decision.allowed) break;
    }
    return tightest;
  }

  peek({ address }: AddressSubject): Promise<LimitDecision> {
    return this.#counters.peek(nameOf(address), ANONYMOUS_LIMIT, this.#nowMs());
  }

  #countsOf(operation: LimitedOperation, subject: LimitSubject): readonly Count[] {
    // Load balancers probe every node, and treat a rejected probe as a failure. So neither probes of other
    // nodes nor other clients with the same address use up a node's probes.
    if ('prober' in subject) {
      const name = `health@${clientNetwork(subject.prober)}`;
      return [{ counters: this.#ownCounters, name, limit: ANONYMOUS_LIMIT, isTotal: false }];
    }
    const counters = this.#counters;
    // Keys, and users of a key, are counted by operation; an address has one count.
    if ('address' in subject) {
      return [{ counters, name: nameOf(subject.address), limit: ANONYMOUS_LIMIT, isTotal: false }];
    }
    const { key, userId } = subject;
    const name = userId === undefined ? `${operation}:${key.id}` : `${operation}:${key.id}/${userId}`;
    const own = { counters, name, limit: limitOf(key, operation), isTotal: false };
    const [part, whole] = TOTALS_BY_NAME[operation] ?? [];
    if (part === undefined || whole === undefined) return [own];
    // If one user of a key may do more than this, the key may do so, too.
    const limit = Math.max(limitOf(key, whole), limitOf(key, part));
    const total = { counters, name: `${whole}:${key.id}`, limit, isTotal: true };
    return operation === part ? [own, total] : [total];
  }
}

type Total = readonly [part: LimitedOperation, whole: LimitedOperation];
/** What counts for a total, by its own name and that of the total. */
const TOTALS_BY_NAME: Readonly<Partial<Record<LimitedOperation, Total>>> = Object.fromEntries(
  (Object.entries(TOTALS) as unknown as readonly Total[]).flatMap((total) =>
    total.map((name) => [name, total]),
  ),
);

function limitOf({ limits }: LimitedKey, operation: LimitedOperation): number {
  return limits?.[operation] ?? DEFAULT_LIMITS[operation];
}

/** The decision that allows less. */
function tighter(one: LimitDecision | undefined, other: LimitDecision): LimitDecision {
  if (one === undefined || !other.allowed) return other;
  return other.remaining < one.remaining ? other : one;
}

function countedBefore({ counted }: Times, isTotal: boolean): number {
  return counted === 'whole' || (counted === 'total' && isTotal) ? 1 : 0;
}

interface Count {
  readonly counters: Counters;
  readonly name: string;
  readonly limit: number;
  /** Whether it counts what all users of a key do. */
  readonly isTotal: boolean;
}

function nameOf(address: string): string {
  return `@${clientNetwork(address)}`;
}

/**
 * The subject that a request is counted for: a key, one user of a key, or the client's address without a
 * valid credential. A prober (a load balancer that checks this node's health) is also counted by address, but
 * separately.
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

/**
 * The number of requests that one counts as, and whether it was already counted: completely, or for the total
 * of its key.
 */
export interface Times {
  readonly all: number;
  readonly counted: 'whole' | 'total' | 'not';
}

/** Counts each request exactly once, before any work for it. */
export interface Limiter {
  /** Like `take`, but synchronous. Undefined if that is impossible: then nothing was counted. */
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
