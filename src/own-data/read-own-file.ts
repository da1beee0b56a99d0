import { openNutrientColumns } from '../foods/import/table/nutrient-columns.ts';
import { type FoodTableTask, readFoodTable } from './foods/food-table.ts';
import { Reading } from './import/reading.ts';
import type { ImportFormat } from './import-options.ts';
import { readTableFile, readUserFile, type UserFileTask } from './read-user-file.ts';
import type { ReadDraft } from './records/record-fields.ts';

/** What a file holds, and how it is to be read; plain data. */
export type FileTask =
  | ({ readonly kind: 'user' } & UserFileTask)
  | ({ readonly kind: 'foods' } & FoodTableTask);

export interface FileContent {
  readonly format: ImportFormat | 'foods';
  readonly reading: Reading;
}

/**
 * Reads a file that somebody sent. It may take seconds, so it runs outside of the threads that answer requests. Throws
 * `invalid_request`.
 */
export async function readOwnFile(bytes: Buffer, task: FileTask, readDraft: ReadDraft): Promise<FileContent> {
  const reading = new Reading();
  if (task.kind === 'user')
    return { format: await readUserFile(bytes, reading, { ...task, readDraft }), reading };
  const table = await readTableFile(bytes, reading);
  readFoodTable(reading, { ...task, table, nutrientOf: await openNutrientColumns(), readDraft });
  return { format: 'foods', reading };
}
