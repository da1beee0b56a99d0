import { setImmediate as nextTurn } from 'node:timers/promises';
import { SLICE_RECIPES } from '../base/background-work.ts';
import type { Diary } from '../diary/diary.ts';
import type { GoalBook } from '../diary/goal-book.ts';
import type { MeasurementBook } from '../diary/measurement-book.ts';
import type { RecipeBook } from '../diary/recipe-book.ts';
import type { RecordBook } from '../diary/record-book.ts';
import type { DiaryOwner } from '../diary/records/entry.ts';
import { toGoalFields } from '../diary/records/goals.ts';
import { KINDS } from '../diary/records/record-kinds.ts';
import type { KeptPhoto } from '../diary/store/remembered-photo-store.ts';
import type { CustomFoodWriter } from '../foods/custom/custom-food-writer.ts';
import { EXPORT_VERSION } from './import-options.ts';
import { toDescribedRecord } from './records/described-record.ts';
import { toEntryRecord } from './records/entry-record.ts';
import { toRecipeRecord } from './records/recipe-record.ts';
import { toFoodRecord, toMeasurementRecord } from './records/record-fields.ts';

const FOODS_AT_ONCE = 1_000;
const MEASUREMENTS_AT_ONCE = 1_000;
const PHOTOS_AT_ONCE = 1_000;
/** Saved meals are long. */
const RECORDS_AT_ONCE = 50;

export interface ExportPorts {
  readonly diary: Diary;
  readonly recipes: RecipeBook;
  readonly goals: GoalBook;
  readonly measurements: MeasurementBook;
  readonly records: RecordBook;
  readonly customFoods: CustomFoodWriter;
}

/**
 * All data of a user, as JSON lines: custom foods, recipes, goals, measurements, records of all kinds and entries, each
 * in the order of ids or dates; another service that imports them exports the same lines. Then what is kept of photos, which none imports.
 */
export async function* exportLines(ports: ExportPorts, owner: DiaryOwner): AsyncGenerator<string> {
  const { diary, recipes, goals, measurements, records, customFoods } = ports;
  const { tenant, userId } = owner;
  yield line({ larderExport: EXPORT_VERSION, userId });
  for (let after = ''; ; ) {
    const page = await customFoods.list({ tenant, userId }, { after, limit: FOODS_AT_ONCE });
    const own = page.filter(({ food }) => food.userId === userId);
    for (const { food } of own) yield line({ food: toFoodRecord(food) });
    if (page.length < FOODS_AT_ONCE) break;
    after = page.at(-1)!.food.id;
  }
  for (let after = ''; ; ) {
    const page = await recipes.list(owner, { after, limit: SLICE_RECIPES });
    for (const recipe of page) yield line({ recipe: toRecipeRecord(recipe) });
    if (page.length < SLICE_RECIPES) break;
    after = page.at(-1)!.id;
    await nextTurn();
  }
  for (const stated of await goals.list(owner)) yield line({ goals: toGoalFields(stated) });
  for (let after = ''; ; ) {
    const page = await measurements.listById(owner, { after, limit: MEASUREMENTS_AT_ONCE });
    yield page.map((measurement) => line({ measurement: toMeasurementRecord(measurement) })).join('');
    if (page.length < MEASUREMENTS_AT_ONCE) break;
    after = page.at(-1)!.id;
    await nextTurn();
  }
  for (const kind of KINDS) {
    for (let after = ''; ; ) {
      const page = await records.list(owner, kind, { after, limit: RECORDS_AT_ONCE });
      yield page.map((record) => line({ [kind.name]: toDescribedRecord(kind.name, record) })).join('');
      if (page.length < RECORDS_AT_ONCE) break;
      after = page.at(-1)!.id;
      await nextTurn();
    }
  }
  for await (const page of diary.export(owner))
    yield page.map((entry) => line({ entry: toEntryRecord(entry) })).join('');
  for (let after = ''; ; ) {
    const page = await diary.listPhotos(owner, { after, limit: PHOTOS_AT_ONCE });
    yield page.map((photo) => line({ photo: toPhotoRecord(photo) })).join('');
    if (page.length < PHOTOS_AT_ONCE) break;
    after = page.at(-1)!.id;
    await nextTurn();
  }
}

function toPhotoRecord({ id, foodId, date, network, vector }: KeptPhoto): object {
  return { entryId: id, foodId, date, network, vector: Buffer.from(vector).toString('base64') };
}

function line(record: object): string {
  return `${JSON.stringify(record)}\n`;
}
