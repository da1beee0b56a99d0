import { type Food, toFoodId } from '@larder/core/food.ts';
import { toGtin } from '@larder/core/gtin.ts';
import { NUTRIENT_KEYS, type NutrientKey, type Nutrients } from '@larder/core/nutrients.ts';
import { servedAmount, statedAmount, tidyNumber } from '@larder/core/rounding.ts';
import { z } from 'zod';
import { statedGrams } from '../../foods/custom/food-draft.ts';
import { type FoodWarning, warningsOf } from '../../foods/custom/food-warnings.ts';

// What the answers of both variants with foods are made of.

const unit = z.string().describe('`g`, `ml`, `oz`, `fl_oz` or a household unit such as `cup`.');
const amount = z.number().positive();
const inBasis = {
  label: z.string().optional().describe('The household text.'),
  grams: amount.optional().describe('What it weighs; of a food whose nutrients are per 100 g.'),
  milliliters: amount.optional().describe('How much it is; of a food whose nutrients are per 100 ml.'),
};

/** Describes the servings of a variant, which names the number of units. */
export const servingsSchema = {
  v1: z.array(z.object({ value: amount, unit, ...inBasis }).meta({ id: 'Serving' })),
  unversioned: z.array(z.object({ amount, unit, ...inBasis }).meta({ id: 'UnversionedServing' })),
};

/** A serving of a food, as `/v1` answers it. */
export interface ServingObject {
  readonly value: number;
  readonly unit: string;
  readonly label: string | undefined;
  readonly grams?: number;
  readonly milliliters?: number;
}

/** A food as `/v1` answers it; other faces are made of it. Fields that are undefined are left out. */
export interface FoodObject {
  readonly id: string;
  readonly name: string;
  readonly brand: string | undefined;
  readonly barcode: string | undefined;
  readonly aliases: readonly string[] | undefined;
  readonly servingSize: {
    readonly value: number;
    readonly unit: string;
    readonly label: string | undefined;
    readonly grams: number | undefined;
  };
  readonly macros: Nutrients;
  readonly source: Food['source'];
  readonly shared: boolean | undefined;
  readonly userId: string | undefined;
  readonly created_at: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly servings?: readonly ServingObject[];
  readonly per100?: Nutrients;
  readonly warnings?: readonly FoodWarning[] | undefined;
}

/** A food, its nutrients scaled to its first serving. */
export function foodObject(food: Food, isDetailed = false): FoodObject {
  const { id, name, brand, barcode, aliases, source, userId } = food;
  const [{ value, unit: of, label }] = food.servings;
  const createdAt = new Date(food.createdAt * 1000).toISOString();
  const updatedAt =
    food.updatedAt === food.createdAt ? createdAt : new Date(food.updatedAt * 1000).toISOString();
  const isEntered = source === 'manual_entry';
  const grams = isDetailed ? statedGrams(food) : undefined;
  const plain = {
    id,
    name,
    brand,
    barcode,
    aliases: isDetailed && isEntered && aliases.length > 0 ? aliases : undefined,
    servingSize: {
      value: statedAmount(value, source),
      unit: of,
      label,
      grams: grams === undefined ? undefined : statedAmount(grams, source),
    },
    macros: servedNutrients(food),
    source,
    shared: isEntered ? userId === undefined : undefined,
    userId: isEntered ? userId : undefined,
    created_at: createdAt,
    createdAt,
    updatedAt,
  };
  return isDetailed ? { ...plain, ...detailsOf(food) } : plain;
}

/** A food with everything that is known of it: all that can be written of it can be read here. */
export function detailedFoodObject(food: Food): FoodObject {
  return foodObject(food, true);
}

function detailsOf(food: Food): Pick<FoodObject, 'servings' | 'per100' | 'warnings'> {
  const per100 = Object.entries(food.per100).map(([key, of]) => [key, tidyNumber(of)]);
  const warnings = food.source === 'manual_entry' ? warningsOf(food) : [];
  return {
    servings: servingObjects(food),
    per100: Object.fromEntries(per100),
    warnings: warnings.length === 0 ? undefined : warnings,
  };
}

function servingObjects({ basis, servings }: Food): ServingObject[] {
  const measure = basis === 'g' ? 'grams' : 'milliliters';
  return servings.map(({ value, unit: of, label, basisAmount }) => ({
    value: tidyNumber(value),
    unit: of,
    label,
    [measure]: tidyNumber(basisAmount),
  }));
}

function servedNutrients(food: Food): Nutrients {
  const served: Partial<Record<NutrientKey, number>> = {};
  for (const key of NUTRIENT_KEYS) {
    const of = servedAmount(food, key);
    if (of !== undefined) served[key] = of;
  }
  return served as Nutrients;
}

/** The food of the examples in the OpenAPI document. */
export const EXAMPLE_FOOD: Food = {
  id: toFoodId('off', '3017620422003'),
  source: 'public_dataset',
  name: 'Hazelnut spread with cocoa',
  brand: 'Example Brand',
  aliases: [],
  barcode: '3017620422003',
  gtin: toGtin('3017620422003'),
  basis: 'g',
  per100: {
    energy: 539,
    protein: 6.3,
    fat: 30.9,
    carbohydrates: 57.5,
    sugars: 56.3,
    saturatedFat: 10.6,
    sodium: 43,
  },
  servings: [{ value: 15, unit: 'g', basisAmount: 15, label: '1 tbsp (15 g)' }],
  popularity: 0,
  createdAt: 1_735_689_600,
  updatedAt: 1_767_225_600,
};
