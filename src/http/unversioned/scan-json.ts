import { round } from '@larder/core/rounding.ts';
import { z } from 'zod';
import type { ScanJob } from '../../scan/scan-job.ts';
import type { ScanItem } from '../../scan/scan-result.ts';
import { scanFailure, unknownProducts } from '../shared/scan-parts.ts';
import { macrosSchema, servingSchema } from './food-json.ts';

const item = z
  .object({
    name: z.string(),
    unsure: z.literal(true).optional().describe('Ask the user whether it is this.'),
    serving: servingSchema,
    macros: macrosSchema.describe('Amounts in the serving.'),
  })
  .meta({ id: 'UnversionedScanItem' });

/** Describes what `scanJson` makes. */
export const scanSchema = z
  .object({
    status: z.enum(['processing', 'complete', 'failed']),
    result: z
      .object({ items: z.array(item), unknownProducts: unknownProducts.optional() })
      .meta({ id: 'UnversionedScanResult' })
      .optional(),
    error: scanFailure.optional(),
  })
  .meta({ id: 'UnversionedScan' });

/** `processing` until there is an answer, whether the image has come or not. */
export function scanJson({ result, failure }: ScanJob): z.infer<typeof scanSchema> {
  if (result !== undefined) {
    const { items, unknownProducts: unknown } = result;
    return {
      status: 'complete',
      result: { items: items.map(itemJson), ...(unknown && { unknownProducts: unknown }) },
    };
  }
  if (failure !== undefined) return { status: 'failed', error: failure };
  return { status: 'processing' };
}

function itemJson({ name, unsure, serving, macros }: ScanItem): z.infer<typeof item> {
  return {
    name,
    ...(unsure && { unsure }),
    serving: { amount: serving.value, unit: serving.unit },
    macros: {
      calories: round(macros.energy),
      protein: round(macros.protein),
      carbs: round(macros.carbohydrates),
      fat: round(macros.fat),
    },
  };
}
