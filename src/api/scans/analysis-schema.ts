import { FOOD_BASES } from '@larder/core/food.ts';
import { scannedFactsSchema } from '@larder/core/scanned-facts.ts';
import { z } from 'zod';
import { ANALYSIS_VERSION } from '../../scan/analysis/analysis.ts';
import { RECOGNIZER_NAMES } from '../../scan/recognizer.ts';
import { RECEIPT_LANGUAGES } from '../../scan/recognizers/receipt/receipt-words.ts';
import { macrosSchema } from '../foods/food-json.ts';
import { nutrientsSchema } from '../nutrients.ts';
import { receiptQuantity, scanReceipt } from './receipt-json.ts';
import {
  confidence,
  grams,
  gramsRange,
  imageBox,
  itemOrigin,
  scanAlternatives,
  scanServing,
  unknownProducts,
} from './scan-json.ts';

const ms = z.number().min(0).describe('ms');
const seen = { confidence, box: imageBox.optional() };

const proposal = z
  .discriminatedUnion('kind', [
    z
      .strictObject({ kind: z.literal('barcode'), ...seen, digits: z.string() })
      .meta({ id: 'BarcodeProposal' }),
    z
      .strictObject({
        kind: z.literal('label'),
        ...seen,
        basis: z.enum(FOOD_BASES).meta({ id: 'FoodBasis' }),
        per100: macrosSchema,
        serving: z
          .strictObject({ value: z.number(), unit: z.string(), basisAmount: z.number() })
          .meta({ id: 'LabelServing' }),
      })
      .meta({ id: 'LabelProposal' }),
    z
      .strictObject({
        kind: z.literal('serving_label'),
        ...seen,
        perServing: macrosSchema,
        serving: z
          .strictObject({ value: z.number(), unit: z.string(), basisAmount: z.number().optional() })
          .meta({ id: 'UnweighedServing' }),
      })
      .meta({
        id: 'ServingLabelProposal',
        description: 'A label whose values are only true of one serving.',
      }),
    z
      .strictObject({
        kind: z.literal('dish'),
        ...seen,
        unsure: z.literal(true).optional(),
        label: z.string(),
        foodId: z.string(),
        grams: z.strictObject({ typical: grams, low: grams, high: grams }).meta({ id: 'DishGrams' }),
        alternatives: z.array(
          z
            .strictObject({ label: z.string(), foodId: z.string(), confidence })
            .meta({ id: 'DishAlternative' }),
        ),
      })
      .meta({ id: 'DishProposal' }),
    z
      .strictObject({ kind: z.literal('named'), ...seen, name: z.string(), grams: grams.optional() })
      .meta({ id: 'NamedProposal' }),
    z
      .strictObject({
        kind: z.literal('receipt'),
        ...seen,
        lang: z.enum(RECEIPT_LANGUAGES).optional(),
        lines: z.array(
          z
            .strictObject({
              text: z.string(),
              name: z.string().describe('In whole words, as it is looked for.'),
              quantity: receiptQuantity.optional(),
              size: receiptQuantity.optional(),
              price: z.string(),
              unitPrice: z.string().optional(),
              currency: z.string().optional(),
              confidence,
            })
            .meta({ id: 'ReceiptLineProposal' }),
        ),
      })
      .meta({ id: 'ReceiptProposal' }),
  ])
  .meta({ id: 'Proposal' });

const recognizer = z
  .strictObject({
    name: z.enum(RECOGNIZER_NAMES),
    version: z.string().describe('Version of its library and model.'),
    ms,
    outcome: z.enum(['recognized', 'nothing', 'unavailable', 'not_in_catalogue']),
    proposals: z.array(proposal).describe('Proposals of the recognizer, before the catalogue was searched.'),
    usage: z
      .strictObject({ inputTokens: z.int(), outputTokens: z.int(), costUsd: z.number().optional() })
      .meta({ id: 'RecognizerUsage' })
      .optional(),
    details: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'RecognizerReport' });

const item = z
  .strictObject({
    name: z.string(),
    brand: z.string().optional(),
    foodId: z.string().optional(),
    barcode: z.string().optional(),
    scanned: scannedFactsSchema.optional(),
    origin: itemOrigin,
    confidence,
    unsure: z.literal(true).optional(),
    serving: scanServing,
    servingGrams: grams,
    weightUnknown: z.literal(true).optional().describe('`servingGrams` is not known, and 0.'),
    servingRangeGrams: gramsRange.optional(),
    macros: macrosSchema,
    nutrients: nutrientsSchema.optional().describe('Amounts in `serving`.'),
    box: imageBox.optional(),
    alternatives: scanAlternatives,
  })
  .meta({ id: 'AnalysisItem' });

/** Describes the content of `resultUrl`: `StoredAnalysis`. */
export const analysisSchema = z
  .strictObject({
    version: z.literal(ANALYSIS_VERSION).describe('Another number for another form.'),
    jobId: z.string(),
    clientId: z.string(),
    status: z.literal('completed'),
    createdAt: z.iso.datetime(),
    finishedAt: z.iso.datetime(),
    result: z
      .strictObject({
        name: z.string(),
        calories: z.number(),
        protein: grams,
        carbs: grams,
        fat: grams,
        servingSize: grams,
        nutrients: nutrientsSchema.optional().describe('Sums of all items.'),
        unknownProducts: unknownProducts.optional(),
        receipt: scanReceipt.optional(),
      })
      .meta({ id: 'AnalysisResult' }),
    image: z
      .strictObject({
        type: z.enum(['image/jpeg', 'image/png', 'image/webp', 'image/heic']),
        widthPx: z.int(),
        heightPx: z.int(),
        sizeBytes: z.int(),
      })
      .meta({ id: 'AnalysedImage' })
      .optional(),
    timings: z.strictObject({ decodeMs: ms, groundMs: ms, totalMs: ms }).meta({ id: 'AnalysisTimings' }),
    recognizers: z.array(recognizer).describe('In the order in which they ran.'),
    items: z.array(item),
  })
  .meta({ id: 'ScanAnalysis', description: 'The full analysis of a scan, as `resultUrl` leads to it.' });
