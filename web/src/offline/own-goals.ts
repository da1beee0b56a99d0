import type { Goals } from 'larder-client';
import { type Day, today } from '../days.ts';
import { local } from './device.ts';
import type { GoalsChange } from './entries/waiting-goals.ts';
import { hasDays } from './own-lists.ts';
import { refusalOf, write } from './queue/write.ts';
import type { NewWrite, Value } from './queue/writes.ts';

/** All own goals, oldest first, with those that wait to be sent; undefined if this device does not know them. */
export async function localGoals(): Promise<readonly Goals[] | undefined> {
  if (!(await hasDays(today()))) return undefined;
  return (await local().copy.goals()) ?? [];
}

/** Changes goals from a day on; the others stay. Throws what the service refuses. */
export function changeGoals(change: GoalsChange): Promise<void> {
  return writeGoals({ op: 'change', body: change });
}

/** Removes the goals that begin on a day, or those of every day. Throws what the service refuses. */
export function removeGoals(from: Day | undefined): Promise<void> {
  return writeGoals({ op: 'remove', body: { from } });
}

async function writeGoals(of: Pick<NewWrite, 'op' | 'body'>): Promise<void> {
  const taken = await write([{ kind: 'goals', id: 'goals', ...of, preview: of.body as Value }]);
  const refusal = refusalOf(taken.left);
  if (refusal === undefined) return;
  await taken.discard();
  throw refusal;
}
