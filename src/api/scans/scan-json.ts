import type { FoodId } from '@larder/core/food.ts';
import type { FoodLanguage } from '@larder/core/food-languages.ts';
import { NUTRIENT_KEYS } from '@larder/core/nutrients.ts';
import { round } from '@larder/core/rounding.ts';
import { scannedFactsSchema } from '@larder/core/scanned-facts.ts';
import { z } from 'zod';
import { AMOUNT_KEYS } from '../../diary/records/entry.ts';
import type { FoodDirectory } from '../../foods/visible-foods.ts';
import type { Scans } from '../../scan/jobs/scans.ts';
import { SCAN_FAILURE_CODES, SCAN_STATUSES, type ScanId, type ScanJob } from '../../scan/scan-job.ts';
import {
  BECAUSE_KINDS,
  ITEM_ORIGINS,
  joinedNames,
  receiptName,
  type ScanItem,
  type ScanResult,
  type UnknownProduct,
  withoutReasons,
} from '../../scan/scan-result.ts';
import { isoTime } from '../fields.ts';
import { macrosSchema } from '../foods/food-json.ts';
import { nutrientsSchema, sumOfNutrients } from '../nutrients.ts';
import { scanReceipt } from './receipt-json.ts';

// Parts of the responses of several scan operations.

export const confidence = z.number().min(0).max(1).describe('0 to 1.');
export const grams = z.number().min(0).describe('g');
export const gramsRange = z.strictObject({ low: grams, high: grams }).meta({ id: 'GramsRange' });

export const imageBox = z
  .strictObject({ left: z.number(), top: z.number(), width: z.number(), height: z.number() })
  .meta({ id: 'ImageBox', description: 'Fractions of the width and height of the upright photo.' });

export const itemOrigin = z.enum(ITEM_ORIGINS).describe('How it was recognized.');

export const scanServing = z
  .strictObject({ value: z.number().positive(), unit: z.string() })
  .meta({ id: 'ScanServing' });

const likePhoto = z
  .object({
    date: z.iso
      .date()
      .optional()
      .describe('The day of its diary entry; absent if it is of a person who shares their diary.'),
  })
  .meta({ id: 'LikePhoto' })
  .describe('The photo is like one on which this food was confirmed. Only with the scope diary:read.');

export const scanAlternatives = z.array(
  z
    .strictObject({
      name: z.string(),
      foodId: z.string(),
      confidence,
      likePhoto: likePhoto.optional(),
      servingSize: scanServing
        .optional()
        .describe('The amount to begin with; if it is absent, the amount of the item.'),
    })
    .meta({ id: 'ScanAlternative' }),
);

/** Completes addresses of this service, which begin with a slash; those of another object store are absolute already. */
export function toPublicUrl(address: string, baseUrl: string): string {
  return address.startsWith('/') ? baseUrl + address : address;
}

/** Returns the URL of a scan's full analysis; undefined if there is none. */
export async function resultUrlOf(scans: Scans, job: ScanJob, baseUrl: string): Promise<string | undefined> {
  const address = await scans.resultAddress(job);
  return address && toPublicUrl(address, baseUrl);
}

/** Fields in results and failures of both variants. */
export const unknownProducts: z.ZodType<readonly UnknownProduct[]> = z
  .array(
    z
      .object({
        barcode: z.string().describe('As it is on the package.'),
        name: z.string().optional().describe('Absent where only the barcode is known.'),
        brand: z.string().optional(),
      })
      .meta({ id: 'UnknownProduct' }),
  )
  .describe('Products on the photo whose barcode no food has; absent where there are none.');

export const scanFailure = z
  .object({
    code: z.enum(SCAN_FAILURE_CODES),
    message: z.string(),
    retryable: z.boolean().describe('Whether the same image may succeed in a new scan.'),
    unknownProducts: unknownProducts.optional(),
  })
  .meta({ id: 'ScanFailure' });

const TIME_MS = Date.UTC(2026, 0, 31, 12);

