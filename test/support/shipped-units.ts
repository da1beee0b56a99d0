import { GRAMS_PER } from '@larder/core/unit-sizes.ts';
import type { DiaryEntry, Food } from '#larder-client';
import { readStarterFoods } from '../../src/foods/starter/starter-foods.ts';

/** What the page makes of a food. Its sources are compiled apart, with the types of browsers. */
interface PageAmounts {
  unitChoices(food: Food, isUs: boolean): readonly (readonly [unit: string, words: string])[];
  nutrientsOf(food: Food, quantity: number, unit: string): Partial<Food['macros']>;
}
const PAGE_AMOUNTS = new URL('../../web/src/amounts/food-amounts.ts', import.meta.url).href;

/** Entries in a request, and foods. */
const BATCH = 100;
/** Amounts that each unit is logged in. */
const QUANTITIES = [1, 0.5] as const;
/** Labels state three digits. */
const LABEL_ERROR = 0.005;
/** The service keeps thousandths. */
const ROUNDING = 0.002;
/** Amounts per 100 are answered with so many digits. */
const DIGITS = 1e-4;
const MACROS = { energy: 'calories', protein: 'protein', carbohydrates: 'carbs', fat: 'fat' } as const;

/** Sends a request to a service with the shipped foods, as somebody with practically no limits. */
export type Ask = <Answer>(method: 'GET' | 'POST', path: string, payload?: object) => Promise<Answer>;

export interface ShippedUnits {
  readonly foods: number;
  readonly units: number;
  /** Units of which one is not what the label in the list says. */
  readonly wrong: readonly string[];
  /** Units whose preview on the page differs from what was logged. */
  readonly previewedWrong: readonly string[];
}

/** Logs each unit that the page offers for each shipped food through the API, and compares the energy with label and preview. */
export async function logShippedUnits(ask: Ask): Promise<ShippedUnits> {
  const { nutrientsOf, unitChoices }: PageAmounts = await import(PAGE_AMOUNTS);
  const ids = [...readStarterFoods()].map(({ id }) => id);
  const foods: Food[] = [];
  for (const some of chunksOf(ids)) {
    const read = await ask<{ foods: Food[] }>(
      'GET',
      `/v1/foods/batch?ids=${some.map(encodeURIComponent).join(',')}`,
    );
    foods.push(...read.foods);
  }
  const offered = foods.flatMap((food) =>
    unitChoices(food, true).flatMap(([unit, words]) =>
      QUANTITIES.map((quantity) => ({ food, unit, words, quantity })),
    ),
  );
  const wrong = new Set<string>();
  const previewedWrong = new Set<string>();
  for (const [at, some] of chunksOf(offered).entries()) {
    // A day holds so many entries.
    const date = new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10);
    const entries = await ask<DiaryEntry[]>(
      'POST',
      `/v1/users/ann-${at % 4}/diary/batch`,
      some.map(({ food, unit, quantity }) => ({ date, mealType: 'lunch', foodId: food.id, quantity, unit })),
    );
    for (const [index, entry] of entries.entries()) {
      const { food, unit, words, quantity } = some[index]!;
      const name = `${food.id}: ${words}`;
      const expected = (food.per100!.energy! * sizeInWords(words, unit) * quantity) / 100;
      if (Math.abs(entry.calories - expected) > LABEL_ERROR * expected + ROUNDING) wrong.add(name);
      const preview = nutrientsOf(food, quantity, unit);
      const differs = Object.entries(MACROS).some(
        ([key, field]) =>
          Math.abs((preview[key as 'energy'] ?? -1) - entry[field]) > ROUNDING + DIGITS * entry[field],
      );
      if (differs) previewedWrong.add(name);
    }
  }
  return {
    foods: foods.length,
    units: offered.length / QUANTITIES.length,
    wrong: [...wrong],
    previewedWrong: [...previewedWrong],
  };
}

/** Grams or milliliters that a person reads in a list of units. */
function sizeInWords(words: string, unit: string): number {
  const [, stated] = /\(([\d.,]+) (?:g|ml)\)$/.exec(words) ?? [];
  if (stated !== undefined) return Number(stated.replace(',', ''));
  return unit === 'ml' ? 1 : GRAMS_PER[unit as 'oz'];
}

function chunksOf<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / BATCH) }, (_, at) =>
    all.slice(at * BATCH, (at + 1) * BATCH),
  );
}
