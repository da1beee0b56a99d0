import type { Food, Serving } from 'larder-client';
import { locale } from '../texts/texts.ts';
import { countedUnit, unitName } from './amount-text.ts';
import { GRAMS, MILLILITERS } from './sizes.ts';

/** Units of weight or volume that every food of that basis has. */
export type Basis = 'g' | 'ml';
/** A unit as entries take it, and what a person reads. */
export type UnitChoice = readonly [unit: string, words: string];

/** Known nutrients of an amount by their names in the API. */
export type Nutrients = Partial<Food['macros']>;

export function basisOf(food: Food): Basis {
  const all = servingsOf(food);
  if (all.some(({ grams }) => grams !== undefined)) return 'g';
  return all.some(({ unit, milliliters }) => unit === 'ml' || milliliters !== undefined) ? 'ml' : 'g';
}

const US_UNITS = { g: ['oz', 'cup'], ml: ['fl_oz', 'cup'] } as const;

/** Each unit of a food once, with what one of it weighs; US measures where they are asked for, grams or milliliters last. */
export function unitChoices(food: Food, isUs: boolean): UnitChoice[] {
  const basis = basisOf(food);
  const units = new Map(ownUnits(food).map((unit) => [unit, wordsOf(food, unit)]));
  if (isCounted(food)) return [...units];
  for (const unit of isUs ? US_UNITS[basis] : []) {
    if (!units.has(unit) && sizeOf(food, unit) !== undefined) units.set(unit, wordsOf(food, unit));
  }
  return [...units.set(basis, basis)];
}

/** Whether the weight is unknown, as of a recipe that was never weighed. */
export function isCounted(food: Food): boolean {
  return food.per100 === undefined && servingsOf(food).every((each) => measureIn(food, each) === undefined);
}

/** Grams or milliliters of one of a unit; undefined if nobody knows. */
export function sizeOf(food: Food, unit: string): number | undefined {
  const basis = basisOf(food);
  const exact = basis === 'g' ? GRAMS[unit] : unit === 'ml' || unit === 'l' ? MILLILITERS[unit] : undefined;
  if (exact !== undefined) return exact;
  const all = servingsOf(food);
  const named = all.filter((each) => each.unit === unit);
  const serving = named.find(({ value }) => value === 1) ?? named[0];
  const ofOne = serving && measureIn(food, serving);
  if (ofOne !== undefined) return ofOne / serving!.value;
  // The service takes the label of a serving as a unit, and the name in it.
  const labelled = all.find(({ label }) => label === unit);
  if (labelled !== undefined) return measureIn(food, labelled);
  const inLabel = all.find(({ label }) => label !== undefined && countedUnit(label).name === unit);
  if (inLabel !== undefined) return perCount(measureIn(food, inLabel), countedUnit(inLabel.label!).count);
  const volume = MILLILITERS[unit];
  if (volume === undefined) return unit === 'serving' ? measureIn(food, all[0]!) : undefined;
  const density = basis === 'ml' ? 1 : densityOf(food);
  return density === undefined ? undefined : volume * density;
}

/** Grams or milliliters of an amount; undefined if the unit does not say it. */
export function measureOf(food: Food, quantity: number, unit: string): number | undefined {
  const size = sizeOf(food, unit);
  return size === undefined ? undefined : size * quantity;
}

/** What an amount of a food has, as the service computes it, as far as it is known. */
export function nutrientsOf(food: Food, quantity: number, unit: string): Nutrients {
  const { per100, macros, servingSize, unknown = [] } = food;
  if (!(quantity > 0)) return {};
  const measure = measureOf(food, quantity, unit);
  const [basis, factor] =
    per100 !== undefined && measure !== undefined
      ? [per100, measure / 100]
      : [unit === servingSize.unit ? macros : {}, quantity / servingSize.value];
  const known = Object.entries(basis).filter(([key]) => !(unknown as readonly string[]).includes(key));
  return Object.fromEntries(known.map(([key, value]) => [key, (value as number) * factor]));
}

/** An amount in servings of the food; undefined where only the service can compute it. */
export function servingsIn(food: Food, quantity: number, unit: string): number | undefined {
  const { servingSize } = food;
  if (!(quantity > 0)) return undefined;
  if (unit === servingSize.unit) return quantity / servingSize.value;
  const measures = [measureOf(food, quantity, unit), measureOf(food, servingSize.value, servingSize.unit)];
  const [measure, ofServing] = measures;
  return measure === undefined || !ofServing ? undefined : measure / ofServing;
}

/** Converts an amount to another unit. Returns undefined if it cannot be converted. */
export function inUnit(food: Food, quantity: number, from: string, to: string): number | undefined {
  const measure = measureOf(food, quantity, from);
  const one = sizeOf(food, to);
  if (measure === undefined || one === undefined || !(one > 0)) return undefined;
  return Number((measure / one).toPrecision(3));
}

/** The amount to propose in another unit: converted, else one serving of that unit, else none. */
export function proposedIn(food: Food, quantity: number, from: string, to: string): number | undefined {
  return inUnit(food, quantity, from, to) ?? servingsOf(food).find(({ unit }) => unit === to)?.value;
}

/** The household unit of a serving of so many grams or milliliters, such as "egg" or "block" of "1/4 block". */
export function householdOf(food: Food, measure: number): string | undefined {
  const basis = basisOf(food);
  const serving = servingsOf(food).find(
    (each) => each.unit !== basis && GRAMS[each.unit] === undefined && measureIn(food, each) === measure,
  );
  return serving?.unit ?? ownUnits(food)[0];
}

export function servingsOf({ servings, servingSize }: Food): readonly Serving[] {
  return servings ?? [servingSize];
}

/** Units of the servings. A serving in grams may have a name in its label alone: "1 bar (50 g)". */
function ownUnits(food: Food): string[] {
  const basis = basisOf(food);
  const all = servingsOf(food);
  return [
    ...new Set(
      all.flatMap((serving) => {
        const { unit, label } = serving;
        if (unit !== basis) return [unit];
        if (label === undefined || all.some((each) => each !== serving && each.label === label)) return [];
        const { name } = countedUnit(label);
        const isName = !/\d/.test(name) && GRAMS[name] === undefined && name !== 'ml' && name !== 'l';
        // Another serving may have that name.
        return isName ? [all.length === 1 ? name : label] : [];
      }),
    ),
  ];
}

function measureIn(food: Food, { value, unit, grams, milliliters }: Serving): number | undefined {
  return grams ?? milliliters ?? (unit === basisOf(food) ? value : undefined);
}

/** Grams in a milliliter, if a serving states both. */
function densityOf(food: Food): number | undefined {
  const serving = servingsOf(food).find(({ unit }) => MILLILITERS[unit] !== undefined);
  return serving && perCount(measureIn(food, serving), serving.value * MILLILITERS[serving.unit]!);
}

function perCount(measure: number | undefined, count: number): number | undefined {
  return measure === undefined || !(count > 0) ? undefined : measure / count;
}

/** The name of a unit with what one weighs; measures say that themselves, and some labels do. */
export function wordsOf(food: Food, unit: string): string {
  const basis = basisOf(food);
  const size = sizeOf(food, unit);
  const isExact = (basis === 'g' ? GRAMS[unit] : undefined) !== undefined || unit === basis;
  if (size === undefined || isExact || /\(.*\d.*\)/.test(unit)) return unitName(unit);
  const digits = { maximumSignificantDigits: Math.max(3, String(Math.round(size)).length) };
  return `${unitName(unit)} (${new Intl.NumberFormat(locale.value, digits).format(size)} ${basis})`;
}
