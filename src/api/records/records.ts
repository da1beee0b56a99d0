import { z } from 'zod';
import { RECORD_ID_FORM } from '../../base/time-ordered-id.ts';
import type { Diary } from '../../diary/diary.ts';
import { logMeal } from '../../diary/log-meal.ts';
import type { RecordBook } from '../../diary/record-book.ts';
import { parseDay } from '../../diary/records/day.ts';
import type { DiaryOwner } from '../../diary/records/entry.ts';
import { DAY, FAVOURITE, MEAL, SETTINGS } from '../../diary/records/record-kinds.ts';
import {
  bodyFields,
  type RecordBody,
  type RecordKind,
  type UserRecord,
} from '../../diary/records/user-record.ts';
import { ownerOf, sharersOf } from '../acting-user.ts';
import { listAnswer, newRecordAnswer, recordAnswer } from '../answers.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import {
  DIARY_TAG,
  diaryRead,
  diaryWrite,
  diaryWriting,
  EXAMPLE_ENTRY,
  NEW_ENTRY_ERRORS,
  userParams,
  wholeDiaryWrite,
} from '../diary/diary-docs.ts';
import { eatenAt, mealType, realDate } from '../diary/diary-fields-schema.ts';
import { entriesOutcome, entrySchema } from '../diary/entry-json.ts';
import { applyChange, ifMatch, ifNoneMatch, NOT_MODIFIED_ANSWER, withConflictDetails } from '../etag.ts';
import { withoutReadOnly } from '../fields.ts';
import { pageOf, pageQueryOf } from '../lists.ts';
import {
  type CallerAccess,
  type Operation,
  type OperationRequest,
  type Outcome,
  operation,
} from '../operation.ts';
import { chosenId, dateText } from '../text-schemas.ts';
import { recordObject, recordSchema } from './record-json.ts';

export const logSavedMeal = operation({
  ...diaryWriting,
  method: 'POST',
  path: '/v1/users/:userId/meals/:mealId/log',
  id: 'logSavedMeal',
  summary: 'Log a saved meal',
  description:
    'Writes an entry for each item: all of them or none. Amounts of foods and recipes are computed anew; where one no longer exists, those of the time of saving count.',
  params: userParams.extend({ mealId: z.string() }),
  body: {
    schema: z
      .strictObject({ date: realDate, mealType, eatenAt: eatenAt.optional() })
      .meta({ id: 'SavedMealLog' }),
    example: { date: '2026-01-31', mealType: 'lunch' },
    limit: BODY_LIMITS.fields,
  },
  answer: {
    status: 201,
    description: 'The entries.',
    schema: z.array(entrySchema),
    example: [EXAMPLE_ENTRY],
  },
  errors: NEW_ENTRY_ERRORS,
  handle: async (request, { diary, records }: { diary: Diary; records: RecordBook }) => {
    const { caller, params, body: place, ids } = request;
    const owner = ownerOf(request);
    const { body } = await records.get(owner, MEAL, params.mealId);
    const entries = await logMeal(owner, body, place, diary, { ids, sharers: sharersOf(caller) });
    return entriesOutcome(entries, owner);
  },
});

interface Ports {
  readonly records: RecordBook;
}

/** How the operations on one kind of record are presented. */
export interface RecordDocs {
  readonly kind: RecordKind;
  /** Below the user, such as `diary/days`. */
  readonly path: string;
  /** Ids of the operations end with it; that of the list with `plural`. */
  readonly name: string;
  readonly plural: string;
  /** In summaries, such as `saved meal`; `plural` in that of the list. */
  readonly noun: string;
  readonly nouns: string;
  readonly description: string;
  /** Body of a record, and a body with one changed field. */
  readonly example: RecordBody;
  readonly exampleChange: RecordBody;
  /** Maximum bytes of a body. */
  readonly limit: number;
}

const TIME = Date.UTC(2026, 0, 31, 12, 30);
const READ_ONLY = ['id', 'date', 'version', 'userId', 'createdAt', 'updatedAt'];
const EXAMPLE_IDS = { chosen: '01KG9V4N00000000000000RECD', date: '2026-01-31', one: 'settings' };

const chosenQuery = pageQueryOf(RECORD_ID_FORM);
/** The point makes a cursor of a day, which sorts after it and before the next day. */
const dayQuery = pageQueryOf('\\d{4}-\\d{2}-\\d{2}\\.').extend({
  from: dateText.optional().describe('First day.'),
  to: dateText.optional().describe('Last day.'),
});

/**
 * The operations on a kind of record. With chosen ids: create, list, read, change and delete. Records that are always there are read,
 * replaced and changed, and those of days also listed.
 */
