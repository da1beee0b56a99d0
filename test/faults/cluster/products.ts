import { type Food, toFoodId } from '@larder/core/food.ts';
import { checkDigit, toGtin } from '@larder/core/gtin.ts';
import type { Random } from '../../../bench/support/search-random.ts';
import { ean13Bars } from '../../support/barcode-bars.ts';
import { barcodePicture } from '../../support/barcode-picture.ts';

const CONSONANTS = 'bdfgklmnprstvz';
const VOWELS = 'aeiou';
const SYLLABLES = 4;
/** An unassigned company prefix; with item and check digit 13 digits. */
const COMPANY = '50123456';
const ITEM_DIGITS = 4;
const WRITTEN_AT = 1_700_000_000;

/** A product to search, scan and log that no other catalogue has. */
export interface Product {
  /** A search text that finds only this product. */
  readonly word: string;
  readonly barcode: string;
  readonly id: string;
}

export function makeProducts(count: number, random: Random): Product[] {
  const words = new Set<string>();
  while (words.size < count) words.add(makeWord(random));
  return [...words].map((word, at) => {
    const digits = COMPANY + String(at).padStart(ITEM_DIGITS, '0');
    const barcode = digits + checkDigit(digits);
    return { word, barcode, id: toFoodId('off', barcode) };
  });
}

/** Makes the product's food in the catalogue of this generation. */
export function toFood({ word, barcode }: Product, generation: string): Food {
  return {
    id: toFoodId('off', barcode),
    source: 'public_dataset',
    name: word,
    brand: generation,
    aliases: [],
    barcode,
    gtin: toGtin(barcode),
    basis: 'g',
    per100: { energy: 400, protein: 10, fat: 10, carbohydrates: 60 },
    servings: [{ value: 100, unit: 'g', basisAmount: 100 }],
    popularity: 100,
    createdAt: WRITTEN_AT,
    updatedAt: WRITTEN_AT,
  };
}

/** A photo of its barcode, small and fast to read. */
export async function photographed({ barcode }: Product): Promise<Buffer> {
  const picture = await barcodePicture({ bars: ean13Bars(barcode), modulePx: 2, heightPx: 30 });
  return picture.jpeg().toBuffer();
}

function makeWord(random: Random): string {
  const syllable = () => random.pick([...CONSONANTS]) + random.pick([...VOWELS]);
  return Array.from({ length: SYLLABLES }, syllable).join('');
}
