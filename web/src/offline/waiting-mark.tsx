import { texts } from '../texts/texts.ts';
import { isReached } from './device.ts';
import type { Write } from './queue/writes.ts';

/** Says that the service does not have what is shown. What is on its way is no news. */
export function WaitingMark({ waiting }: { readonly waiting: Write['state'] | undefined }) {
  const { notSent, needsDecision } = texts.value.offline;
  if (waiting === undefined || (waiting === 'waiting' && isReached.value)) return null;
  return <span class={`waiting ${waiting}`}>{waiting === 'waiting' ? notSent : needsDecision}</span>;
}
