import { changed, local } from '../device.ts';
import { objectAgain } from './addition-again.ts';
import type { Write } from './writes.ts';

/** Sends a write again that was refused. */
export async function tryAgain({ reason, ...write }: Write): Promise<void> {
  await local().copy.update({ ...write, state: 'waiting', attempts: 0 });
  await flush();
}

/** Sends a person's side of a conflict for the version of the other device; as a new object if that deleted it. */
export async function keepMine({ theirs, ...write }: Write): Promise<void> {
  const { copy } = local();
  if (theirs !== null) {
    await copy.update({ ...write, base: theirs, state: 'waiting', attempts: 0 });
  } else {
    await copy.queue([objectAgain(write.kind, { ...write.base, ...write.preview })]);
    await copy.discard(write);
  }
  await flush();
}

/** Forgets a write; what the service has stays. */
export async function discard(write: Write): Promise<void> {
  await local().copy.discard(write);
  await flush();
}

async function flush(): Promise<void> {
  changed();
  await local().sync.flush();
}
