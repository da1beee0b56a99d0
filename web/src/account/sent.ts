import { local } from '../offline/device.ts';
import { write } from '../offline/queue/write.ts';
import type { ShownEntry, Write } from '../offline/queue/writes.ts';
import { tell } from '../parts/toast.tsx';
import { texts } from '../texts/texts.ts';

/** Sends the writes that waited for a sign-in, and shows which foods were added; "Undo" deletes them. */
export async function sendWaiting(): Promise<void> {
  const { copy, sync } = local();
  const waiting = (await copy.writes()).filter(isAddition);
  await sync.flush();
  const left = new Set((await copy.writes()).map(({ seq }) => seq));
  const sent = waiting.filter(({ seq }) => !left.has(seq));
  if (sent.length === 0) return;
  const { added, addedCount } = texts.peek();
  const { foodName } = sent[0]!.preview as ShownEntry;
  tell(sent.length === 1 ? added(foodName) : addedCount(sent.length), async () => {
    await write(sent.map(({ id }) => ({ kind: 'entry', id, op: 'remove' })));
  });
}

function isAddition({ kind, op, state }: Write): boolean {
  return kind === 'entry' && op === 'add' && state === 'waiting';
}
