import type { Food } from '@larder/core/food.ts';
import { type EatenBefore, type Habits, repeatShare } from '../scan/analysis/habits.ts';
import type { Day } from './records/day.ts';
import type { DiaryEntry } from './records/entry.ts';
import { converts, toBasisAmount } from './records/unit-conversion.ts';
import type { LatestFood } from './store/diary-store.ts';

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

/**
 * How much one entry counts as a habit. These weights are assumptions: no photos of one household over months exist to fit them. The rule
 * that uses their sum is fitted; see `HABIT_RULE`.
 */
const WEIGHTS = {
  /** An item of a photo that was accepted or corrected. */
  scanned: 1,
  entered: 0.5,
  /** Multiplies entries of people who share their diary. */
  ofOthers: 0.5,
  halfLifeDays: 90,
};
/** Photos that the share of repeated foods is counted from. */
const MAX_JUDGED_PHOTOS = 40;
/** Last amounts of which the usual one is the median. */
const MAX_AMOUNTS = 5;
const DAY_MS = 86_400_000;

/** The habits that these entries show, each list newest first. */
export function habitsOf(own: readonly LatestFood[], ofOthers: readonly LatestFood[], today: Day): Habits {
  const foods = new Map<string, EatenBefore>();
  const strengths = new Map<string, number>();
  const strengthen = ({ date, addedMethod, foodId }: LatestFood, share: number) => {
    if (foodId === undefined) return;
    const days = Math.max(0, Date.parse(today) - Date.parse(date)) / DAY_MS;
    const weight = addedMethod === 'image' ? WEIGHTS.scanned : WEIGHTS.entered;
    const counted = share * weight * 0.5 ** (days / WEIGHTS.halfLifeDays);
    strengths.set(foodId, (strengths.get(foodId) ?? 0) + counted);
  };
  for (const entry of own) strengthen(entry, 1);
  for (const entry of ofOthers) strengthen(entry, WEIGHTS.ofOthers);
  const entriesOf = Map.groupBy(own, ({ foodId }) => foodId);
  for (const [foodId, strength] of strengths) {
    const [last, ...earlier] = entriesOf.get(foodId as LatestFood['foodId']) ?? [];
    foods.set(foodId, {
      strength: Math.min(1, strength),
      ...(last !== undefined && {
        own: {
          times: 1 + earlier.length,
          last: last.date,
          usualAmount: (food: Food) => usualAmount(food, [last, ...earlier]),
        },
      }),
    });
  }
  return { foods, repeats: repeatsOf(own) };
}

function usualAmount(food: Food, entries: readonly LatestFood[]): number | undefined {
  const amounts = entries.slice(0, MAX_AMOUNTS).flatMap(({ quantity, unit }) => {
    const isKnown = quantity !== undefined && quantity > 0 && unit !== undefined && converts(food, unit);
    return isKnown ? [toBasisAmount(food, quantity, unit)] : [];
  });
  // An amount that was eaten: of an even number the lower one of the two in the middle.
  return amounts.sort((a, b) => a - b)[(amounts.length - 1) >> 1];
}

/** The share of photos without a package whose food was eaten before, by the latest ones. */
function repeatsOf(newestFirst: readonly LatestFood[]): number {
  const known = new Set<string>();
  const photos: boolean[] = [];
  for (const { foodId, barcode, addedMethod } of newestFirst.toReversed()) {
    if (addedMethod === 'image' && barcode === undefined)
      photos.push(foodId !== undefined && known.has(foodId));
    if (foodId !== undefined) known.add(foodId);
  }
  const judged = photos.slice(-MAX_JUDGED_PHOTOS);
  return repeatShare(judged.filter(Boolean).length, judged.length);
}
