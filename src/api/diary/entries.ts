import { AppError } from '@larder/core/errors.ts';
import { FOOD_LANGUAGES, type FoodLanguage } from '@larder/core/food-languages.ts';
import { REGISTRY_UNITS } from '@larder/core/nutrients.ts';
import { z } from 'zod';
import { SLICE_ENTRIES } from '../../base/background-work.ts';
import { RECORD_ID_FORM } from '../../base/time-ordered-id.ts';
import type { Diary } from '../../diary/diary.ts';
import type { EntryChange } from '../../diary/entry-input.ts';
import { type Day, type DayRange, oneDay, parseDay, parseDayRange } from '../../diary/records/day.ts';
import { type DiaryEntry, type DiaryOwner, MAX_BATCH_ENTRIES } from '../../diary/records/entry.ts';
import type { EntryPosition } from '../../diary/store/diary-store.ts';
import type { FoodDirectory } from '../../foods/visible-foods.ts';
import { ownerOf, sharersOf } from '../acting-user.ts';
import { listAnswer, newRecordAnswer, recordAnswer } from '../answers.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { applyChange, ifMatch, ifNoneMatch, NOT_MODIFIED_ANSWER, withConflictDetails } from '../etag.ts';
import { withoutReadOnly, withoutUnknown } from '../fields.ts';
import { langQuery, langText } from '../foods/food-query.ts';
import { invalidCursor, listOutcome, pageOf, pageQueryOf } from '../lists.ts';
import { operation } from '../operation.ts';
import { dateText, WHAT_KNOWN_IDS_ANSWER } from '../text-schemas.ts';
import {
  diaryReading,
  diaryWriting,
  EXAMPLE_ENTRY,
  EXAMPLE_NEW_ENTRY,
  entryParams,
  NEW_ENTRY_ERRORS,
  rangeFields,
  userParams,
} from './diary-docs.ts';
import {
  addedMethod,
  calories,
  eatenAt,
  foodName,
  grams,
  mealType,
  note,
  nutrientsInput,
  quantity,
  realDate,
  sodium,
  unit,
} from './diary-fields-schema.ts';
import { newEntriesSchema, newEntrySchema, oneEntrySchema } from './entry-input.ts';
import {
  entriesOutcome,
  entryObject,
  entryOutcome,
  entrySchema,
  READ_ONLY,
  withLocalNames,
} from './entry-json.ts';

/** Size of each thread's response cache for lists. */
const MAX_CACHE_BYTES = 16 * 2 ** 20;
/** A range has many entries: a month some 300. */
const RANGE_LIMITS = { byDefault: 100, max: 500 };

interface Ports {
  readonly diary: Diary;
  readonly foods: FoodDirectory;
}

const shared = {
  ...diaryReading,
  method: 'GET',
  params: userParams,
} as const;

/** Converts entries as the query asks for them. */
function presenterOf(
  lang: readonly FoodLanguage[],
  { userId }: DiaryOwner,
  foods: FoodDirectory,
): (entry: DiaryEntry) => object {
  const inLanguages = withLocalNames(foods, lang);
  return (entry) => inLanguages(entryObject(entry, userId));
}

export const listEntries = operation({
  ...shared,
  path: '/v1/users/:userId/diary',
  id: 'listDiaryEntries',
  summary: 'List the entries of a day',
  description: 'All of them. Days in pages: `…/diary/entries`.',
  query: z.object({ ...langQuery.shape, date: dateText.describe('The day.') }),
  answer: {
    description: 'In the order of writing.',
    schema: z.array(entrySchema),
    example: [EXAMPLE_ENTRY],
  },
  keeps: {
    maxBytes: MAX_CACHE_BYTES,
    placeOf(request, { diary }: Ports) {
      const { date, lang } = request.query;
      // Names follow the catalogue, which the revision does not cover.
      if (lang.length > 0) return undefined;
      const owner = ownerOf(request);
      const revision = diary.hint(owner);
      return revision === undefined
        ? undefined
        : { key: `${owner.tenant} ${owner.userId} ${date}`, revision };
    },
  },
  handle: async (request, { diary, foods }: Ports) => {
    const owner = ownerOf(request);
    const entries = await diary.list(owner, oneDay(parseDay(request.query.date)));
    return listOutcome(entries, SLICE_ENTRIES, presenterOf(request.query.lang, owner, foods));
  },
});

