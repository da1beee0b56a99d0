import type { Food, FoodInput, MacrosInput } from 'larder-client';
import { numberOf, typedNumber } from '../amounts/typed-number.ts';
import { energyOf, kcalOf } from '../parts/measures.ts';
import { FOOD_NUTRIENTS, type FoodNutrient } from '../parts/nutrients.ts';
import { BASES, type FoodFields, isMeasured, measureOfBasis, needsWeight } from './typed-food.ts';

const MAX_DECIMALS = 1000;
/** In the unit of the serving. */
export const MAX_SERVING = 10_000;

type KnownFood = Partial<FoodInput> & Pick<Food, 'unknown'>;

/** The fields that show a food, or as much of one as is known. */
export function fieldsOf(food: KnownFood): FoodFields {
  const { name = '', brand = '', barcode = '', servingSize, macros, unknown = [], shared = true } = food;
  const { value = 100, unit = 'g', label, grams } = servingSize ?? {};
  // A name makes a serving of 100 g more than a basis.
  const per = label === undefined ? BASES.find((each) => each === `${value}${unit}`) : undefined;
  const isKnown = (key: string) => !(unknown as readonly string[]).includes(key);
  return {
    name,
    brand,
    barcode,
    per: per ?? 'serving',
    quantity: per === undefined ? typedNumber(value) : '',
    unit: per === undefined ? unit : 'g',
    grams: per === undefined ? typedNumber(grams) : '',
    servingName: nameOfLabel(label),
    isShared: shared,
    energy: macros === undefined ? '' : typedEnergy(macros.energy),
    nutrients: Object.fromEntries(
      Object.keys(FOOD_NUTRIENTS)
        .filter((key) => typeof macros?.[key as FoodNutrient] === 'number' && isKnown(key))
        .map((key) => [key, typedNumber(macros![key as FoodNutrient]!)]),
    ),
  };
}

/**
 * The food that is typed. Amounts per 100 with a serving become those of the serving, as the service keeps foods. What was not touched
 * stays as it was in `before`, the food that the form was opened with, to the last digit.
 */
export function inputOf(fields: FoodFields, before?: KnownFood): FoodInput {
  const { name, brand, barcode, isShared } = fields;
  const shown = before && fieldsOf(before);
  const isSameServing =
    shown !== undefined &&
    before?.servingSize !== undefined &&
    SERVING_FIELDS.every((key) => fields[key] === shown[key]);
  const share = isSameServing ? 1 : shareOf(fields);
  const isSame = (text: string, shownText: string | undefined) => isSameServing && text === shownText;
  const macros: MacrosInput = {
    energy: isSame(fields.energy, shown?.energy)
      ? before!.macros!.energy
      : scaled(kcalOf(numberOf(fields.energy)), share),
  };
  for (const [key, text] of Object.entries(fields.nutrients) as [FoodNutrient, string][]) {
    if (text.trim() === '') continue;
    macros[key] = isSame(text, shown?.nutrients[key]) ? before!.macros![key]! : scaled(numberOf(text), share);
  }
  return {
    name: name.trim(),
    ...(brand.trim() !== '' && { brand: brand.trim() }),
    ...(barcode.trim() !== '' && { barcode: barcode.trim() }),
    servingSize: isSameServing ? before!.servingSize! : servingOf(fields),
    macros,
    shared: isShared,
  };
}

const SERVING_FIELDS = ['per', 'quantity', 'unit', 'grams', 'servingName'] as const;

/** The fields with their amounts converted to another basis, as far as it is known what both weigh. */
export function onBasis(fields: FoodFields, per: FoodFields['per']): FoodFields {
  const serving = onServingFields(fields, per);
  const [from, to] = [measureOfBasis(fields), measureOfBasis(serving)];
  const factor = from === undefined || to === undefined ? 1 : to / from;
  const converted = (text: string) => {
    const value = numberOf(text);
    return factor === 1 || Number.isNaN(value) ? text : typedNumber(scaled(value, factor));
  };
  return {
    ...serving,
    energy: converted(fields.energy),
    nutrients: Object.fromEntries(
      Object.entries(fields.nutrients).map(([key, text]) => [key, converted(text)]),
    ),
  };
}

/** The serving under another basis: beside 100 g it is known by its weight. */
function onServingFields(fields: FoodFields, per: FoodFields['per']): FoodFields {
  const { unit, quantity, grams, servingName } = fields;
  const base = per === '100ml' ? 'ml' : 'g';
  if (per === 'serving')
    return { ...fields, per, unit: fields.per === '100ml' ? 'ml' : unit, quantity: quantity || '100' };
  if (fields.per !== 'serving' || unit === base) return { ...fields, per, unit: base };
  const name = servingName || (isMeasured(unit) ? '' : `${quantity} ${unit}`);
  const measure = needsWeight(fields)
    ? grams
    : typedNumber(base === 'g' ? measureOfBasis(fields) : undefined);
  return { ...fields, per, unit: base, quantity: measure, grams: '', servingName: name };
}

function shareOf({ per, quantity }: FoodFields): number {
  return per === 'serving' || quantity === '' ? 1 : numberOf(quantity) / 100;
}

function servingOf(fields: FoodFields): FoodInput['servingSize'] {
  const { per, quantity, unit, grams, servingName } = fields;
  const size =
    per === 'serving'
      ? { value: numberOf(quantity), unit, ...(needsWeight(fields) && { grams: numberOf(grams) }) }
      : { value: quantity === '' ? 100 : numberOf(quantity), unit: per === '100ml' ? 'ml' : 'g' };
  const name = servingName.trim();
  // Other units are names themselves.
  if (name === '' || (size.unit !== 'g' && size.unit !== 'ml')) return size;
  const label = `${/^\d/.test(name) ? name : `1 ${name}`} (${size.value} ${size.unit})`;
  return { ...size, label };
}

/** "bar" of "1 bar (50 g)", "2 slices" of "2 slices (60 g)". */
function nameOfLabel(label = ''): string {
  return label
    .replace(/\s*\([^)]*\)\s*$/, '')
    .replace(/^1 /, '')
    .trim();
}

function typedEnergy(kcal: number): string {
  return typedNumber(Math.round(energyOf(kcal) * 10) / 10);
}

function scaled(amount: number, share: number): number {
  return Math.round(amount * share * MAX_DECIMALS) / MAX_DECIMALS;
}
