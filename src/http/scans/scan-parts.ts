import { z } from 'zod';
import type { Scans } from '../../scan/jobs/scans.ts';
import type { ScanJob } from '../../scan/scan-job.ts';
import { ITEM_ORIGINS } from '../../scan/scan-result.ts';

// What the answers of several scan operations are made of.

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
export function toPublicUrl(address: string, origin: string): string {
  return address.startsWith('/') ? origin + address : address;
}

/** Where the full analysis of a scan can be read; undefined where there is none. */
export async function resultUrlOf(scans: Scans, job: ScanJob, origin: string): Promise<string | undefined> {
  const address = await scans.resultAddress(job);
  return address && toPublicUrl(address, origin);
}