export const listEntriesOfRange = operation({
  ...shared,
  path: '/v1/users/:userId/diary/entries',
  id: 'listDiaryEntriesOfRange',
  summary: 'List the entries of a range of days',
  query: pageQueryOf(`\\d{4}-\\d{2}-\\d{2}\\.${RECORD_ID_FORM}`, RANGE_LIMITS).extend({
    ...langQuery.shape,
    ...rangeFields,
  }),
  answer: listAnswer(
    'By day, then in the order of writing, with the address of the next page in Link.',
    entrySchema,
    EXAMPLE_ENTRY,
  ),
  handle: async (request, { diary, foods }: Ports) => {
    const owner = ownerOf(request);
    const { lang, from, to, ...query } = request.query;
    const range = parseDayRange(from, to);
    return pageOf(
      { ...query, from, to, lang: langText(lang) },
      ({ after, limit }) => diary.listPage(owner, { range, limit, ...positionOf(after, range) }),
      presenterOf(request.query.lang, owner, foods),
      { cursorOf: ({ date, id }) => `${date}.${id}`, sliceSize: SLICE_ENTRIES },
    );
  },
});

/** Reads a cursor: the date and id of the last entry, which position the next page even if that entry is deleted. */
function positionOf(cursor: string, { from, to }: DayRange): { readonly after?: EntryPosition } {
  if (cursor === '') return {};
  const [date, id] = cursor.split('.') as [Day, string];
  if (date < from || date > to) throw invalidCursor();
  return { after: { date, id } };
}

export const getEntry = operation({
  ...diaryReading,
  method: 'GET',
  path: '/v1/users/:userId/diary/:entryId',
  id: 'getDiaryEntry',
  summary: 'Read an entry',
  params: entryParams,
  query: langQuery,
  headers: ifNoneMatch,
  answer: recordAnswer('The entry, with its ETag.', entrySchema, EXAMPLE_ENTRY),
  empty: NOT_MODIFIED_ANSWER,
  errors: ['diary_entry_not_found'],
  handle: async (request, { diary, foods }: { diary: Diary; foods: FoodDirectory }) => {
    const owner = ownerOf(request);
    const entry = await diary.get(owner, request.params.entryId);
    const value = withLocalNames(foods, request.query.lang)(entryObject(entry, owner.userId));
    return { value, version: entry.version };
  },
});

export const createEntry = operation({
  ...diaryWriting,
  method: 'POST',
  path: '/v1/users/:userId/diary',
  id: 'createDiaryEntry',
  summary: 'Add a diary entry',
  description: 'Several at once: `…/diary/batch`; a text: `…/diary/text`; a scan: `…/diary/scan`.',
  params: userParams,
  body: {
    schema: oneEntrySchema,
    described: newEntrySchema,
    example: EXAMPLE_NEW_ENTRY,
    limit: BODY_LIMITS.item,
  },
  answer: newRecordAnswer('The entry, with Location and ETag.', entrySchema, EXAMPLE_ENTRY),
  errors: [...NEW_ENTRY_ERRORS, 'deleted'],
  handle: async (request, { diary }: { diary: Diary }) => {
    const { caller, body, ids } = request;
    const owner = ownerOf(request);
    const { entries, isNew } = await diary.write(owner, [body], { ids, sharers: sharersOf(caller) });
    const [entry] = entries;
    return { ...entryOutcome(entry!, owner), created: entry!.id, status: isNew ? undefined : 200 };
  },
});

export const createEntries = operation({
  ...diaryWriting,
  method: 'POST',
  path: '/v1/users/:userId/diary/batch',
  id: 'createDiaryEntries',
  summary: 'Add several diary entries',
  description: `Up to ${MAX_BATCH_ENTRIES} entries, 1 MiB together: all of them or none.`,
  params: userParams,
  body: { schema: newEntriesSchema, example: [EXAMPLE_NEW_ENTRY], limit: BODY_LIMITS.batch },
  answer: {
    status: 201,
    known: WHAT_KNOWN_IDS_ANSWER,
    description: 'The entries.',
    schema: z.array(entrySchema),
    example: [EXAMPLE_ENTRY],
  },
  errors: [...NEW_ENTRY_ERRORS, 'deleted'],
  handle: async (request, { diary }: { diary: Diary }) => {
    const { caller, body, ids } = request;
    const owner = ownerOf(request);
    const { entries, isNew } = await diary.write(owner, body, {
      ids,
      sharers: sharersOf(caller),
      isList: true,
    });
    return { ...entriesOutcome(entries, owner), status: isNew ? undefined : 200 };
  },
});

