import { type Food, type KnownProduct, toFoodId } from '@larder/core/food.ts';
import { checkDigit, toGtin } from '@larder/core/gtin.ts';
import type { Nutrients } from '@larder/core/nutrients.ts';
import { SegmentWriter } from '../../src/foods/catalogue/segment.ts';
import { SearchItems } from './search-items.ts';
import { Random } from './search-random.ts';

/** Coprime to every count that is asked for: scatters the static order, as an export does. */
const STRIDE = 1_000_003;
const KNOWN_ONLY_SHARE = 0.05;
const SECOND_SOURCE_SHARE = 0.02;
const ADDED_AT = 1_600_000_000;

/** The barcode of the product with this number; a valid EAN-13 outside the restricted prefixes. */
export function generatedBarcode(number: number): string {
  const body = `3${String(number * 7 + 1).padStart(11, '0')}`;
  return body + checkDigit(body);
}

/**
 * Writes a segment of products as packaged foods are: real or invented names, eight to twelve nutrients, a serving
 * for two thirds, a barcode for each. Some are known only, some come twice, from two sources.
 */
export async function writeGeneratedSegment(file: string, count: number): Promise<void> {
  const items = new SearchItems({ count });
  const writer = SegmentWriter.open(file);
  for (let number = 0; number < count; number++) {
    const item = items.at((number * STRIDE) % count);
    const random = new Random({ seed: number });
    const kind = random.next();
    if (kind < KNOWN_ONLY_SHARE) writer.addKnown(generatedProduct(number, item.name));
    else if (kind < KNOWN_ONLY_SHARE + SECOND_SOURCE_SHARE && number > 0) {
      writer.add({ ...generatedFood(number - 1, item, random), id: toFoodId('fdc', String(number)) });
    } else writer.add(generatedFood(number, item, random));
  }
  await writer.finish({ origin: 'off', importedAt: ADDED_AT, sources: ['generated'] });
}

function generatedProduct(number: number, name: string): KnownProduct {
  const barcode = generatedBarcode(number);
  return { id: toFoodId('off', barcode), name: name || 'Product', barcode, gtin: toGtin(barcode) };
}

function generatedFood(
  number: number,
  item: { name: string; brand?: string; popularity: number },
  random: Random,
): Food {
  const barcode = generatedBarcode(number);
  const grams = 5 + random.below(245);
  return {
    id: toFoodId('off', barcode),
    source: 'public_dataset',
    name: item.name || 'Product',
    ...(item.brand !== undefined && { brand: item.brand }),
    aliases: [],
    barcode,
    gtin: toGtin(barcode),
    basis: 'g',
    per100: generatedNutrients(random),
    servings: [
      random.next() < 0.66
        ? { value: grams, unit: 'g', basisAmount: grams, label: `1 portion (${grams} g)` }
        : { value: 100, unit: 'g', basisAmount: 100 },
    ],
    popularity: item.popularity,
    createdAt: ADDED_AT + number,
    updatedAt: ADDED_AT + 2 * number,
  };
}

function generatedNutrients(random: Random): Nutrients {
  const amount = (limit: number) => random.below(limit * 10) / 10;
  const per100: Nutrients = {
    energy: random.below(600),
    protein: amount(30),
    fat: amount(40),
    carbohydrates: amount(60),
    sugars: amount(30),
    saturatedFat: amount(15),
    sodium: random.below(900),
  };
  if (random.next() < 0.5) per100.fiber = amount(9);
  if (random.next() < 0.3) Object.assign(per100, { calcium: random.below(400), iron: amount(8) });
  return per100;
}
