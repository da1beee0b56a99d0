import { type FoodId, recipeFoodId } from '@larder/core/food.ts';
import type { ScanJob } from '../scan/scan-job.ts';
import type { ScanItem } from '../scan/scan-result.ts';
import type { ScanChoice } from './entry-input.ts';
import type { DiaryEntry, DiaryOwner } from './records/entry.ts';
import type { KeptPhoto } from './store/remembered-photo-store.ts';

/**
 * What is kept of a photo whose food its owner chose, so that the food is proposed for photos like it: undefined if the model itself saw
 * the food, as then the diary alone makes it likelier.
 */
export function confirmedPhoto(
  owner: DiaryOwner,
  { userId, vector, result }: Pick<ScanJob, 'userId' | 'vector' | 'result'>,
  { items: chosen }: ScanChoice,
  [entry, ...others]: readonly Pick<DiaryEntry, 'id' | 'date' | 'foodId' | 'recipeId'>[],
): KeptPhoto | undefined {
  // The vector is that of the whole photo. A choice that nobody listed is no confirmation.
  const [item, ...beside] = result?.items ?? [];
  if (vector === undefined || chosen === undefined || item === undefined || beside.length > 0)
    return undefined;
  if (entry === undefined || others.length > 0 || userId !== owner.userId) return undefined;
  const { id, date, recipeId } = entry;
  const foodId = recipeId === undefined ? entry.foodId : recipeFoodId(recipeId);
  if (foodId === undefined || seenByModel(item).includes(foodId)) return undefined;
  return { id, foodId, date, network: vector.network, vector: Buffer.from(vector.values, 'base64') };
}

function seenByModel({ alternatives, ...item }: ScanItem): readonly (FoodId | undefined)[] {
  return [item, ...alternatives].flatMap(({ foodId, likePhoto }) =>
    likePhoto === undefined ? [foodId] : [],
  );
}
