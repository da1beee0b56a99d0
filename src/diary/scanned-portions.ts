import type { Food, Serving } from '../catalogue/food/food.ts';
import type { FoodDirectory } from '../catalogue/visible-foods.ts';
import { AppError } from '../errors.ts';
import type { ScanJob, ScanOwner } from '../scan/scan-job.ts';
import type { ScanItem } from '../scan/scan-result.ts';
import type { AmountBasis } from './amount-basis.ts';
import type { DiaryOwner } from './entry.ts';
import type { Portion } from './portion.ts';
import { amountsOf, snapshotAt } from './snapshot.ts';
import { invalidField } from './values/invalid-field.ts';
import { MAX_UNIT_CHARACTERS } from './values/unit-conversion.ts';
import { findStandardUnit, normaliseUnit } from './values/units.ts';

/** The diary's access to scans. */
export interface ScanLookup {
  /** Undefined if the viewer may see none with this id. */
  find(viewer: ScanOwner, jobId: string): Promise<ScanJob | undefined>;
}

export interface ScannedPorts {
  readonly scans: ScanLookup;
  readonly foods: Pick<FoodDirectory, 'findById'>;
}

/** A portion for each item of a completed scan. Scans of other users do not exist. */
export async function scannedPortions(
  jobId: string,
  { owner, viewer }: { readonly owner: DiaryOwner; readonly viewer: ScanOwner },
  { scans, foods }: ScannedPorts,
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
  return Promise.all(
    job.result.items.map(async (item) => {
      const food = item.foodId === undefined ? undefined : await foods.findById(owner, item.foodId);
      return toPortion(item, food);
    }),
  );
}

function toPortion(item: ScanItem, food: Food | undefined): Portion {
  const { name, foodId, barcode, serving, servingGrams, macros } = item;
  const isUnit = serving.unit.length <= MAX_UNIT_CHARACTERS;
  const quantity = isUnit ? serving.value : servingGrams;
  const unit = isUnit ? serving.unit : 'g';
  const basis = { amounts: amountsOf(macros), quantity, unit, food: convertible(item, food) };
  return {
    foodName: name,
    ...snapshotAt(basis, quantity, unit, name),
    ...(foodId !== undefined && { foodId }),
    ...(barcode !== undefined && { barcode }),
    quantity,
    unit,
  };
}

/** The food's servings, then the scanned one, which only a label may state. */
function convertible(
  { serving, servingGrams }: ScanItem,
  food: Food | undefined,
): NonNullable<AmountBasis['food']> {
  const scanned: Serving = { ...serving, basisAmount: servingGrams };
  return {
    basis: food?.basis ?? findStandardUnit(normaliseUnit(serving.unit))?.basis ?? 'g',
    servings: food === undefined ? [scanned] : [...food.servings, scanned],
  };
}

function unusable(status: ScanJob['status'], message: string): AppError {
  return invalidField('scanJobId', message, { status });
}
