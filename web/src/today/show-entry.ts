import { showNutrients } from '../nutrients/open.ts';
import type { ShownEntry } from '../offline/queue/writes.ts';
import { entries, totals } from './day-store.ts';

/** Opens the sheet with all nutrients of an entry, as it is meanwhile. */
export function showEntry(entry: ShownEntry): void {
  showNutrients({
    title: entry.foodName,
    eaten: () => [entries.value?.find(({ id }) => id === entry.id) ?? entry],
    goals: () => totals.value?.goals,
  });
}