function recordOperations(docs: RecordDocs): Operation<Ports>[] {
  const { kind, path, name, plural, noun, nouns, description, example, exampleChange, limit } = docs;
  const { ids, title } = kind;
  const collection = `/v1/users/:userId/${path}`;
  const idName = { chosen: `${kind.name}Id`, date: 'date', one: undefined }[ids];
  const idSchema = ids === 'date' ? dateText : z.string();
  // The id has another name in each kind, by which only `idIn` reads it.
  const params = (
    idName === undefined ? userParams : userParams.extend({ [idName]: idSchema })
  ) as typeof userParams;
  const idIn = (given: object) => (given as Record<string, string>)[idName ?? ''] ?? '';
  const access = kind.isPersonal ? wholeDiaryWrite : diaryWrite;
  const schema = recordSchema(kind);
  const toObject = (record: UserRecord, { userId }: DiaryOwner) => recordObject(kind, record, userId);
  const answered = (body: RecordBody, version: number) =>
    recordObject(kind, { id: EXAMPLE_IDS[ids], version, body, createdAt: TIME, updatedAt: TIME }, 'user-1');
  const changed = {
    description: `The ${noun} as it is now, with its ETag.`,
    headers: ['ETag'],
    schema,
    example: answered({ ...example, ...exampleChange }, 2),
  } as const;
  const shared = {
    path: idName === undefined ? collection : `${collection}/:${idName}`,
    tag: DIARY_TAG,
    params,
  };
  const missing = kind.notFound === undefined ? [] : [kind.notFound];
  const readOnly = READ_ONLY.filter((field) => !(field in bodyFields(kind)));

  /** Adds the current state to a conflict. */
  const written = async (
    request: OperationRequest<CallerAccess, typeof params>,
    records: RecordBook,
    change: (owner: DiaryOwner, id: string) => Promise<UserRecord>,
  ): Promise<Outcome> => {
    const owner = ownerOf(request);
    const id = idIn(request.params);
    const record = await applyChange(request, {
      readOnly,
      readCurrent: async () => toObject(await records.get(owner, kind, id), owner),
      change: () => change(owner, id),
    });
    return { value: toObject(record, owner), version: record.version };
  };

  const get = operation({
    ...shared,
    method: 'GET',
    id: `get${name}`,
    summary: `Read ${noun}`,
    description,
    access: diaryRead,
    counts: 'diaryRead',
    headers: ifNoneMatch,
    answer: recordAnswer(`The ${noun}, with its ETag.`, schema, answered(example, 1)),
    empty: NOT_MODIFIED_ANSWER,
    errors: missing,
    handle: async (request, { records }: Ports) => {
      const owner = ownerOf(request);
      const record = await records.get(owner, kind, idIn(request.params));
      return { value: toObject(record, owner), version: record.version };
    },
  });

  const change = operation({
    ...shared,
    method: 'PATCH',
    id: `change${name}`,
    summary: `Change ${noun}`,
    description: 'Send only the fields that change; null removes one.',
    access,
    counts: 'diaryWrite',
    headers: ifMatch,
    body: {
      schema: withoutReadOnly(patchSchema(kind), readOnly) as z.ZodType<RecordBody>,
      example: exampleChange,
      limit,
    },
    answer: changed,
    errors: [...missing, 'version_conflict'],
    handle: (request, { records }: Ports) =>
      written(request, records, (owner, id) =>
        records.change(owner, kind, id, request.body, request.headers['If-Match']),
      ),
  });

  const list = operation({
    method: 'GET',
    path: collection,
    id: `list${plural}`,
    tag: DIARY_TAG,
    summary: `List ${nouns}`,
    description:
      ids === 'date'
        ? 'Those that were written, oldest first, a page at a time.'
        : 'By id, a page at a time.',
    access: diaryRead,
    counts: 'diaryRead',
    params: userParams,
    query: ids === 'date' ? dayQuery : (chosenQuery as typeof dayQuery),
    answer: listAnswer(
      `The ${nouns}, with the address of the next page in Link.`,
      schema,
      answered(example, 1),
    ),
    handle: (request, { records }: Ports) => {
      const owner = ownerOf(request);
      const { from, to } = request.query;
      const range = {
        from: from === undefined ? undefined : parseDay(from, 'from'),
        to: to === undefined ? undefined : parseDay(to, 'to'),
      };
      return pageOf(
        request.query,
        (page) => records.list(owner, kind, { ...page, ...range }),
        (record) => toObject(record, owner),
        { cursorOf: ({ id }) => (ids === 'date' ? `${id}.` : id) },
      );
    },
  });

  if (ids !== 'chosen') {
    const put = operation({
      ...shared,
      method: 'PUT',
      id: `put${name}`,
      summary: `Replace ${noun}`,
      description: 'Fields that are left out are removed.',
      access,
      counts: 'diaryWrite',
      headers: ifMatch,
      body: {
        schema: withoutReadOnly(
          z.strictObject(bodyFields(kind)).meta({ id: `${title}Input` }),
          readOnly,
        ) as z.ZodType<RecordBody>,
        example,
        limit,
      },
      answer: { ...changed, example: answered(example, 2) },
      errors: ['version_conflict'],
      handle: (request, { records }: Ports) =>
        written(request, records, (owner, id) =>
          records.put(owner, kind, id, request.body, request.headers['If-Match']),
        ),
    });
    return [...(ids === 'date' ? [list] : []), get, put, change];
  }

  const create = operation({
    method: 'POST',
    path: collection,
    id: `create${name}`,
    tag: DIARY_TAG,
    summary: `Add ${noun}`,
    description,
    access,
    counts: 'diaryWrite',
    params: userParams,
    body: {
      schema: withoutReadOnly(
        z.strictObject({ id: chosenId.optional(), ...bodyFields(kind) }).meta({ id: `${title}Input` }),
        readOnly.filter((field) => field !== 'id'),
      ) as z.ZodType<RecordBody>,
      example,
      limit,
    },
    answer: newRecordAnswer(`The ${noun}, with Location and ETag.`, schema, answered(example, 1)),
    errors: ['deleted'],
    handle: async (request, { records }: Ports) => {
      const owner = ownerOf(request);
      const { record, isNew } = await records.create(owner, kind, request.body, request.ids);
      return {
        value: toObject(record, owner),
        version: record.version,
        created: record.id,
        status: isNew ? undefined : 200,
      };
    },
  });

  const remove = operation({
    ...shared,
    method: 'DELETE',
    id: `delete${name}`,
    summary: `Delete ${noun}`,
    access,
    counts: 'diaryWrite',
    headers: ifMatch,
    answer: { status: 204, description: `The ${noun} is deleted.` },
    errors: [...missing, 'version_conflict'],
    handle: async (request, { records }: Ports) => {
      const owner = ownerOf(request);
      const id = idIn(request.params);
      await withConflictDetails(records.remove(owner, kind, id, request.headers['If-Match']), async () =>
        toObject(await records.get(owner, kind, id), owner),
      );
    },
  });
  return [create, list, get, change, remove];
}

