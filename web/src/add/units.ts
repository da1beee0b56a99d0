import type { Food, Serving } from 'larder-client';
import { isRecipe } from '../offline/entries/recipe-food.ts';
import { usMeasureOf } from '../parts/measures.ts';
import { US_SIZES } from '../parts/us-sizes.ts';
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

/** Units of weight or volume that every food of that basis has. */
export type Basis = 'g' | 'ml';

const US_UNITS = { g: 'oz', ml: 'fl_oz' } as const;

export function basisOf({ servings, servingSize }: Food): Basis {
  const all = servings ?? [servingSize];
  return all.some((each) => each.unit === 'ml' || ('milliliters' in each && each.milliliters !== undefined))
    ? 'ml'
    : 'g';
}

/** Whether there is no weight of it: a recipe that was never weighed. */
function isCounted(food: Food): boolean {
  return isRecipe(food) && food.per100 === undefined;
}

/** Each unit once, with its words; grams or milliliters last. */
export function unitsOf(food: Food): [unit: string, words: string][] {
  const units = new Map<string, string>();
  // The amount is in the field beside it.
  for (const { unit, label } of food.servings ?? [food.servingSize])
    if (!units.has(unit)) units.set(unit, label?.replace(/^1 /, '') ?? unit);
  if (isCounted(food)) return [...units];
  const us = usMeasureOf(basisOf(food));
  if (us !== undefined && !units.has(us.unit)) units.set(us.unit, us.words);
  units.set(basisOf(food), basisOf(food));
  return [...units];
}

/** What to offer first: the amount that was eaten last, the unit that was chosen last for it, or grams where those are preferred. */
export function startAmount(food: Food): { quantity: string; unit: string } {
  const last = recentAmount(food.id);
  if (last !== undefined) return { quantity: String(last.quantity), unit: last.unit };
  const { foods, isByMeasure } = remembered();
  const { value, unit } = food.servingSize;
  const basis = basisOf(food);
  const usual = unit === basis ? householdOf(food, value) : unit;
  const byMeasure = isByMeasure && !isCounted(food) ? (usMeasureOf(basis)?.unit ?? basis) : undefined;
  const offered = new Set(unitsOf(food).map(([each]) => each));
  // A remembered unit may be of other measures, or one that the food has no more.
  for (const wanted of [foods[food.id], byMeasure, usual]) {
    if (wanted === undefined || !offered.has(wanted)) continue;
    const quantity = wanted === unit ? String(value) : inUnit(food, value, unit, wanted);
    if (quantity !== undefined) return { quantity, unit: wanted };
  }
  return { quantity: String(value), unit };
}

/** The household unit of which one is the usual serving, such as "egg". */
function householdOf({ servings = [] }: Food, measure: number): string | undefined {
  return servings.find(
    ({ value, unit, grams, milliliters }) =>
      value === 1 && unit !== 'g' && unit !== 'ml' && (grams ?? milliliters) === measure,
  )?.unit;
}

/** Converts an amount to another unit, as text. Returns undefined if it cannot be converted. */
export function inUnit(food: Food, quantity: number, from: string, to: string): string | undefined {
  const measure = measureOf(food, quantity, from);
  const one = measureOf(food, 1, to);
  if (measure === undefined || one === undefined || !(one > 0)) return undefined;
  return String(Number((measure / one).toPrecision(3)));
}

/** The amount to propose in another unit: converted, else one serving of that unit, else none. */
export function proposedIn(food: Food, quantity: number, from: string, to: string): string {
  const serving = (food.servings ?? [food.servingSize]).find(({ unit }) => unit === to);
  return inUnit(food, quantity, from, to) ?? String(serving?.value ?? '');
}

/** Grams or milliliters of an amount; undefined if the unit does not say it. */
export function measureOf(food: Food, quantity: number, unit: string): number | undefined {
  if (unit === basisOf(food)) return quantity;
  const serving = (food.servings ?? [food.servingSize]).find((each) => each.unit === unit) as
    | Serving
    | undefined;
  // An amount in US units stays known after other measures are chosen.
  if (serving === undefined && unit === US_UNITS[basisOf(food)]) return US_SIZES[unit] * quantity;
  const measure = serving?.grams ?? serving?.milliliters;
  return serving === undefined || measure === undefined ? undefined : (measure / serving.value) * quantity;
}

export function rememberUnit(food: Food, unit: string): void {
  const before = remembered();
  const { [food.id]: _, ...others } = before.foods;
  // A food without servings in other units leaves no choice.
  const isByMeasure =
    unitsOf(food).length > 1
      ? unit === basisOf(food) || unit === usMeasureOf(basisOf(food))?.unit
      : before.isByMeasure;
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
