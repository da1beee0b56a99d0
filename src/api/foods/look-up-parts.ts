import { readScannedCode, type ScannedCode } from '@larder/core/codes/scanned-code.ts';
import type { FoodLanguage } from '@larder/core/food-languages.ts';
import type { Caller } from '../../access/api-key.ts';
import type { FoodDirectory } from '../../foods/visible-foods.ts';
import { viewerFor } from '../acting-user.ts';
import type { CacheSlot, Outcome } from '../operation.ts';
import { barcodeText } from '../text-schemas.ts';
import { EXAMPLE_FOOD_JSON, foodSchema, scannedFields } from './food-json.ts';
import { foodObjects, type IncludedOfFoods } from './food-query.ts';

// Declarations that both look-ups by code share.

export const WHAT_CODES_ARE =
  '6 to 14 digits, with spaces, dashes or an add-on; or what scanners make of GS1 symbols: element strings, with or without ' +
  'brackets and symbology identifier, and Digital Links.';

/** The id of a shipped food, so that `/docs` finds it on a new service. */
const SHIPPED_BARCODE = '747599322198';

export const codeText = barcodeText
  .describe(WHAT_CODES_ARE)
  .meta({ example: SHIPPED_BARCODE })
  .transform(readScannedCode);

export const scannedFoodSchema = foodSchema
  .extend(scannedFields)
  .meta({ id: 'ScannedFood', description: 'A food, and the other data in its code.' });

export const codeAnswer = {
  description: 'The food with this barcode.',
  schema: scannedFoodSchema,
  example: { ...(EXAMPLE_FOOD_JSON as object), scanned: { batch: 'AB12', expiryDate: '2026-05-31' } },
};

export interface CodeRequest {
  readonly code: ScannedCode;
  readonly include?: IncludedOfFoods;
  readonly userId?: string | undefined;
  readonly lang: readonly FoodLanguage[];
}

/** Key of the cached response, which includes everything that the code states. */
export function cacheSlotOfCode(
  caller: Caller,
  { code: { barcode, facts }, include, userId, lang }: CodeRequest,
  foods: FoodDirectory,
): CacheSlot | undefined {
  const revision = foods.now(viewerFor(caller, userId))?.revision;
  if (revision === undefined) return undefined;
  const said = facts === undefined ? '' : JSON.stringify(facts);
  return { key: `${barcode} ${include ?? ''} ${lang.join()} ${said}`, revision };
}

export async function lookUpCode(
  caller: Caller,
  { code, include, userId, lang }: CodeRequest,
  foods: FoodDirectory,
): Promise<Outcome> {
  const { food, others, scanned } = await foods.getByCode(viewerFor(caller, userId), code);
  const value = foodObjects(include)(foods.inLanguages(food, lang));
  return {
    value: { ...value, candidates: others, scanned },
    // The revision does not cover foods of external services.
    isKept: food.source !== 'third_party_api',
  };
}