/** All fields are optional, and null removes those that a record need not have. A choice is never empty: generated clients take no null in it. */
function patchSchema(kind: RecordKind): z.ZodObject {
  const fields = Object.entries(bodyFields(kind)).map(([field, of]) => {
    const schema = of as z.ZodType;
    return [
      field,
      schema instanceof z.ZodOptional && !(schema.unwrap() instanceof z.ZodEnum)
        ? (schema.unwrap() as z.ZodType).nullable()
        : schema,
    ] as const;
  });
  return z
    .strictObject(Object.fromEntries(fields.map(([field, schema]) => [field, schema.optional()])))
    .meta({ id: `${kind.title}Patch` });
}

/** The operations on all kinds of records. */
export const RECORD_OPERATIONS = [
  ...recordOperations({
    kind: DAY,
    path: 'diary/days',
    name: 'DiaryDay',
    plural: 'DiaryDays',
    noun: 'what was noted about a day',
    nouns: 'notes on days',
    description:
      'A note on the day as a whole, and whether it is complete. Every day can be read; one that nobody has written has version 0.',
    example: { note: 'Birthday of Ann.', complete: true },
    exampleChange: { complete: false },
    limit: BODY_LIMITS.item,
  }),
  ...recordOperations({
    kind: MEAL,
    path: 'meals',
    name: 'SavedMeal',
    plural: 'SavedMeals',
    noun: 'saved meal',
    nouns: 'saved meals',
    description:
      'Up to 50 foods that are logged together with `…/log`. The amounts of an item with a food or recipe are those of the time of saving, for display.',
    example: {
      name: 'Usual breakfast',
      items: [{ foodName: 'Banana', foodId: 'starter:banana', quantity: 1, unit: 'serving', calories: 105 }],
    },
    exampleChange: { name: 'Weekend breakfast' },
    limit: BODY_LIMITS.recipe,
  }),
  ...recordOperations({
    kind: FAVOURITE,
    path: 'favourites',
    name: 'Favourite',
    plural: 'Favourites',
    noun: 'favourite',
    nouns: 'favourites',
    description: 'A food, a recipe or a saved meal that is offered first.',
    example: { name: 'Banana', foodId: 'starter:banana', quantity: 1, unit: 'serving' },
    exampleChange: { quantity: 2 },
    limit: BODY_LIMITS.fields,
  }),
  ...recordOperations({
    kind: SETTINGS,
    path: 'settings',
    name: 'UserSettings',
    plural: 'UserSettings',
    noun: 'settings of a user',
    nouns: 'settings',
    description:
      'What a user chose on any device. Who may read the diary may read them; only the user changes them. Before the first change they have version 0.',
    example: { language: 'de', measures: 'metric', waterStepMl: 250, waterGoalMl: 2_000 },
    exampleChange: { waterGoalMl: 2_500 },
    limit: BODY_LIMITS.item,
  }),
];

/** The operation with this id. */
export function recordOperation(id: string): Operation<Ports> {
  return RECORD_OPERATIONS.find((each) => each.id === id)!;
}
