import type { Food, FoodInput, MacrosInput } from 'larder-client';
import { energyOf, kcalOf } from '../parts/measures.ts';
import { FOOD_NUTRIENTS, type FoodNutrient } from '../parts/nutrients.ts';
import { BASES, type FoodFields, needsWeight } from './typed-food.ts';

const MAX_DECIMALS = 1000;
/** In the unit of the serving. */
export const MAX_SERVING = 10_000;

/** The fields that show a food, or as much of one as is known. */
export function fieldsOf(food: Partial<FoodInput> & Pick<Food, 'unknown'>): FoodFields {
  const { name = '', brand = '', barcode = '', servingSize, macros, unknown = [], shared = true } = food;
  const per = BASES.find((each) => each === `${servingSize?.value ?? 100}${servingSize?.unit ?? 'g'}`);
  const isKnown = (key: string) => !(unknown as readonly string[]).includes(key);
  return {
    name,
    brand,
    barcode,
    per: per ?? 'serving',
    quantity: per === undefined ? String(servingSize!.value) : '',
    unit: per === undefined ? servingSize!.unit : 'g',
    grams: per === undefined && servingSize!.grams !== undefined ? String(servingSize!.grams) : '',
    label: servingSize?.label ?? '',
    isShared: shared,
    energy: macros?.energy === undefined ? '' : String(Math.round(energyOf(macros.energy) * 10) / 10),
    nutrients: Object.fromEntries(
      Object.keys(FOOD_NUTRIENTS)
        .filter((key) => macros?.[key as FoodNutrient] !== undefined && isKnown(key))
        .map((key) => [key, String(macros![key as FoodNutrient])]),
    ),
  };
}

/** Amounts per 100 with a serving are those of the serving, as the service keeps foods. */
export function inputOf(fields: FoodFields): FoodInput {
  const { name, brand, barcode, per, quantity, unit, grams, label, isShared } = fields;
  const base = per === '100ml' ? 'ml' : 'g';
  const serving = Number(quantity);
  const isServing = per === 'serving';
  const share = isServing || quantity === '' ? 1 : serving / 100;
  const macros: MacrosInput = { energy: scaled(kcalOf(Number(fields.energy)), share) };
  for (const [key, text] of Object.entries(fields.nutrients)) {
    if (text !== '') macros[key as FoodNutrient] = scaled(Number(text), share);
  }
  const servingSize = isServing
    ? { value: serving, unit, ...(needsWeight(fields) && { grams: Number(grams) }) }
    : { value: quantity === '' ? 100 : serving, unit: base };
  return {
    name: name.trim(),
    ...(brand.trim() !== '' && { brand: brand.trim() }),
    ...(barcode.trim() !== '' && { barcode: barcode.trim() }),
    servingSize: { ...servingSize, ...(isServing && label !== '' && { label }) },
    macros,
    shared: isShared,
  };
}

function scaled(amount: number, share: number): number {
  return Math.round(amount * share * MAX_DECIMALS) / MAX_DECIMALS;
}
