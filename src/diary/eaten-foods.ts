import type { DiaryEntry } from './records/entry.ts';

/** How many of a user's latest entries are used for recent and frequent foods. */
export const MAX_ENTRIES_LOOKED_AT = 2_000;

/** A food of a user's diary, in the version that was eaten last. */
export interface EatenFood {
  readonly last: DiaryEntry;
  /** Count among the examined entries. */
  readonly timesEaten: number;
}

/** The foods of `entries` (newest first), without repetitions, the last eaten first. */
export function recentFoods(entries: readonly DiaryEntry[]): EatenFood[] {
  const foods = new Map<string, EatenFood>();
  for (const entry of entries) {
    const key = foodKey(entry);
    const known = foods.get(key);
    foods.set(key, { last: known?.last ?? entry, timesEaten: (known?.timesEaten ?? 0) + 1 });
  }
  return [...foods.values()];
}

/** The foods of `entries`, the most frequent first; of equals the last eaten. */
export function frequentFoods(entries: readonly DiaryEntry[]): EatenFood[] {
  return recentFoods(entries).sort((a, b) => b.timesEaten - a.timesEaten);
}

/** The identity of a food: its id, or a typed name in any Unicode composition. */
function foodKey({ foodId, recipeId, foodName }: DiaryEntry): string {
  return (
    foodId ?? (recipeId === undefined ? `name ${foodName.normalize().toLowerCase()}` : `recipe ${recipeId}`)
  );
}
