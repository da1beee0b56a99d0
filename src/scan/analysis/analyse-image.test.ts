import { type KnownProduct, toFoodId } from '@larder/core/food.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { BARCODE, dish, look, pizza, seeing } from '../../../test/support/analysed-photos.ts';
import { ean13Bars } from '../../../test/support/barcode-bars.ts';
import { barcodePicture } from '../../../test/support/barcode-picture.ts';
import { type Proposal, type Recognizer, RecognizerUnavailable } from '../recognizer.ts';
import { BarcodeRecognizer } from '../recognizers/barcode/barcode-recognizer.ts';
import { analyse } from './analyse-image.ts';

const label: Proposal = {
  kind: 'label',
  confidence: 0.9,
  basis: 'g',
  per100: { energy: 400, protein: 10, fat: 20, carbohydrates: 45 },
  serving: { value: 1, unit: 'bar', basisAmount: 40 },
};
const unavailable = new RecognizerUnavailable('the service is down');

let barcode: BarcodeRecognizer;
let packageImage: Buffer;
beforeAll(async () => {
  barcode = await BarcodeRecognizer.open({ nowMs: () => 0 });
  packageImage = await (await barcodePicture({ bars: ean13Bars(BARCODE) })).jpeg().toBuffer();
});

describe('a package whose barcode is in the catalogue', () => {
  it('becomes that product in its serving, without calling further recognizers', async () => {
    const others = seeing('dish', [dish(pizza.id)]);
    const { analysis, ...outcome } = await look({ bytes: packageImage, recognizers: [barcode, others] });
    expect(outcome).toMatchObject({
      result: {
        name: 'Hazelnut spread',
        calories: 80.85,
        protein: 0.945,
        carbs: 8.625,
        fat: 4.635,
        servingSize: 15,
        items: [
          {
            name: 'Hazelnut spread',
            brand: 'Nutella',
            foodId: 'starter:spread',
            barcode: BARCODE,
            origin: 'barcode',
            serving: { value: 15, unit: 'g' },
            servingGrams: 15,
            macros: { energy: 80.85, protein: 0.945, fat: 4.635, carbohydrates: 8.625, sodium: 6.165 },
            alternatives: [],
          },
        ],
      },
    });
    expect(others.asked).toBe(0);
    expect(analysis).toMatchObject({
      version: 1,
      image: { type: 'image/jpeg', sizeBytes: packageImage.length },
      recognizers: [{ name: 'barcode', outcome: 'recognized', proposals: [{ digits: BARCODE }] }],
    });
    const { decodeMs, totalMs } = analysis.timings;
    expect(decodeMs).toBeGreaterThan(0);
    // Each duration is rounded to a microsecond.
    expect(totalMs).toBeGreaterThan(decodeMs + analysis.recognizers[0]!.ms - 0.01);
  });

  it('counts once, however often its barcode is read', async () => {
    const seen: Proposal = { kind: 'barcode', digits: BARCODE, confidence: 1 };
    const outcome = await look({ recognizers: [seeing('barcode', [seen, seen])] });
    expect(outcome).toMatchObject({ result: { items: [{ barcode: BARCODE }], servingSize: 15 } });
  });
});

describe('a package whose barcode is unknown', () => {
  const product = {
    id: toFoodId('off', BARCODE),
    name: 'Crunchy bar',
    brand: 'Acme',
    barcode: BARCODE,
  } as KnownProduct;

  it('becomes the item of its label, with the barcode', async () => {
    const { analysis, ...outcome } = await look({
      bytes: packageImage,
      recognizers: [barcode, seeing('label', [label])],
      foods: [],
    });
    expect(outcome).toMatchObject({
      result: {
        calories: 160,
        servingSize: 40,
        items: [{ origin: 'label', barcode: BARCODE, serving: { value: 1, unit: 'bar' } }],
      },
    });
    expect(analysis.recognizers.map(({ outcome: each }) => each)).toEqual(['not_in_catalogue', 'recognized']);
  });

  it('keeps the serving unit as printed', async () => {
    const serving = { value: 2 / 3, unit: 'cup', basisAmount: 55 };
    const { analysis } = await look({ recognizers: [seeing('label', [{ ...label, serving }])] });
    expect(analysis.items).toMatchObject([{ serving: { value: 0.667, unit: 'cup' }, servingGrams: 55 }]);
  });

  it('has the values of one serving as printed, and says that its weight is unknown', async () => {
    const perServing = { energy: 140, protein: 2, fat: 1 / 3, carbohydrates: 33, sodium: 50 };
    const unweighed: Proposal = {
      kind: 'serving_label',
      confidence: 0.9,
      perServing,
      serving: { value: 1, unit: 'serving' },
    };
    const spray: Proposal = { ...unweighed, serving: { value: 1, unit: 'spray', basisAmount: 0.25 } };
    const outcome = await look({ recognizers: [seeing('label', [unweighed, spray, label])] });
    expect(outcome).toMatchObject({
      result: {
        calories: 440,
        // An unknown amount adds nothing to the sum.
        servingSize: 40.25,
        items: [
          {
            origin: 'label',
            serving: { value: 1, unit: 'serving' },
            servingGrams: 0,
            weightUnknown: true,
            macros: perServing,
          },
          { serving: { value: 1, unit: 'spray' }, servingGrams: 0.25, macros: perServing },
          { servingGrams: 40 },
        ],
      },
    });
    expect(outcome.analysis.items[1]).not.toHaveProperty('weightUnknown');
  });

  it('gets the name that the catalogue has for products without nutrients', async () => {
    const recognizers = [barcode, seeing('label', [label])];
    const outcome = await look({ bytes: packageImage, recognizers, foods: [], known: [product] });
    expect(outcome).toMatchObject({ result: { items: [{ name: 'Crunchy bar', brand: 'Acme' }] } });
  });

  it('does not get the label if several unknown packages are on the photo', async () => {
    const numbers = [BARCODE, '96385074'].map(
      (digits): Proposal => ({ kind: 'barcode', digits, confidence: 1 }),
    );
    const outcome = await look({
      recognizers: [seeing('barcode', numbers), seeing('label', [label])],
      foods: [],
    });
    expect('result' in outcome && outcome.result.items[0]).not.toHaveProperty('barcode');
    expect(outcome).toMatchObject({
      result: { unknownProducts: [{ barcode: BARCODE }, { barcode: '96385074' }] },
    });
  });

  it('is named in the failure when nothing else was recognized', async () => {
    const outcome = await look({ bytes: packageImage, recognizers: [barcode], foods: [] });
    expect(outcome).toMatchObject({
      failure: {
        code: 'no_food_detected',
        message: expect.stringContaining(BARCODE),
        retryable: false,
        unknownProducts: [{ barcode: BARCODE }],
      },
    });
  });

  it('is named beside the items of a later recognizer, and when that one is unavailable', async () => {
    const scenery = { bytes: packageImage, foods: [pizza], known: [product] };
    const unknownProducts = [{ barcode: BARCODE, name: 'Crunchy bar', brand: 'Acme' }];
    const seen = await look({ ...scenery, recognizers: [barcode, seeing('dish', [dish(pizza.id)])] });
    expect(seen).toMatchObject({ result: { name: 'Pizza', unknownProducts } });
    const away = await look({ ...scenery, recognizers: [barcode, seeing('dish', unavailable)] });
    expect(away).toMatchObject({ failure: { code: 'recognizer_unavailable', unknownProducts } });
  });

  it('is not listed as unknown beside its own label', async () => {
    const outcome = await look({
      bytes: packageImage,
      recognizers: [barcode, seeing('label', [label])],
      foods: [],
    });
    expect('result' in outcome && outcome.result).not.toHaveProperty('unknownProducts');
  });
});

