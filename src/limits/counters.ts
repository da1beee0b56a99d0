import type { MaybePromise } from '../maybe-promise.ts';

/** Whether one request may pass, and where its window stands. */
export interface LimitDecision {
  readonly allowed: boolean;
  /** Requests allowed in this window, and how many are left after this one. */
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds at which the window ends. */
  readonly resetsAt: number;
}

export const WINDOW_SECONDS = 60;

/**
 * Counts requests by name in windows of `WINDOW_SECONDS`; a name's window opens with its first request. Exact: of
 * any number of requests at once, over all threads and nodes that share the counters, `limit` pass in one window.
 * A refused request is not counted. Counters of this process answer at once, those of many nodes may promise to.
 */
export interface Counters<Answer extends MaybePromise<LimitDecision> = MaybePromise<LimitDecision>> {
  take(name: string, limit: number, nowMs: number): Answer;
  /** Where a name's window stands, without counting: `allowed` where one more request would pass. */
  peek(name: string, limit: number, nowMs: number): Answer;
}

/** The state of counters that all nodes share, for metrics. */
export interface SharedLimits {
  /** `node`: at least one thread of this process cannot reach them, and this node counts for itself. */
  readonly countedBy: 'cluster' | 'node';
  /** Requests of this thread so far that this node counted for itself. */
  readonly countedAlone: number;
}
