import type { List } from 'larder-client';
import type { Day } from '../days.ts';
import { local } from './device.ts';
import type { OwnKind, Shown, Things } from './queue/writes.ts';

/** Maximum that is read of a list of the service. */
export const MAX_LISTED = 1_000;

/** Whether this device has all entries from a day on. */
export async function hasDays(from: Day): Promise<boolean> {
  const { copy } = local();
  return copy.keeps(from) && (await copy.note('isComplete').catch(() => undefined)) === true;
}

/**
 * Reads all own recipes or foods, oldest first, with the writes that wait: from this device if it has them, otherwise as `list` of
 * the service tells them.
 */
export async function allOwn<K extends OwnKind>(
  kind: K,
  list: List<Things[K]>,
): Promise<readonly Shown<Things[K]>[]> {
  const { copy } = local();
  try {
    if ((await copy.note('isComplete')) === true) return await copy.all(kind);
  } catch {
    // Without its database the page shows what the service answers.
  }
  const told = await firstOf(list);
  return copy.withWaiting(kind, told).catch(() => told);
}

/** The first objects of a list of the service, as many as are shown. */
export async function firstOf<T>(list: List<T>): Promise<readonly T[]> {
  const read: T[] = [];
  for await (const page of list.pages()) {
    read.push(...page);
    if (read.length >= MAX_LISTED) break;
  }
  return read;
}