describe('an image without recognized food', () => {
  const code = async (recognizers: readonly Recognizer[]) => {
    const outcome = await look({ recognizers });
    return 'failure' in outcome ? [outcome.failure.code, outcome.failure.retryable] : outcome;
  };

  it('fails with no_food_detected when all recognizers answered', async () => {
    expect(await code([barcode, seeing('dish', [])])).toEqual(['no_food_detected', false]);
    expect(await code([])).toEqual(['no_food_detected', false]);
  });

  it('is not a dish if its label could not be read, and the failure says what was unreadable', async () => {
    const unreadable = 'The image shows nutrition facts, but these values could not be read: fat.';
    const reader: Recognizer = {
      ...seeing('label', []),
      recognize: async () => ({ proposals: [], unreadable }),
    };
    const dishes = seeing('dish', [dish(pizza.id)]);
    const outcome = await look({ recognizers: [reader, dishes] });
    expect(outcome).toMatchObject({ failure: { code: 'no_food_detected', message: unreadable } });
    expect(dishes.asked).toBe(0);
  });

  it('fails with recognizer_unavailable when no recognizer of whole dishes answered', async () => {
    expect(await code([barcode, seeing('remote', unavailable)])).toEqual(['recognizer_unavailable', true]);
    const twice = [seeing('remote', unavailable), seeing('dish', unavailable)];
    expect(await code(twice)).toEqual(['recognizer_unavailable', true]);
  });

  it('fails with no_food_detected when one recognizer of whole dishes answered', async () => {
    expect(await code([seeing('remote', unavailable), seeing('dish', [])])).toEqual([
      'no_food_detected',
      false,
    ]);
  });
});

describe('failing recognizers and images', () => {
  it('an unavailable recognizer does not prevent the next one from answering', async () => {
    const { analysis, ...outcome } = await look({
      recognizers: [seeing('remote', unavailable), seeing('dish', [dish(pizza.id)])],
    });
    expect(outcome).toHaveProperty('result');
    expect(analysis.recognizers.map((run) => run.outcome)).toEqual(['unavailable', 'recognized']);
  });

  it('the cost of an unavailable recognizer is counted', async () => {
    const usage = { inputTokens: 3000, outputTokens: 150, costUsd: 0.01 };
    const costly = new RecognizerUnavailable('the service answers nonsense', { usage });
    const { analysis } = await look({ recognizers: [seeing('remote', costly)] });
    expect(analysis.recognizers).toMatchObject([{ outcome: 'unavailable', proposals: [], usage }]);
  });

  it('bytes that are not an image, and damaged images, fail with the known facts', async () => {
    const none = await look({ bytes: Buffer.from('no image'), recognizers: [barcode] });
    expect(none).toMatchObject({ failure: { code: 'unsupported_image', retryable: false } });
    expect(none.analysis).not.toHaveProperty('image');
    const torn = await look({
      bytes: packageImage.subarray(0, packageImage.length / 2),
      recognizers: [barcode],
    });
    expect(torn).toMatchObject({
      failure: { code: 'image_unreadable', retryable: false },
      analysis: { image: { type: 'image/jpeg' }, items: [] },
    });
  });

  it('an unexpected error of a recognizer and the abort reason are thrown', async () => {
    await expect(look({ recognizers: [seeing('dish', new TypeError('a fault'))] })).rejects.toThrow(
      'a fault',
    );
    const signal = AbortSignal.abort(new Error('took too long'));
    const ground = () => expect.unreachable();
    const parts = { bytes: packageImage, recognizers: [barcode], ground, nowMs: () => 0 };
    await expect(analyse({ ...parts, signal })).rejects.toThrow('took too long');
  });
});
