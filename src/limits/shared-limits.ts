/** How it stands with counters that all nodes share. */
export interface SharedLimits {
  /** `node`: they are away from a thread of this process at least, and each node counts for itself. */
  readonly countedBy: 'cluster' | 'node';
  /** Requests of this thread so far that this node counted for itself. */
  readonly countedAlone: number;
}
