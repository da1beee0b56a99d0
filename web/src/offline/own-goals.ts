import type { Goals } from 'larder-client';
import { today } from '../days.ts';
import { local } from './device.ts';
import type { GoalsChange } from './entries/waiting-goals.ts';
import { hasDays } from './own-lists.ts';
import { refusalOf, write } from './queue/write.ts';
import type { Value } from './queue/writes.ts';

/** All own goals, oldest first, with those that wait to be sent; undefined if this device does not know them. */
export async function localGoals(): Promise<readonly Goals[] | undefined> {
  if (!(await hasDays(today()))) return undefined;
  return (await local().copy.goals()) ?? [];
}

/** Changes goals from a day on; the others stay. Throws what the service refuses. */
export async function changeGoals(change: GoalsChange): Promise<void> {
  const preview = change as Value;
  const taken = await write([{ kind: 'goals', id: 'goals', op: 'change', body: change, preview }]);
  const refusal = refusalOf(taken.left);
  if (refusal === undefined) return;
  await taken.discard();
  throw refusal;
}
