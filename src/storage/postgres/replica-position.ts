/**
 * A position in PostgreSQL's write-ahead log (WAL). Positions can be compared within one history, which is that of one
 * system until a standby is promoted and begins a new timeline.
 */
export interface LogMark {
  /** Bytes since the log began. */
  readonly position: number;
  readonly timeline: number;
  /** PostgreSQL's system identifier; a primary shares it with its standbys. */
  readonly system: string;
}

/** Whether a log up to `mark` has everything up to `required`. */
export function covers(mark: LogMark, required: LogMark): boolean {
  return isSameHistory(mark, required) && mark.position >= required.position;
}

export function isSameHistory(one: LogMark, other: LogMark): boolean {
  return one.timeline === other.timeline && one.system === other.system;
}

/** The replica cannot be asked now, or never; ask the primary instead. */
export class ReplicaError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ReplicaError';
  }
}
