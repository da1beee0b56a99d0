import type { Change, DiaryEntry } from 'larder-client';

/** What the local copy holds, by the kinds of the feed of changes. */
export type Kind = Change['kind'];

/** An object as the service returns it. Goals have no version. */
export type Value = { readonly version?: number };

export interface Refusal {
  readonly code: string;
  readonly message: string;
}

/** A change that a person made and the service has not confirmed. */
export interface Write {
  /** Position in the queue; the database gives it. */
  readonly seq: number;
  readonly kind: Kind;
  readonly id: string;
  readonly op: 'add' | 'change' | 'remove';
  /** The fields to send. */
  readonly body?: object | undefined;
  /** Sent instead of `body` if the food of `body` was deleted. */
  readonly bodyWithoutFood?: object | undefined;
  /** The object that the person saw; its version is sent as `If-Match`. */
  readonly base?: Value | undefined;
  /** What is shown until the service answers. */
  readonly preview?: Value | undefined;
  /** How often it was sent. */
  readonly attempts: number;
  /** `refused` and `conflict` wait for the person, and so do later writes of the same object. */
  readonly state: 'waiting' | 'refused' | 'conflict';
  /** Why the service refused it. */
  readonly reason?: Refusal | undefined;
  /** With `conflict`: the object of the service; null if it was deleted there. */
  readonly theirs?: Value | null | undefined;
}

export type NewWrite = Omit<Write, 'seq' | 'attempts' | 'state' | 'reason' | 'theirs'>;

/** An object on the screen, with the state of its writes. */
export type Shown<T> = T & { readonly waiting?: Write['state'] };
export type ShownEntry = Shown<DiaryEntry>;

/** Whether both writes are about the same object. */
export function isSame(a: { kind: Kind; id: string }, b: { kind: Kind; id: string }): boolean {
  return a.kind === b.kind && a.id === b.id;
}

/**
 * The next write to send: the oldest that waits, and whose object has no older write. `skipped` are writes that failed in this
 * pass.
 */
export function nextToSend(writes: readonly Write[], skipped: ReadonlySet<number>): Write | undefined {
  const blocked: Write[] = [];
  for (const write of writes) {
    if (blocked.some((each) => isSame(each, write))) continue;
    if (write.state === 'waiting' && !skipped.has(write.seq)) return write;
    blocked.push(write);
  }
  return undefined;
}

/** An object with its unconfirmed writes, oldest first; undefined if it does not exist. */
export function withWrites<T extends Value>(
  base: T | undefined,
  writes: readonly Write[],
): Shown<T> | undefined {
  let value: T | undefined = base;
  let waiting: Write['state'] | undefined;
  for (const { op, state, preview } of writes) {
    waiting = waiting === undefined || waiting === 'waiting' ? state : waiting;
    // A refused change is not shown as if it had happened; a refused new object has no other place to be seen.
    if (op === 'add') value ??= preview as T;
    else if (state === 'waiting') value = op === 'remove' ? undefined : ((preview as T) ?? value);
  }
  return value === undefined || waiting === undefined ? value : { ...value, waiting };
}
