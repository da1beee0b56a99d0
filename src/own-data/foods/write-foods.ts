import { AppError } from '@larder/core/errors.ts';
import type { CustomFoodWriter } from '../../foods/custom/custom-food-writer.ts';
import type { Reading, RecordKind } from '../import/reading.ts';
import { noRecords, type StopReason, type WrittenCounts } from '../import/record-writer.ts';

export interface WriteFoodsOptions {
  readonly customFoods: CustomFoodWriter;
  readonly owner: { readonly tenant: string };
  readonly isPreview: boolean;
}

/** Adds the new foods of a table, until a quota is reached. */
export async function writeFoods(
  reading: Reading,
  { customFoods, owner, isPreview }: WriteFoodsOptions,
): Promise<{
  readonly written: Record<RecordKind, WrittenCounts>;
  readonly stopped: StopReason | undefined;
}> {
  const written = noRecords();
  const { foods } = written;
  foods.found = reading.records.foods.length + reading.refused.foods;
  let stopped: StopReason | undefined;
  for (const { line, record } of reading.records.foods) {
    try {
      const { isNew } = await customFoods.restore(owner.tenant, record, isPreview);
      foods[isNew ? 'added' : 'present']++;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code === 'deleted') foods.deleted++;
      else if (error.code !== 'quota_exceeded') reading.refuse('foods', line, error);
      else {
        stopped = { code: error.code, message: error.message };
        break;
      }
    }
  }
  foods.refused = reading.refused.foods;
  foods.left = foods.found - foods.added - foods.present - foods.deleted - foods.refused;
  return { written, stopped };
}
