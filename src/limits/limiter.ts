import type { ApiKey } from '../access/api-key.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { LimitDecision } from './counters.ts';
import type { Operation } from './operations.ts';

/**
 * Who a request is counted for: a key, one user of a key, or the client's address where there is no valid credential. A
 * prober (a load balancer that asks this node for its health) is counted by address too, but apart.
 */
export type LimitSubject =
  | { readonly key: ApiKey; readonly userId?: string }
  | AddressSubject
  | { readonly prober: string };

export interface AddressSubject {
  readonly address: string;
}

/** Counts requests. Each request is counted exactly once, before any work is done for it. */
export interface Limiter {
  /** `undefined`: this request is not limited. */
  take(operation: Operation, subject: LimitSubject): MaybePromise<LimitDecision | undefined>;
  /** What `take` would decide for a request of this address, which is not counted. */
  peek(subject: AddressSubject): MaybePromise<LimitDecision | undefined>;
}

/** Lets everything through, uncounted. */
export const UNLIMITED: Limiter = { take: () => undefined, peek: () => undefined };
