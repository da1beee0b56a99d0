import { LarderError, type LarderErrorCode } from 'larder-client';
import { person } from '../../account/session.ts';
import { larder } from '../../larder.ts';
import { pause } from '../../parts/pause.ts';
import { changed, isReached, local } from '../device.ts';
import { KeepingError } from '../keeping-error.ts';
import { send } from './send.ts';
import type { NewWrite, Value, Write } from './writes.ts';

/** Writes are shown before the service answers if it takes longer than this: its values may differ slightly. */
const SHOW_MS = 250;
/** How long a person waits for the service before a write counts as one that is sent later. */
const PATIENCE_MS = 2_000;

/** Writes that were kept on this device, and sent if the service could be reached. */
export interface Taken {
  /** Those that the service does not have: they wait, or were refused. */
  readonly left: readonly Write[];
  /** Takes all of them back as if they had not been written; false if one was sent already. */
  readonly cancel: () => Promise<boolean>;
  /** Takes back those that were refused. */
  readonly discard: () => Promise<void>;
  /** What the service answered, where this device keeps nothing that could be read instead. */
  readonly answers?: readonly (Value | undefined)[];
}

/**
 * Keeps writes in the queue, which outlives the page, shows them, and sends them; where the browser keeps nothing they are only sent.
 * Throws what then refuses them, and `KeepingError` where too many wait.
 */
export async function write(wanted: readonly NewWrite[]): Promise<Taken> {
  const { copy, sync } = local();
  let queued: readonly Write[];
  try {
    queued = await copy.queue(wanted);
  } catch (error) {
    if (!(error instanceof KeepingError) || error.reason === 'too_many') throw error;
    const userId = person.peek()!.id;
    const answers: (Value | undefined)[] = [];
    for (const each of wanted)
      answers.push(await send(larder, userId, { ...each, seq: 0, attempts: 0, state: 'waiting' }));
    changed();
    return { left: [], cancel: async () => false, discard: async () => {}, answers };
  }
  const showing = setTimeout(changed, isReached.peek() ? SHOW_MS : 0);
  await Promise.race([sync.flush(), pause(PATIENCE_MS)]);
  clearTimeout(showing);
  changed();
  const seqs = new Set(queued.map(({ seq }) => seq));
  const left = (await copy.writes()).filter(({ seq }) => seqs.has(seq));
  return {
    left,
    cancel: async () => {
      const isCancelled = await copy.cancel(queued);
      changed();
      return isCancelled;
    },
    discard: async () => {
      for (const each of left) await copy.discard(each);
      changed();
    },
  };
}

/** The error of the first write that was refused; undefined if none was. */
export function refusalOf(writes: readonly Write[]): LarderError | undefined {
  const { state, reason } = writes.find((each) => each.state !== 'waiting') ?? {};
  if (state === 'conflict') return new LarderError({ code: 'version_conflict', message: '' });
  if (reason === undefined) return undefined;
  return new LarderError({ code: reason.code as LarderErrorCode, message: reason.message });
}
