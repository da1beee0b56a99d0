import { z } from 'zod';
import { FOOD_BASES } from '../../../catalogue/food/food.ts';
import { ANALYSIS_VERSION } from '../../../scan/analysis/analysis.ts';
import { RECOGNIZER_NAMES } from '../../../scan/recognizer.ts';
import { ITEM_ORIGINS } from '../../../scan/scan-result.ts';
import { unknownProducts } from '../../scans/scan-outcome.ts';
import { macrosSchema } from '../foods/food-json.ts';

const confidence = z.number().min(0).max(1);
const ms = z.number().min(0).describe('ms');
const grams = z.number().min(0).describe('g');
const range = z.strictObject({ low: grams, high: grams });
const box = z
  .strictObject({ left: z.number(), top: z.number(), width: z.number(), height: z.number() })
  .describe('Fractions of the width and height of the upright photo.');
const seen = { confidence, box: box.optional() };

const proposal = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('barcode'), ...seen, digits: z.string() }).meta({ id: 'BarcodeProposal' }),
  z
    .strictObject({
      kind: z.literal('label'),
      ...seen,
      basis: z.enum(FOOD_BASES),
      per100: macrosSchema,
      serving: z.strictObject({ value: z.number(), unit: z.string(), basisAmount: z.number() }),
    })
    .meta({ id: 'LabelProposal' }),
  z
    .strictObject({
      kind: z.literal('dish'),
      ...seen,
      unsure: z.literal(true).optional(),
      label: z.string(),
      foodId: z.string(),
      grams: z.strictObject({ typical: grams, low: grams, high: grams }),
      alternatives: z.array(z.strictObject({ label: z.string(), foodId: z.string(), confidence })),
    })
    .meta({ id: 'DishProposal' }),
  z
    .strictObject({ kind: z.literal('named'), ...seen, name: z.string(), grams: grams.optional() })
    .meta({ id: 'NamedProposal' }),
]);

const recognizer = z.strictObject({
  name: z.enum(RECOGNIZER_NAMES),
  version: z.string().describe('Of its library and model.'),
  ms,
  outcome: z.enum(['recognized', 'nothing', 'unavailable', 'not_in_catalogue']),
  proposals: z.array(proposal).describe('What it saw, before the catalogue was asked.'),
  usage: z
    .strictObject({ inputTokens: z.int(), outputTokens: z.int(), costUsd: z.number().optional() })
    .optional(),
  details: z.record(z.string(), z.unknown()).optional(),
});

const item = z.strictObject({
  name: z.string(),
  brand: z.string().optional(),
  foodId: z.string().optional(),
  barcode: z.string().optional(),
  origin: z.enum(ITEM_ORIGINS),
  confidence,
  unsure: z.literal(true).optional(),
  serving: z.strictObject({ value: z.number(), unit: z.string() }),
  servingGrams: grams,
  servingRangeGrams: range.optional(),
  macros: macrosSchema,
  box: box.optional(),
  alternatives: z.array(z.strictObject({ name: z.string(), foodId: z.string(), confidence })),
});

/** Describes what lies behind `resultUrl`: `StoredAnalysis`. */
export const analysisSchema = z
  .strictObject({
    version: z.literal(ANALYSIS_VERSION).describe('Another number for another form.'),
    jobId: z.string(),
    clientId: z.string(),
    status: z.literal('completed'),
    createdAt: z.iso.datetime(),
    finishedAt: z.iso.datetime(),
    result: z.strictObject({
      name: z.string(),
      calories: z.number(),
      protein: grams,
      carbs: grams,
      fat: grams,
      servingSize: grams,
      unknownProducts: unknownProducts.optional(),
    }),
    image: z
      .strictObject({
        type: z.enum(['image/jpeg', 'image/png', 'image/webp', 'image/heic']),
        widthPx: z.int(),
        heightPx: z.int(),
        sizeBytes: z.int(),
      })
      .optional(),
    timings: z.strictObject({ decodeMs: ms, groundMs: ms, totalMs: ms }),
    recognizers: z.array(recognizer).describe('In the order in which they were asked.'),
    items: z.array(item),
  })
  .meta({ id: 'ScanAnalysis', description: 'The full analysis of a scan, as `resultUrl` leads to it.' });
