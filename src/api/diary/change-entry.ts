import { AppError } from '@larder/core/errors.ts';
import { FOOD_LANGUAGES, type FoodLanguage } from '@larder/core/food-languages.ts';
import { NUTRIENT_UNITS } from '@larder/core/nutrients.ts';
import { z } from 'zod';
import type { Diary } from '../../diary/diary.ts';
import type { EntryChange } from '../../diary/entry-input.ts';
import { type DiaryEntry, type DiaryOwner, MAX_BATCH_ENTRIES } from '../../diary/records/entry.ts';
import type { FoodDirectory } from '../../foods/visible-foods.ts';
import { ownerOf } from '../acting-user.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { applyChange, ifMatch, withConflictDetails } from '../etag.ts';
import { withoutReadOnly, withoutUnknown } from '../fields.ts';
import { operation } from '../operation.ts';
import { DIARY_TAG, diaryWrite, EXAMPLE_ENTRY, entryParams, userParams } from './diary-docs.ts';
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
import { entryObject, entryOutcome, entrySchema, READ_ONLY, withLocalNames } from './entry-json.ts';

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
      const unit = NUTRIENT_UNITS[key];
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

interface Ports {
  readonly diary: Diary;
  readonly foods: FoodDirectory;
}

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
  method: 'PATCH',
  path: '/v1/users/:userId/diary/:entryId',
  id: 'changeDiaryEntry',
  tag: DIARY_TAG,
  summary: 'Change an entry',
  description:
    'Send only the fields that change. With If-Match the change succeeds only if nobody else has changed the entry.',
  access: diaryWrite,
  counts: 'diaryWrite',
  params: entryParams,
  headers: ifMatch,
  body: { schema: entryChangeSchema, example: { mealType: 'dinner' }, limit: BODY_LIMITS.item },
  answer: {
    description: 'The entry as it is now, with its ETag.',
    headers: ['ETag'],
    schema: entrySchema,
    example: { ...EXAMPLE_ENTRY, mealType: 'dinner' },
  },
  errors: ['diary_entry_not_found', 'version_conflict'],
  handle: async (request, ports: Ports) => {
    const owner = ownerOf(request);
    const { params, headers, body: change, raw } = request;
    const stated = { change, raw: raw.body, version: headers['If-Match'] };
    return entryOutcome(await changed(owner, params.entryId, stated, ports), owner);
  },
});

const shared = {
  tag: DIARY_TAG,
  access: diaryWrite,
  counts: 'diaryWrite',
  params: userParams,
} as const;
const EXAMPLE_REF = { id: EXAMPLE_ENTRY.id, version: 1 };

export const changeEntries = operation({
  ...shared,
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
  ...shared,
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
