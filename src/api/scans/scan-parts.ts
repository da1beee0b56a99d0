import type { FoodId } from '@larder/core/food.ts';
import { z } from 'zod';
import type { Scans } from '../../scan/jobs/scans.ts';
import { SCAN_FAILURE_CODES, type ScanId, type ScanJob } from '../../scan/scan-job.ts';
import { ITEM_ORIGINS, type UnknownProduct } from '../../scan/scan-result.ts';

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

export const scanAlternatives = z.array(
  z.strictObject({ name: z.string(), foodId: z.string(), confidence }).meta({ id: 'ScanAlternative' }),
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
