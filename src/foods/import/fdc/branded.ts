import type { Basis } from '@larder/core/food.ts';
import type { FoodFacts } from '@larder/core/food-facts.ts';
import { cleanText, cutText } from '../normalise/clean-text.ts';
import type { RawFood, RawServing } from '../normalise/raw-food.ts';
import { householdText } from './field-texts.ts';

/** The additional fields of `branded_food.csv` and the branded JSON. */
export interface BrandedFields {
  readonly gtinUpc: string;
  readonly brandName: string;
  readonly brandOwner: string;
  readonly servingSize: number | undefined;
  readonly servingSizeUnit: string;
  readonly householdText: string;
  /** Unix seconds. */
  readonly modifiedAt: number | undefined;
  readonly ingredients: string;
  readonly category: string;
  readonly country: string;
  readonly packageWeight: string;
}

/** The facts of the additional fields. */
export function brandedFacts(fields: BrandedFields): FoodFacts {
  const { modifiedAt } = fields;
  const ingredients = cutText(
    cleanText(fields.ingredients.replace(/^\s*ingredients:\s*/i, '')),
    MAX_INGREDIENTS,
  );
  const [category, quantity] = [cleanText(fields.category), cleanText(fields.packageWeight)];
  const country = fields.country
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, '-');
  return {
    ...(ingredients !== '' && { ingredients: { en: ingredients } }),
    ...(category !== '' && { category }),
    ...(country !== '' && { countries: [`en:${country}`] }),
    ...(quantity !== '' && { quantity }),
    ...(modifiedAt !== undefined && { updatedAt: modifiedAt }),
  };
}

const MAX_INGREDIENTS = 8_000;

const UNITS: Readonly<Record<string, Basis>> = { g: 'g', grm: 'g', gm: 'g', ml: 'ml', mlt: 'ml' };
/**
 * Wrong units in servings such as "1/2 cup, 90 MG" and "1 cup, 240 IU", which mean grams. They do not show whether
 * amounts are per 100 g or per 100 ml.
 */
const SLIPS = /^(mg|iu)?$/i;
/** Above this a serving in `MG` may really be in mg. */
const MAX_SLIP_AMOUNT = 1_000;
const FLUID = /\b(OZA|fl\.? ?oz|fluid|ml|mlt)\b/i;

/** A part of a raw food. */
export function brandedPart(fields: BrandedFields): Partial<RawFood> {
  const brand = fields.brandName || ownerName(fields.brandOwner);
  const basis = basisOf(fields);
  const serving = brandedServing(fields);
  return {
    ...(brand !== '' && { brand }),
    ...(fields.gtinUpc !== '' && { barcode: fields.gtinUpc }),
    ...(basis !== undefined && { basis }),
    ...(serving !== undefined && { servings: [serving], isScaledLabel: true }),
    ...(fields.modifiedAt !== undefined && { updatedAt: fields.modifiedAt }),
  };
}

/** Some owners end with their GS1 location number: "The Coca-Cola Company-0049000000016", "… (0074819091009)". */
function ownerName(owner: string): string {
  return owner.replace(/[-\s]*\(?\d{13}\)?$/, '');
}

/** Whether amounts are per 100 g or per 100 ml. */
function basisOf({ servingSizeUnit, householdText: text }: BrandedFields): Basis | undefined {
  return UNITS[servingSizeUnit.toLowerCase()] ?? (FLUID.test(text) ? 'ml' : undefined);
}

function brandedServing(fields: BrandedFields): RawServing | undefined {
  const { servingSize, servingSizeUnit } = fields;
  const isSlip = SLIPS.test(servingSizeUnit);
  const unit = basisOf(fields) ?? (isSlip ? 'g' : undefined);
  const isUsable = servingSize !== undefined && servingSize > 0 && !(isSlip && servingSize > MAX_SLIP_AMOUNT);
  const text = householdText(fields.householdText);
  if (text === undefined && !isUsable) return undefined;
  return {
    ...(text !== undefined && { text }),
    ...(isUsable && unit !== undefined && { quantity: servingSize, unit }),
  };
}
