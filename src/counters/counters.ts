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
 * Counts requests by name in windows of `WINDOW_SECONDS`, which open with the first request. Counting is exact: `limit`
 * requests of a window are allowed, under any concurrency over all threads and nodes that share the counters. Refused
 * requests are not counted. A request may count as several, of which all are allowed or none.
 */
export interface Counters {
  /** Like `take`, without waiting. Undefined if the counters are elsewhere: then nothing was counted. */
  takeNow(name: string, limit: number, nowMs: number): LimitDecision | undefined;
  take(name: string, limit: number, nowMs: number, times?: number): Promise<LimitDecision>;
  /** The state of a name's window, without counting: `allowed` if one more request would be. */
  peek(name: string, limit: number, nowMs: number): Promise<LimitDecision>;
}

/** Counters of this process. */
export interface LocalCounters extends Counters {
  takeNow(name: string, limit: number, nowMs: number, times?: number): LimitDecision;
  peekNow(name: string, limit: number, nowMs: number): LimitDecision;
}

/** The state of shared counters, for metrics. */
export interface SharedLimits {
  /** `node`: at least one thread of this process cannot reach the shared counters, so this node counts for itself. */
  readonly countedBy: 'cluster' | 'node';
  /** Requests of this thread that this node counted for itself. */
  readonly countedAlone: number;
}
