import { type Food, type FoodId, type KnownProduct, toFoodId } from '@larder/core/food.ts';
import sharp from 'sharp';
import { analyse } from '../../src/scan/analysis/analyse-image.ts';
import type { AnalysisOutcome } from '../../src/scan/analysis/analysis.ts';
import { Grounding } from '../../src/scan/analysis/grounding.ts';
import type { ScanFoods } from '../../src/scan/analysis/scan-foods.ts';
import {
  type DishProposal,
  dishProposal,
  type Proposal,
  type Recognizer,
  type RecognizerName,
} from '../../src/scan/recognizer.ts';

export const food = (id: string, name: string, more: Partial<Food> = {}): Food => ({
  id: toFoodId('starter', id),
  source: 'public_dataset',
  name,
  aliases: [],
  basis: 'g',
  per100: { energy: 539, protein: 6.3, fat: 30.9, carbohydrates: 57.5, sodium: 41.1 },
  servings: [{ value: 15, unit: 'g', basisAmount: 15 }],
  popularity: 0,
  createdAt: 0,
  updatedAt: 0,
  ...more,
});

/** The number of `spread`. */
export const BARCODE = '3017620422003';
export const spread = food('spread', 'Hazelnut spread', { brand: 'Nutella', barcode: BARCODE });
export const pizza = food('pizza', 'Pizza', {
  per100: { energy: 266, protein: 11, fat: 10, carbohydrates: 33 },
});
export const lasagne = food('lasagne', 'Lasagne');

export function foodsOf(foods: readonly Food[], known: readonly KnownProduct[] = []): ScanFoods {
  return {
    async findByBarcode(digits) {
      const found = foods.find(({ barcode }) => barcode === digits);
      if (found !== undefined) return { food: found };
      const product = known.find(({ barcode }) => barcode === digits);
      return product && { known: product };
    },
    readNames: async () => [],
    findById: async (id) => foods.find((other) => other.id === id),
    search: async (query, limit) =>
      foods.filter(({ name }) => name.toLowerCase().includes(query.split(' ').at(-1)!)).slice(0, limit),
  };
}

/** A recognizer with the same result for every photo. */
export function seeing(
  name: RecognizerName,
  proposals: readonly Proposal[] | Error,
): Recognizer & { asked: number } {
  return {
    name,
    version: 'fixed 1',
    asked: 0,
    async recognize() {
      this.asked++;
      if (proposals instanceof Error) throw proposals;
      return { proposals };
    },
    close: async () => {},
  };
}

export const dish = (
  foodId: FoodId,
  {
    confidence = 0.8,
    alternatives = [],
    sureFrom,
    ...more
  }: Partial<DishProposal> & { sureFrom?: number } = {},
): Proposal => {
  const grams = { typical: 250, low: 150, high: 400 };
  const others = alternatives.map((each) => ({ ...each, grams }));
  return {
    ...dishProposal([{ label: 'a dish', foodId, confidence, grams }, ...others], sureFrom),
    ...more,
  };
};

interface Seen {
  /** The image; a plain one by default. */
  readonly bytes?: Buffer;
  readonly recognizers: readonly Recognizer[];
  readonly foods?: readonly Food[];
  readonly known?: readonly KnownProduct[];
  readonly habits?: ScanFoods['habits'];
}

/** Analyses a photo with a catalogue of these foods. */
export async function look({
  bytes,
  recognizers,
  foods = [spread, pizza, lasagne],
  known = [],
  habits,
}: Seen): Promise<AnalysisOutcome> {
  const grounding = new Grounding({ foods: { ...foodsOf(foods, known), habits } });
  return analyse({
    bytes: bytes ?? (await plainImage()),
    recognizers,
    ground: (proposals) => grounding.ground(proposals),
    signal: new AbortController().signal,
    nowMs: () => performance.now(),
  });
}

function plainImage(): Promise<Buffer> {
  const create = { width: 64, height: 48, channels: 3, background: '#a06040' } as const;
  return sharp({ create }).png().toBuffer();
}