/** Values in the examples of the OpenAPI document. */
export const EXAMPLE_SCAN: ScanJob = {
  id: '01kg9v3h00000xw5m8kq2nce7a' as ScanId,
  tenant: 'default',
  clientId: 'phone-1',
  contentType: 'image/jpeg',
  imageType: 'photo',
  createdAtMs: TIME_MS,
  uploadExpiresAtMs: TIME_MS + 15 * 60_000,
  imageBytes: 1_234_567,
  status: 'completed',
  settledAtMs: TIME_MS + 4_000,
  result: {
    name: 'Banana',
    calories: 105.02,
    protein: 1.286,
    carbs: 26.951,
    fat: 0.389,
    servingSize: 118,
    items: [
      {
        name: 'Banana',
        foodId: 'starter:banana' as FoodId,
        origin: 'dish',
        confidence: 0.92,
        serving: { value: 118, unit: 'g' },
        servingGrams: 118,
        servingRangeGrams: { low: 90, high: 150 },
        macros: { energy: 105.02, protein: 1.286, fat: 0.389, carbohydrates: 26.951 },
        alternatives: [{ name: 'Plantain', foodId: 'starter:plantain' as FoodId, confidence: 0.05 }],
      },
    ],
  },
};

export const EXAMPLE_UPLOAD_URL =
  'https://larder.example/objects/images/01kg9v3h00000xw5m8kq2nce7a?expires=…';

const because = z
  .object({
    kind: z
      .enum(BECAUSE_KINDS)
      .describe('`household_eats_this`: somebody whose diary this user may read ate it.'),
    times: z.int().optional().describe('`you_eat_this`: entries with it among the latest ones of the user.'),
    last: z.iso.date().optional().describe('`you_eat_this`: the date of the last of them.'),
  })
  .meta({ id: 'ScanBecause' });

const item = z
  .object({
    name: z.string(),
    brand: z.string().optional(),
    foodId: z.string().optional().describe('Absent if the food is known only from its label.'),
    barcode: z.string().optional(),
    scanned: scannedFactsSchema.optional(),
    origin: itemOrigin,
    confidence,
    unsure: z
      .literal(true)
      .optional()
      .describe(
        'Let the user choose between this and the alternatives; a diary takes it only when asked to.',
      ),
    because: because
      .optional()
      .describe(
        'Why this food comes first, with its usual amount: it was eaten before. Only with the scope diary:read.',
      ),
    likePhoto: likePhoto.optional(),
    servingSize: scanServing,
    weightUnknown: z
      .literal(true)
      .optional()
      .describe(
        'The values are those of one serving, whose weight is not known. Ask for it if it is of a label; an entry of servings needs none.',
      ),
    servingRange: gramsRange
      .optional()
      .describe('Range of usual portions. If it is present, amounts are estimates.'),
    macros: macrosSchema,
    nutrients: nutrientsSchema.describe('Amounts in `servingSize`.'),
    box: imageBox.optional(),
    alternatives: scanAlternatives,
  })
  .meta({ id: 'ScanItem' });

const result = z
  .object({
    name: z.string().describe('The names of all items, or of the foods of a receipt.'),
    calories: z.number().min(0).describe('kcal'),
    protein: grams,
    carbs: grams,
    fat: grams,
    servingSize: grams,
    nutrients: nutrientsSchema.describe('Sums of all items.'),
    unknown: z
      .array(z.enum([...AMOUNT_KEYS, 'servingSize']))
      .optional()
      .describe('Which of these sums are too low, because at least one item does not state them.'),
    items: z.array(item),
    unknownProducts: unknownProducts.optional(),
    receipt: scanReceipt.optional().describe('Only for scans of the kind `receipt` (beta).'),
  })
  .meta({ id: 'ScanResult', description: 'The whole plate, and each item on it.' });

/** Describes the result of `scanObject`. */
export const scanSchema = z
  .object({
    jobId: z.string(),
    status: z.enum(SCAN_STATUSES).meta({ id: 'ScanStatus' }),
    created_at: z.iso.datetime(),
    uploadExpiresAt: z.iso.datetime().optional(),
    resultUrl: z
      .string()
      .optional()
      .describe('URL of the full analysis (`ScanAnalysis`), valid for an hour.'),
    result: result.optional(),
    error: scanFailure.optional(),
  })
  .meta({ id: 'ScanJob' });

/** Describes the result of `stateJson`. */
export const scanEventSchema = scanSchema
  .omit({ created_at: true })
  .meta({ id: 'ScanEvent', description: 'The state of a scan, in `data` of a message of the stream.' });

