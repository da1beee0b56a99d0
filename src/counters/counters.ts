/** Whether a request is allowed, and the state of its window. */
export interface LimitDecision {
  readonly allowed: boolean;
  /** Requests allowed in this window, and those left after this one. */
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds at which the window ends. */
  readonly resetsAt: number;
}

export const WINDOW_SECONDS = 60;

/**
 * Counts requests by name in windows of `WINDOW_SECONDS`, which open with the first request. Counting is
 * exact: `limit` requests of a window are allowed, under any concurrency of threads and nodes that share the
 * counters. Rejected requests are not counted. A request may count as several, of which all or none are
 * allowed.
 */
export interface Counters {
  /** Like `take`, but synchronous. Undefined if the counters are remote: then nothing was counted. */
  takeNow(name: string, limit: number, nowMs: number): LimitDecision | undefined;
  take(name: string, limit: number, nowMs: number, times?: number): Promise<LimitDecision>;
  /** The state of a name's window, without counting: `allowed` says whether one more request would be allowed. */
  peek(name: string, limit: number, nowMs: number): Promise<LimitDecision>;
}

/** Counters of this process. */
export interface LocalCounters extends Counters {
  takeNow(name: string, limit: number, nowMs: number, times?: number): LimitDecision;
  peekNow(name: string, limit: number, nowMs: number): LimitDecision;
}

/** The state of shared counters, for metrics. */
export interface SharedLimits {
  /**
   * `node`: at least one thread of this process cannot reach the shared counters, so this node counts in its
   * own memory.
   */
  readonly countedBy: 'cluster' | 'node';
  /** Requests of this thread that this node counted in its own memory. */
  readonly countedAlone: number;
}
