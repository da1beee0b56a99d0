/**
 * A place in the log that PostgreSQL writes before anything else (WAL). Places can be compared within one history: that
 * of one system, until a standby is promoted and begins a timeline of its own.
 */
export interface LogMark {
  /** Bytes since the log began. */
  readonly position: number;
  readonly timeline: number;
  /** Given to a database system when it is made; its standbys share it. */
  readonly system: string;
}

/** Whether a log up to `mark` has everything up to `required`. */
export function covers(mark: LogMark, required: LogMark): boolean {
  return isSameHistory(mark, required) && mark.position >= required.position;
}

export function isSameHistory(one: LogMark, other: LogMark): boolean {
  return one.timeline === other.timeline && one.system === other.system;
}

/** A replica cannot be asked at the moment, or not at all; the primary can. */
export class ReplicaError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ReplicaError';
  }
}
