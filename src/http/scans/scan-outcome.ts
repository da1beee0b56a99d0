import { z } from 'zod';
import { SCAN_FAILURE_CODES } from '../../scan/scan-job.ts';
import type { UnknownProduct } from '../../scan/scan-result.ts';

/** In results and failures of both variants. */
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
    retryable: z.boolean().describe('The same image in a new scan may succeed.'),
    unknownProducts: unknownProducts.optional(),
  })
  .meta({ id: 'ScanFailure' });
