import { AppError } from '@larder/core/errors.ts';
import type { Diary, WriteRequest } from './diary.ts';
import type { EntryInput } from './entry-input.ts';
import { type DiaryEntry, type DiaryOwner, MAIN_AMOUNTS } from './records/entry.ts';
import type { RecordBody } from './records/user-record.ts';

/** The place of a logged meal. */
export type MealPlace = Pick<EntryInput, 'date' | 'mealType' | 'eatenAt'>;

/**
 * Writes an entry for each item of a saved meal: all or none. Amounts of foods and recipes are computed anew; where one no longer
 * exists, those of the time of saving count.
 */
export async function logMeal(
  owner: DiaryOwner,
  meal: RecordBody,
  place: MealPlace,
  diary: Diary,
  request: WriteRequest,
): Promise<DiaryEntry[]> {
  const items = meal['items'] as readonly RecordBody[];
  const inputs = items.map((item) => ({ ...place, ...entryOf(item) }) as EntryInput);
  // Each attempt replaces one item.
  for (;;) {
    try {
      return await diary.create(owner, inputs, { ...request, isList: true });
    } catch (error) {
      const lost = lostItem(error);
      if (lost === undefined || items[lost]?.['calories'] === undefined || inputs[lost]!.foodName)
        throw error;
      inputs[lost] = { ...place, ...withoutFood(items[lost]) } as EntryInput;
    }
  }
}

/** An item as the fields of an entry: by its food, or by its amounts. */
function entryOf(item: RecordBody): RecordBody {
  if (item['foodId'] === undefined && item['recipeId'] === undefined) return item;
  const { foodName: _, barcode: __, nutrients: ___, ...fields } = item;
  return Object.fromEntries(
    Object.entries(fields).filter(([field]) => !(MAIN_AMOUNTS as readonly string[]).includes(field)),
  );
}

function withoutFood({ foodId: _, recipeId: __, barcode: ___, ...item }: RecordBody): RecordBody {
  return item;
}

/** The item whose food or recipe does not exist. */
function lostItem(error: unknown): number | undefined {
  if (!(error instanceof AppError)) return undefined;
  const { code, details } = error;
  return code === 'food_not_found' || code === 'recipe_not_found' ? (details['index'] as number) : undefined;
}
