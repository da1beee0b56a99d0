import { AppError } from '@larder/core/errors.ts';
import type { Food, Serving } from '@larder/core/food.ts';
import { typicalUnit, typicalUnitsOf } from '@larder/text/parse/grams/typical-units.ts';
import { servingUnitsOf } from '@larder/text/servings/serving-units.ts';
import { invalidField } from './invalid-field.ts';
import {
  findStandardUnit,
  type Measure,
  normaliseUnit,
  parseMeasure,
  type StandardUnit,
  standardUnitNames,
} from './units.ts';

/** The part of a food needed for conversion. */
export type Convertible = Pick<Food, 'name' | 'basis' | 'servings'>;

/** Larger quantities are presumed typing errors. */
export const MAX_QUANTITY = 1_000_000;
export const MAX_UNIT_CHARACTERS = 100;

/**
 * Converts `quantity` of `unit` to the food's own basis (g or ml). Rules in order of certainty:
 *
 *  1. the serving that has the unit as its label ("1 serving (75 g)" of a food whose first serving is 150 g)
 *  2. exact units of the food's own dimension (g of a food in g)
 *  3. the food's servings: "serving" is the first one, others by the whole label without its number ("cup, diced"), by unit, by the
 *     label's first word, by what the unit means in any language ("Scheiben" of a food with slices); of several, one that counts 1
 *  4. kitchen measures of the food's dimension (cup of a food in ml)
 *  5. the other dimension, through a serving that states both (ml of a food of which a cup weighs 244 g)
 *  6. typical pieces of foods by weight, by the name: "bunch", "piece", "large head"
 *
 * Other units cannot be converted; the error lists the possible ones.
 */
export function toBasisAmount(food: Convertible, quantity: number, unit: string): number {
  const count = parseQuantity(quantity);
  const size = sizeOfUnit(food, unit);
  if (size !== undefined) return count * size;
  throw new AppError({
    code: 'invalid_request',
    message: `"${unit.slice(0, MAX_UNIT_CHARACTERS)}" cannot be converted for ${food.name}; use one of details.possible.`,
    details: { fields: ['unit'], possible: possibleUnits(food) },
  });
}

export function parseQuantity(quantity: number): number {
  if (quantity > 0 && quantity <= MAX_QUANTITY) return quantity;
  throw invalidField('quantity', `"quantity" must be a number above 0 and at most ${MAX_QUANTITY}.`, {
    max: MAX_QUANTITY,
  });
}

/** Whether `toBasisAmount` accepts a unit for this food. */
export function converts(food: Convertible, unit: string): boolean {
  return sizeOfUnit(food, unit) !== undefined;
}

/** Whether a unit is one of mass or volume, which no food is needed for. */
export function isMeasured(unit: string | undefined): boolean {
  return unit !== undefined && findStandardUnit(parseMeasure(unit).unit) !== undefined;
}

/** Units that `toBasisAmount` accepts for this food, the likeliest first. */
export function possibleUnits(food: Convertible): string[] {
  const own = food.servings.flatMap(({ unit, label }) => [unit, ...(label === undefined ? [] : [label])]);
  const other = food.basis === 'g' ? 'ml' : 'g';
  const standard = [
    ...standardUnitNames(food.basis),
    ...(otherBasisSize(food) === undefined ? [] : standardUnitNames(other)),
  ];
  const typical = food.basis === 'g' ? typicalUnitsOf(food.name) : [];
  return [...new Set(['serving', ...standard, ...own, ...typical])];
}

function sizeOfUnit(food: Convertible, unit: string): number | undefined {
  if (unit.length > MAX_UNIT_CHARACTERS) return undefined;
  const labelled = food.servings.find(({ label }) => label === unit);
  if (labelled !== undefined) return labelled.basisAmount;
  const asked = parseMeasure(unit);
  const standard = findStandardUnit(asked.unit);
  const size =
    standard?.exact && standard.basis === food.basis
      ? standard.size
      : (servingSize(food, asked) ??
        sameUnitSize(food, unit) ??
        standardSize(food, standard) ??
        typicalSize(food, asked));
  return size === undefined ? undefined : size * asked.count;
}

/** Size of one `asked.unit` in the basis, according to the food's servings. */
function servingSize({ servings }: Convertible, asked: Measure): number | undefined {
  if (asked.unit === 'serving' || asked.unit === 'portion') return servings[0].basisAmount;
  const named = servings.map((serving) => ({
    serving,
    label: labelOf(serving) ?? { count: serving.value, unit: normaliseUnit(serving.unit) },
  }));
  const found =
    oneOf(named.filter(({ label }) => label.unit === asked.unit)) ??
    oneOf(
      named
        .filter(({ serving }) => normaliseUnit(serving.unit) === asked.unit)
        .map(({ serving }) => ({ serving, label: { count: serving.value } })),
    ) ??
    oneOf(named.filter(({ label }) => normaliseUnit(label.unit.split(/[, ]/, 1)[0]!) === asked.unit));
  return found && found.serving.basisAmount / found.label.count;
}

