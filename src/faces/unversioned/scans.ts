import { z } from 'zod';
import { BODY_LIMITS } from '../../api/body-limits.ts';
import { nutrientsSchema } from '../../api/nutrients.ts';
import {
  EXAMPLE_SCAN,
  EXAMPLE_UPLOAD_URL,
  type ScanObject,
  scanFailure,
  scanObject,
  unknownProducts,
} from '../../api/scans/scan-json.ts';
import {
  type CreatedScan,
  createScan as create,
  getScan as get,
  newScanFields,
  parseImageType,
} from '../../api/scans/scans.ts';
import { unversioned } from './face.ts';
import { macrosInWords, macrosSchema, servingSchema } from './foods.ts';

const TAG = 'Scans (unversioned)';

const createScan = unversioned(create, {
  id: 'createScan',
  path: '/scan/image',
  tag: TAG,
  description: create.description!,
  body: {
    schema: z
      .strictObject(newScanFields)
      .meta({ id: 'UnversionedScanInput' })
      .transform((scan) => ({
        ...scan,
        contentType: parseImageType(scan.contentType),
        imageType: 'photo' as const,
      })),
    example: { clientId: 'acme', contentType: 'image/jpeg' },
    limit: BODY_LIMITS.fields,
  },
  answer: {
    schema: z
      .object({
        jobId: z.string(),
        uploadUrl: z.string().describe('PUT the bytes of the image here, with the announced Content-Type.'),
      })
      .meta({ id: 'UnversionedCreatedScan' }),
    example: { jobId: EXAMPLE_SCAN.id, uploadUrl: EXAMPLE_UPLOAD_URL },
  },
  inWords: ({ jobId, uploadUrl }: CreatedScan) => ({ jobId, uploadUrl }),
});

const item = z
  .object({
    name: z.string(),
    unsure: z.literal(true).optional().describe('Ask the user whether it is this.'),
    serving: servingSchema,
    macros: macrosSchema.describe('Amounts in the serving.'),
    nutrients: nutrientsSchema.describe('Amounts in `serving`.'),
  })
  .meta({ id: 'UnversionedScanItem' });

const scanSchema = z
  .object({
    status: z.enum(['processing', 'complete', 'failed']),
    result: z
      .object({ items: z.array(item), unknownProducts: unknownProducts.optional() })
      .meta({ id: 'UnversionedScanResult' })
      .optional(),
    error: scanFailure.optional(),
  })
  .meta({ id: 'UnversionedScan' });

const getScan = unversioned(get, {
  id: 'getScan',
  path: '/scan/image/:jobId',
  tag: TAG,
  summary: 'Get the result of a scan',
  answer: {
    description: '`processing` until there is a result.',
    schema: scanSchema,
    example: JSON.parse(JSON.stringify(scanInWords(scanObject(EXAMPLE_SCAN, undefined)))),
  },
  inWords: scanInWords,
});

/** `processing` until there is a result, whether the image has arrived or not. */
function scanInWords({ result, error }: ScanObject): z.infer<typeof scanSchema> {
  if (error !== undefined) return { status: 'failed', error };
  if (result === undefined) return { status: 'processing' };
  const items = result.items.map(({ name, unsure, servingSize: { value, unit }, macros, nutrients }) => ({
    name,
    unsure,
    serving: { amount: value, unit },
    macros: macrosInWords(macros),
    nutrients,
  }));
  return { status: 'complete', result: { items, unknownProducts: result.unknownProducts } };
}

export const unversionedScans = [createScan, getScan] as const;
