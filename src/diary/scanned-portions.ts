import { AppError } from '../errors.ts';
import type { ScanJob, ScanOwner } from '../scan/scan-job.ts';
import type { ScanItem } from '../scan/scan-result.ts';
import { MAX_UNIT_CHARACTERS } from './convert.ts';
import type { DiaryOwner } from './entry.ts';
import { invalidField } from './invalid-field.ts';
import type { Portion } from './portion.ts';
import { amountsOf } from './snapshot.ts';

/** The diary's view of scans. */
export interface ScanLookup {
  /** Undefined where there is none that the viewer may see. */
  find(viewer: ScanOwner, jobId: string): Promise<ScanJob | undefined>;
}

/** A portion for each item of a finished scan. Another user's scan is treated as one that does not exist. */
export async function scannedPortions(
  jobId: string,
  { owner, viewer }: { readonly owner: DiaryOwner; readonly viewer: ScanOwner },
  scans: ScanLookup,
): Promise<readonly Portion[]> {
  const job = await scans.find(viewer, jobId);
  if (job === undefined || (job.userId ?? owner.userId) !== owner.userId) {
    throw new AppError({
      code: 'scan_job_not_found',
      message: 'There is no scan with this id.',
      details: { fields: ['scanJobId'] },
    });
  }
  if (job.failure !== undefined) {
    throw unusable(
      'failed',
      `This scan has failed, so there is nothing to write down: ${job.failure.message}`,
    );
  }
  if (job.result === undefined) {
    throw unusable(job.status, 'This scan is not finished yet; send it again when it is completed.');
  }
  return job.result.items.map(toPortion);
}

function toPortion(item: ScanItem): Portion {
  const { name, foodId, barcode, serving, servingGrams, macros } = item;
  const isUnit = serving.unit.length <= MAX_UNIT_CHARACTERS;
  return {
    foodName: name,
    amounts: amountsOf(macros),
    ...(foodId !== undefined && { foodId }),
    ...(barcode !== undefined && { barcode }),
    quantity: isUnit ? serving.value : servingGrams,
    unit: isUnit ? serving.unit : 'g',
  };
}

function unusable(status: ScanJob['status'], message: string): AppError {
  return invalidField('scanJobId', message, { status });
}
