import type { DiaryEntry } from './entry.ts';

/** How many of a user's latest entries are looked at for recent and frequent foods. */
export const MAX_ENTRIES_LOOKED_AT = 2_000;

/** A food of the user's own diary, as it was last eaten. */
export interface EatenFood {
  readonly last: DiaryEntry;
  /** Within the entries looked at. */
  readonly timesEaten: number;
}

/** The foods of `entries` (newest first), each once, the one eaten last first. */
export function recentFoods(entries: readonly DiaryEntry[]): EatenFood[] {
  const foods = new Map<string, EatenFood>();
  for (const entry of entries) {
    const key = foodKey(entry);
    const known = foods.get(key);
    foods.set(key, { last: known?.last ?? entry, timesEaten: (known?.timesEaten ?? 0) + 1 });
  }
  return [...foods.values()];
}

/** The same foods, the one eaten most often first; of equals the one eaten last. */
export function frequentFoods(entries: readonly DiaryEntry[]): EatenFood[] {
  return recentFoods(entries).sort((a, b) => b.timesEaten - a.timesEaten);
}

/** A food is one food under its id; what was typed in by hand is one food under its name, whichever keyboard composed it. */
function foodKey({ foodId, recipeId, foodName }: DiaryEntry): string {
  return (
    foodId ?? (recipeId === undefined ? `name ${foodName.normalize().toLowerCase()}` : `recipe ${recipeId}`)
  );
}