const fields = z
  .strictObject({
    date: realDate.optional(),
    mealType: mealType.optional(),
    foodName: foodName.optional(),
    calories: calories.optional(),
    protein: grams.nullable().optional().describe('g; null makes it unknown'),
    carbs: grams.nullable().optional().describe('g; null makes it unknown'),
    fat: grams.nullable().optional().describe('g; null makes it unknown'),
    fiber: grams.nullable().optional().describe('g; null makes it unknown'),
    sodium: sodium.nullable().optional().describe('mg; null makes it unknown'),
    nutrients: nutrientsInput('NutrientsPatch', (amount, key) => {
      const unit = REGISTRY_UNITS[key];
      return key === 'energy'
        ? amount.optional()
        : amount.nullable().optional().describe(`${unit}; null makes it unknown`);
    })
      .optional()
      .describe('Only those that change.'),
    addedMethod: addedMethod.optional(),
    quantity: quantity
      .optional()
      .describe('The amounts are computed from it. If any amount is given too, the others do not change.'),
    unit: unit.optional(),
    eatenAt: eatenAt.nullable().optional().describe('null removes it'),
    note: note.nullable().optional().describe('null removes it'),
    lang: z
      .enum(FOOD_LANGUAGES)
      .optional()
      .describe('Language of `foodName`, as it was read: a name that was only translated stays.'),
  })
  .meta({
    id: 'DiaryEntryPatch',
    description: 'An entry can be sent back as it was read. Amounts that it lists as `unknown` stay unknown.',
  });
type StatedChange = EntryChange & { readonly lang?: FoodLanguage };
const withUnknown = (body: Readonly<Record<string, unknown>>) => withoutUnknown(body, body['unknown'], null);
const entryChangeSchema = withoutReadOnly(fields, READ_ONLY, withUnknown) as z.ZodType<StatedChange>;

/** An entry of a batch; without a version whichever it has. */
const entryRef = {
  id: z.string(),
  version: z
    .int()
    .min(1)
    .optional()
    .describe('The change succeeds only if the entry still has this version.'),
};
type EntryRef = { readonly id: string; readonly version?: number | undefined };
const namedChangeSchema = withoutReadOnly(
  fields.extend(entryRef).meta({ id: 'DiaryEntryBatchPatch' }),
  READ_ONLY.filter((field) => !(field in entryRef)),
  withUnknown,
) as z.ZodType<StatedChange & EntryRef>;

const batchOf = <Schema extends z.ZodType>(item: Schema) => z.array(item).min(1).max(MAX_BATCH_ENTRIES);

const outcomeFields = {
  id: z.string().describe('As it was sent.'),
  error: z
    .object({
      code: z.string().describe('As of the operation on one entry, such as `version_conflict`.'),
      message: z.string().describe('For a person; may change.'),
      details: z.record(z.string(), z.unknown()),
    })
    .meta({ id: 'BatchItemError' })
    .optional()
    .describe('Why nothing was done with this entry; absent if it was.'),
};
const changeOutcome = z
  .object({ ...outcomeFields, entry: entrySchema.optional().describe('As it is now.') })
  .meta({ id: 'DiaryEntryChangeOutcome' });
const deletionOutcome = z.object(outcomeFields).meta({ id: 'DiaryEntryDeletionOutcome' });

/** Changes one entry; `raw` is the change before the schema. */
async function changed(
  owner: DiaryOwner,
  id: string,
  {
    change,
    raw,
    version,
  }: { readonly change: StatedChange; readonly raw: unknown; readonly version: number | undefined },
  { diary, foods }: Ports,
): Promise<DiaryEntry> {
  const readCurrent = async () => entryObject(await diary.get(owner, id), owner.userId);
  const { lang, foodName, ...others } = change;
  const isTranslated =
    lang !== undefined && foodName === withLocalNames(foods, [lang])(await readCurrent()).foodName;
  const body = isTranslated ? others : { ...others, foodName };
  return applyChange(
    { raw: { body: raw } },
    { readOnly: READ_ONLY, readCurrent, change: () => diary.change(owner, id, body, version) },
  );
}

/** Runs `step` for each item of a batch, in sequence, and returns its outcome or error. */
async function outcomesOf<Item extends EntryRef>(
  items: readonly Item[],
  step: (item: Item, at: number) => Promise<object>,
): Promise<object[]> {
  const outcomes: object[] = [];
  for (const [at, item] of items.entries()) {
    try {
      outcomes.push({ id: item.id, ...(await step(item, at)) });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const { code, message, details } = error;
      outcomes.push({ id: item.id, error: { code, message, details } });
    }
  }
  return outcomes;
}