/** One message of the stream, as parsers of Server-Sent Events return it. */
export const scanMessageSchema = z
  .object({
    id: z.string().optional().describe('For `Last-Event-ID`.'),
    event: z.literal('message').optional().describe('Not sent: what readers call a message without a name.'),
    data: z.string().meta({
      contentMediaType: 'application/json',
      contentSchema: { $ref: '#/components/schemas/ScanEvent' },
    }),
  })
  .meta({ id: 'ScanMessage', description: 'One message of the stream.' });

export const jobParams = z.object({
  jobId: z.string().describe('Id of a scan job.').meta({ example: EXAMPLE_SCAN.id }),
});

export type ScanObject = z.infer<typeof scanSchema>;

/** The job with the names of foods of the catalogue in the first language that has one. */
export function scanInLanguages(
  job: ScanJob,
  foods: FoodDirectory,
  languages: readonly FoodLanguage[],
): ScanJob {
  if (languages.length === 0 || job.result === undefined) return job;
  const named = <Named extends { readonly name: string; readonly foodId?: FoodId }>(food: Named): Named => {
    const { foodId: id, name } = food;
    const local = id === undefined ? undefined : foods.nameInLanguages({ id, name }, languages);
    return local === undefined ? food : { ...food, name: local.name };
  };
  const items = job.result.items.map((each) => ({
    ...named(each),
    alternatives: each.alternatives.map(named),
  }));
  const { receipt } = job.result;
  if (receipt !== undefined) {
    const lines = receipt.lines.map((line) => (line.food ? { ...line, food: named(line.food) } : line));
    return { ...job, result: { ...job.result, name: receiptName({ lines }), receipt: { lines } } };
  }
  return { ...job, result: { ...job.result, name: joinedNames(items), items } };
}

/** The job for readers who may not read the diary of its owner. */
export function withoutHabits(job: ScanJob): ScanJob {
  if (job.result === undefined) return job;
  const items = job.result.items.map(withoutReasons);
  return { ...job, result: { ...job.result, items } };
}

/** The current state of the job, for polling. */
export function scanObject(job: ScanJob, resultUrl: string | undefined): ScanObject {
  return {
    jobId: job.id,
    status: job.status,
    created_at: isoTime(job.createdAtMs),
    ...(job.status === 'upload_pending' && { uploadExpiresAt: isoTime(job.uploadExpiresAtMs) }),
    ...outcome(job, resultUrl),
  };
}

/** A message of the stream: one state of the job. */
export function stateJson(
  job: ScanJob,
  status: ScanJob['status'],
  resultUrl: string | undefined,
): Omit<ScanObject, 'created_at'> {
  return {
    status,
    jobId: job.id,
    ...(status === 'upload_pending' && { uploadExpiresAt: isoTime(job.uploadExpiresAtMs) }),
    ...(status === job.status && outcome(job, resultUrl)),
  };
}

function outcome({ result, failure }: ScanJob, resultUrl: string | undefined) {
  return {
    ...(resultUrl !== undefined && { resultUrl }),
    ...(result !== undefined && { result: resultJson(result) }),
    ...(failure !== undefined && { error: failure }),
  };
}

/** Sums of the plate that the contract names. */
const PLATE_FIELDS = ['calories', 'protein', 'carbs', 'fat'] as const;

function resultJson({ items, receipt, ...plate }: ScanResult): z.infer<typeof result> {
  const { nutrients, unknown: amounts = [] } = sumOfNutrients(
    items.map(({ macros }) => macros),
    PLATE_FIELDS,
  );
  const isWeighed = items.every(({ weightUnknown }) => weightUnknown === undefined);
  const unknown = [...amounts, ...(isWeighed ? [] : (['servingSize'] as const))];
  return {
    ...plate,
    nutrients,
    unknown: unknown.length === 0 ? undefined : unknown,
    items: items.map(itemJson),
    ...(receipt !== undefined && { receipt: { lines: [...receipt.lines] } }),
  };
}

function itemJson(item: ScanItem): z.infer<typeof result>['items'][number] {
  const { serving, servingGrams: _, servingRangeGrams, macros: exact, alternatives, ...same } = item;
  const macros = Object.fromEntries(
    NUTRIENT_KEYS.flatMap((key) => (exact[key] === undefined ? [] : [[key, round(exact[key])]])),
  ) as z.infer<typeof macrosSchema>;
  return {
    ...same,
    servingSize: serving,
    ...(servingRangeGrams !== undefined && { servingRange: servingRangeGrams }),
    macros,
    nutrients: macros,
    alternatives: [...alternatives],
  };
}
