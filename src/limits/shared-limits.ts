/** The state of counters that all nodes share, for metrics. */
export interface SharedLimits {
  /** `node`: at least one thread of this process cannot reach them, and this node counts for itself. */
  readonly countedBy: 'cluster' | 'node';
  /** Requests of this thread so far that this node counted for itself. */
  readonly countedAlone: number;
}