export const changeEntry = operation({
  ...diaryWriting,
  method: 'PATCH',
  path: '/v1/users/:userId/diary/:entryId',
  id: 'changeDiaryEntry',
  summary: 'Change an entry',
  description:
    'Send only the fields that change. With If-Match the change succeeds only if nobody else has changed the entry.',
  params: entryParams,
  headers: ifMatch,
  body: { schema: entryChangeSchema, example: { mealType: 'dinner' }, limit: BODY_LIMITS.item },
  answer: recordAnswer('The entry as it is now, with its ETag.', entrySchema, {
    ...EXAMPLE_ENTRY,
    mealType: 'dinner',
  }),
  errors: ['diary_entry_not_found', 'version_conflict'],
  handle: async (request, ports: Ports) => {
    const owner = ownerOf(request);
    const { params, headers, body: change, raw } = request;
    const stated = { change, raw: raw.body, version: headers['If-Match'] };
    return entryOutcome(await changed(owner, params.entryId, stated, ports), owner);
  },
});

const sharedOfBatches = {
  ...diaryWriting,
  params: userParams,
} as const;
const EXAMPLE_REF = { id: EXAMPLE_ENTRY.id, version: 1 };

export const changeEntries = operation({
  ...sharedOfBatches,
  method: 'PATCH',
  path: '/v1/users/:userId/diary/batch',
  id: 'changeDiaryEntries',
  summary: 'Change several entries',
  description: `Up to ${MAX_BATCH_ENTRIES}, each by itself: the answer says what became of each. Send \`id\`, the fields that change, and \`version\` to change only what you know.`,
  body: {
    schema: batchOf(namedChangeSchema),
    example: [{ ...EXAMPLE_REF, mealType: 'dinner' }],
    limit: BODY_LIMITS.batch,
  },
  answer: {
    description: 'The entry or the error of each, in the same order.',
    schema: z.array(changeOutcome),
    example: [{ id: EXAMPLE_ENTRY.id, entry: { ...EXAMPLE_ENTRY, version: 2, mealType: 'dinner' } }],
  },
  handle: async (request, ports: Ports) => {
    const owner = ownerOf(request);
    const raw = request.raw.body as readonly unknown[];
    return {
      value: await outcomesOf(request.body, async ({ id, version, ...change }, at) => {
        const entry = await changed(owner, id, { change, raw: withoutId(raw[at]), version }, ports);
        return { entry: entryObject(entry, owner.userId) };
      }),
    };
  },
});

/** The id of an element names it, in upper or lower case. */
function withoutId(item: unknown): object {
  const { id: _, ...others } = item as Readonly<Record<string, unknown>>;
  return others;
}

export const deleteEntries = operation({
  ...sharedOfBatches,
  method: 'POST',
  path: '/v1/users/:userId/diary/batch/delete',
  id: 'deleteDiaryEntries',
  summary: 'Delete several entries',
  description: `Up to ${MAX_BATCH_ENTRIES}, each by itself: the answer says what became of each. With \`version\` only if the entry still has it.`,
  body: {
    schema: batchOf(z.strictObject(entryRef).meta({ id: 'DiaryEntryRef' })),
    example: [EXAMPLE_REF],
    limit: BODY_LIMITS.batch,
  },
  answer: {
    description: 'The id of each, in the same order, and the error of those that were not deleted.',
    schema: z.array(deletionOutcome),
    example: [{ id: EXAMPLE_ENTRY.id }],
  },
  handle: async (request, { diary }: { diary: Diary }) => {
    const owner = ownerOf(request);
    return {
      value: await outcomesOf(request.body, async ({ id, version }) => {
        await withConflictDetails(diary.remove(owner, id, version), async () =>
          entryObject(await diary.get(owner, id), owner.userId),
        );
        return {};
      }),
    };
  },
});

export const deleteEntry = operation({
  ...diaryWriting,
  method: 'DELETE',
  path: '/v1/users/:userId/diary/:entryId',
  id: 'deleteDiaryEntry',
  summary: 'Delete an entry',
  description: 'With If-Match the deletion succeeds only if nobody else has changed the entry.',
  params: entryParams,
  headers: ifMatch,
  answer: { status: 204, description: 'The entry is deleted.' },
  errors: ['diary_entry_not_found', 'version_conflict'],
  handle: async (request, { diary }: { diary: Diary }) => {
    const owner = ownerOf(request);
    const { entryId } = request.params;
    await withConflictDetails(diary.remove(owner, entryId, request.headers['If-Match']), async () =>
      entryObject(await diary.get(owner, entryId), owner.userId),
    );
  },
});
