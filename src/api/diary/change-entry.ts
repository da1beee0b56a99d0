import { FOOD_LANGUAGES, type FoodLanguage } from '@larder/core/food-languages.ts';
import { NUTRIENT_UNITS } from '@larder/core/nutrients.ts';
import { z } from 'zod';
import type { Diary } from '../../diary/diary.ts';
import type { EntryChange } from '../../diary/entry-input.ts';
import type { FoodDirectory } from '../../foods/visible-foods.ts';
import { ownerOf } from '../acting-user.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { applyChange, ifMatch } from '../etag.ts';
import { withoutReadOnly, withoutUnknown } from '../fields.ts';
import { operation } from '../operation.ts';
import { DIARY_TAG, diaryWrite, EXAMPLE_ENTRY, entryParams } from './diary-docs.ts';
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
const entryChangeSchema = withoutReadOnly(fields, READ_ONLY, (body) =>
  withoutUnknown(body, body['unknown'], null),
) as z.ZodType<EntryChange & { readonly lang?: FoodLanguage }>;

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
  handle: async (request, { diary, foods }: { diary: Diary; foods: FoodDirectory }) => {
    const owner = ownerOf(request);
    const { params, headers } = request;
    const readCurrent = async () => entryObject(await diary.get(owner, params.entryId), owner.userId);
    const { lang, foodName, ...others } = request.body;
    const isTranslated =
      lang !== undefined && foodName === withLocalNames(foods, [lang])(await readCurrent()).foodName;
    const body = isTranslated ? others : { ...others, foodName };
    const change = () => diary.change(owner, params.entryId, body, headers['If-Match']);
    const changed = await applyChange(request, { readOnly: READ_ONLY, readCurrent, change });
    return entryOutcome(changed, owner);
  },
});
