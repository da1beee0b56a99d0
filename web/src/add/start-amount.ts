import type { Food } from 'larder-client';
import { basisOf, householdOf, inUnit, isCounted, servingsOf } from '../amounts/food-amounts.ts';
import { typedAmount } from '../amounts/typed-number.ts';
import { unitsOf } from '../amounts/units.ts';
import { keyOf } from '../offline/entries/recipe-food.ts';
import { usMeasureOf } from '../parts/measures.ts';
import { recentAmount } from './recents.ts';

const KEY = 'larder-units';
/** Older choices are forgotten. */
const MAX_FOODS = 500;

/** Units that were chosen on this device, by food. */
interface Remembered {
  readonly foods: Readonly<Record<string, string>>;
  /** Whether amounts were last given by weight or volume. */
  readonly isByMeasure: boolean;
}

/** An amount as it is typed. */
export interface Amount {
  readonly quantity: string;
  readonly unit: string;
}

/** What to offer first: the amount that was eaten last, the unit that was chosen last for it, or grams where those are preferred. */
export function startAmount(food: Food): Amount {
  const { quantity, unit } = recentAmount(keyOf(food)) ?? usualAmount(food);
  return { quantity: typedAmount(quantity, unit), unit };
}

function usualAmount(food: Food): { quantity: number; unit: string } {
  const { foods, isByMeasure } = remembered();
  const [{ value, unit } = food.servingSize] = servingsOf(food);
  const basis = basisOf(food);
  const usual = unit === basis ? householdOf(food, value) : unit;
  const byMeasure = isByMeasure && !isCounted(food) ? (usMeasureOf(basis) ?? basis) : undefined;
  const offered = new Set(unitsOf(food).map(([each]) => each));
  // A remembered unit may be of other measures, or one that the food has no more.
  for (const wanted of [foods[food.id], byMeasure, usual]) {
    if (wanted === undefined || !offered.has(wanted)) continue;
    const quantity = wanted === unit ? value : inUnit(food, value, unit, wanted);
    if (quantity !== undefined) return { quantity, unit: wanted };
  }
  return { quantity: value, unit };
}

export function rememberUnit(food: Food, unit: string): void {
  const before = remembered();
  const { [food.id]: _, ...others } = before.foods;
  const basis = basisOf(food);
  // A food without servings in other units leaves no choice.
  const isByMeasure =
    unitsOf(food).length > 1 ? unit === basis || unit === usMeasureOf(basis) : before.isByMeasure;
  const foods = Object.fromEntries([...Object.entries(others).slice(1 - MAX_FOODS), [food.id, unit]]);
  try {
    localStorage.setItem(KEY, JSON.stringify({ foods, isByMeasure }));
  } catch {
    return;
  }
}

function remembered(): Remembered {
  try {
    return { foods: {}, isByMeasure: false, ...JSON.parse(localStorage.getItem(KEY) ?? '{}') };
  } catch {
    return { foods: {}, isByMeasure: false };
  }
}
