import type { Food, FoodId } from '@larder/core/food.ts';
import { expect, test } from 'vitest';
import { ean13Bars } from '../../../test/support/barcode-bars.ts';
import { barcodePicture } from '../../../test/support/barcode-picture.ts';
import { newScan } from '../../../test/support/new-scan.ts';
import { analyse } from '../../scan/analysis/analyse-image.ts';
import { toStoredAnalysis } from '../../scan/analysis/analysis.ts';
import { Grounding } from '../../scan/analysis/grounding.ts';
import type { Proposal, Recognizer } from '../../scan/recognizer.ts';
import { BarcodeRecognizer } from '../../scan/recognizers/barcode/barcode-recognizer.ts';
import { analysisSchema } from './analysis-schema.ts';

const BARCODE = '3017620422003';
const seen = { confidence: 0.9, box: { left: 0, top: 0, width: 0.5, height: 0.5 } };
const foodId = 'starter:soup' as FoodId;

const soup: Food = {
  id: foodId,
  source: 'public_dataset',
  name: 'Soup',
  brand: 'Acme',
  aliases: [],
  barcode: BARCODE,
  basis: 'g',
  per100: { energy: 50, protein: 2, fat: 1, carbohydrates: 8, sodium: 300 },
  servings: [{ value: 250, unit: 'g', basisAmount: 250 }],
  popularity: 0,
  createdAt: 0,
  updatedAt: 0,
};

const PROPOSALS: readonly Proposal[] = [
  { kind: 'named', name: 'Soup', grams: 240, ...seen },
  {
    kind: 'dish',
    label: 'soup',
    foodId,
    unsure: true,
    grams: { typical: 250, low: 200, high: 400 },
    alternatives: [{ label: 'broth', foodId, confidence: 0.1 }],
    ranking: { candidates: [] },
    ...seen,
  },
  {
    kind: 'label',
    basis: 'g',
    per100: soup.per100,
    serving: { value: 1, unit: 'cup', basisAmount: 240 },
    ...seen,
  },
  { kind: 'serving_label', perServing: soup.per100, serving: { value: 1, unit: 'serving' }, ...seen },
];

function seeing(name: Recognizer['name'], proposals: readonly Proposal[]): Recognizer {
  return {
    name,
    version: 'fixed 1',
    recognize: async () => ({
      proposals,
      usage: { inputTokens: 1, outputTokens: 2, costUsd: 0.1 },
      details: { seen: proposals.length },
    }),
    close: async () => {},
  };
}

const RECOGNIZERS: Readonly<Record<string, () => Promise<Recognizer>>> = {
  barcode: () => BarcodeRecognizer.open({ nowMs: () => performance.now() }),
  ...Object.fromEntries(PROPOSALS.map((seen) => [seen.kind, async () => seeing('dish', [seen])])),
};

test.each(Object.entries(RECOGNIZERS))(
  'the stored analysis of a %s has the form in the OpenAPI document',
  async (kind, open) => {
    const foods = {
      findByBarcode: async (digits: string) => (digits === BARCODE ? { food: soup } : undefined),
      readNames: async () => [],
      findById: async () => soup,
      search: async () => [soup],
    };
    const grounding = new Grounding({ foods });
    const outcome = await analyse({
      bytes: await (await barcodePicture({ bars: ean13Bars(BARCODE) })).png().toBuffer(),
      recognizers: [seeing('barcode', [{ kind: 'barcode', digits: '96385074', ...seen }]), await open()],
      ground: (proposals) => grounding.ground(proposals),
      signal: new AbortController().signal,
      nowMs: () => performance.now(),
    });
    if (!('result' in outcome)) throw new Error(outcome.failure.message);
    const stored = JSON.parse(JSON.stringify(toStoredAnalysis(newScan(), outcome, Date.now())));
    expect(analysisSchema.parse(stored)).toEqual(stored);
    const { items, result } = stored;
    // Only the product whose number no food has carries a label.
    const withBarcode = kind.endsWith('label') ? items : result.unknownProducts;
    expect(withBarcode).toMatchObject([{ barcode: '96385074' }]);
  },
);