/** The first of these servings that counts 1; else the first. */
function oneOf<T extends { readonly label: Pick<Measure, 'count'> }>(named: readonly T[]): T | undefined {
  return named.find(({ label }) => label.count === 1) ?? named[0];
}

/** Half a gram or milliliter, to which labels round. */
const LABEL_ROUNDING = 0.5;
/** Share of a serving that rounding may be. */
const MAX_ROUNDING_SHARE = 0.05;

/**
 * The servings of a food, each in a unit that stands for it alone, so that its value of its unit is converted to its measure: of
 * "1 cup, shredded (113 g)" and "1 cup, diced (132 g)" the second one is counted in "cup, diced".
 */
export function distinctServings(food: Convertible): Serving[] {
  /** "sheets" beside "sheet" is the same unit. */
  const spellings = new Map<string, string>();
  const spelt = (unit: string) => {
    const key = normaliseUnit(unit);
    if (!spellings.has(key)) spellings.set(key, unit);
    return spellings.get(key)!;
  };
  return food.servings.map((serving) => {
    const { value, unit, label, basisAmount } = serving;
    if (unit === food.basis) return serving;
    const named = label === undefined ? [] : [{ value: parseMeasure(label).count, unit: nameIn(label) }];
    const whole = label === undefined ? [] : [{ value: 1, unit: label }];
    const choices = [{ value, unit }, ...named, ...whole];
    const chosen = choices.find((each) => {
      const size = sizeOfUnit(food, each.unit);
      if (size === undefined) return false;
      const error = Math.abs(size * each.value - basisAmount);
      return error <= Math.min(LABEL_ROUNDING, MAX_ROUNDING_SHARE * basisAmount);
    });
    const taken = chosen ?? choices[0]!;
    return { ...serving, value: taken.value, unit: spelt(taken.unit) };
  });
}

const LABEL_COUNT = /^(?:\d+(?:[.,]\d+)?(?![\d/-]))?(?:\s*\d+\s*\/\s*\d+)?\s+/;
const IN_PARENTHESES = /\s*\([^)]*\)/g;

/** The name of what a label counts: "cup, diced" for "1 cup, diced (132 g)". */
function nameIn(label: string): string {
  return label.replace(IN_PARENTHESES, '').replace(LABEL_COUNT, '').trim() || label;
}

const COUNT = /^[\d\s.,/]+/;

/** Size of a unit whose name is another word for that of a serving. */
function sameUnitSize({ servings }: Convertible, unit: string): number | undefined {
  const word = unit.replace(COUNT, '');
  const units = servingUnitsOf(word);
  if (units.size === 0) return undefined;
  return firstOf(servings, (serving) => {
    const names = [serving.unit, ...servingUnitsOf(serving.unit)];
    return sizeIf(
      names.some((name) => units.has(name)),
      serving,
      serving.value,
    );
  });
}

function standardSize(food: Convertible, standard: StandardUnit | undefined): number | undefined {
  if (standard === undefined) return undefined;
  if (standard.basis === food.basis) return standard.size;
  const perOther = otherBasisSize(food);
  return perOther === undefined ? undefined : standard.size * perOther;
}

function typicalSize({ name, basis }: Convertible, { unit }: Measure): number | undefined {
  return basis === 'g' ? typicalUnit(name, unit)?.grams : undefined;
}

/** Density: the basis in one ml (of a food in g) or in one g (of a food in ml), if a serving states both. */
function otherBasisSize({ basis, servings }: Convertible): number | undefined {
  const measured = servings.flatMap((serving) => {
    const label = labelOf(serving);
    const measures = [{ count: serving.value, unit: normaliseUnit(serving.unit) }, ...(label ? [label] : [])];
    return measures.flatMap(({ count, unit }) => {
      const standard = findStandardUnit(unit);
      if (standard === undefined || standard.basis === basis) return [];
      return [{ size: serving.basisAmount / (count * standard.size), label: { count } }];
    });
  });
  return oneOf(measured)?.size;
}

function labelOf(serving: Serving): Measure | undefined {
  return serving.label === undefined ? undefined : parseMeasure(serving.label);
}

function sizeIf(matches: boolean, serving: Serving, count: number): number | undefined {
  return matches ? serving.basisAmount / count : undefined;
}

function firstOf<T>(list: readonly T[], take: (item: T) => number | undefined): number | undefined {
  for (const item of list) {
    const taken = take(item);
    if (taken !== undefined) return taken;
  }
  return undefined;
}
