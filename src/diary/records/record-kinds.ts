import { ALLERGENS } from '@larder/core/food-facts.ts';
import { REGISTRY } from '@larder/core/nutrients.ts';
import { z } from 'zod';
import { line, lines, REAL_DATE } from '../../base/text-schemas.ts';
import type { UserRecordKind } from '../../db/writer.ts';
import { type AmountFields, flatAmounts } from './amount-fields.ts';
import { isDay } from './day.ts';
import {
  AMOUNT_LIMITS,
  AMOUNT_OF,
  type AmountKey,
  isFurther,
  isMainAmount,
  MAIN_AMOUNTS,
  MAX_NAME_CHARACTERS,
  MAX_NOTE_CHARACTERS,
  MAX_OTHER_AMOUNT,
  MEAL_TYPES,
  NUTRIENT_OF,
} from './entry.ts';
import { invalidField } from './invalid-field.ts';
import { MAX_QUANTITY, MAX_UNIT_CHARACTERS } from './unit-conversion.ts';
import type { NamedObject, RecordBody, RecordKind } from './user-record.ts';

const MAX_DAY_NOTE_CHARACTERS = 2_000;
const MAX_MEAL_ITEMS = 50;
const MAX_MEAL_NAME_CHARACTERS = 64;
/** One each day for twenty-seven years. */
const MAX_DAYS = 10_000;
const MAX_SAVED_MEALS = 500;
const MAX_FAVOURITES = 500;
const MAX_FOOD_ID_CHARACTERS = 100;

const foodId = z.string().min(1).max(MAX_FOOD_ID_CHARACTERS);
const name = line(MAX_NAME_CHARACTERS);
const quantity = z.number().positive().max(MAX_QUANTITY).describe('How many of `unit`.');
const unit = line(MAX_UNIT_CHARACTERS).describe('As in entries.');
export const mealType = z.enum(MEAL_TYPES).meta({ id: 'MealType' });
/** The name of a meal of the day. */
const mealName = line(MAX_MEAL_NAME_CHARACTERS);

const further = z.number().min(0).max(MAX_OTHER_AMOUNT).optional();
const amountOf = (key: AmountKey) =>
  isFurther(key) ? further : z.number().min(0).max(AMOUNT_LIMITS[key]).optional();

/** What was noted about a day as a whole. */
export const DAY: RecordKind = {
  name: 'day',
  plural: 'days',
  title: 'DiaryDay',
  ids: 'date',
  max: MAX_DAYS,
  fields: () => ({
    note: lines(MAX_DAY_NOTE_CHARACTERS).optional(),
    complete: z
      .boolean()
      .optional()
      .describe('Whether everything of this day was logged. Averages can leave out other days.'),
  }),
};

const itemFields = (object: NamedObject) => ({
  foodName: name,
  foodId: foodId.optional().describe('With quantity and unit; logging computes the amounts anew.'),
  recipeId: foodId.optional().describe('With quantity and unit; logging computes the amounts anew.'),
  barcode: z.string().max(MAX_FOOD_ID_CHARACTERS).optional(),
  quantity: quantity.optional(),
  unit: unit.optional(),
  ...Object.fromEntries(MAIN_AMOUNTS.map((key) => [key, amountOf(key)])),
  nutrients: object(
    'SavedMealNutrients',
    Object.fromEntries(REGISTRY.map(({ key }) => [key, amountOf(AMOUNT_OF[key])])),
  ).optional(),
  note: lines(MAX_NOTE_CHARACTERS).optional(),
});

/** Foods that are logged together. */
export const MEAL: RecordKind = {
  name: 'meal',
  notFound: 'meal_not_found',
  plural: 'meals',
  title: 'SavedMeal',
  ids: 'chosen',
  max: MAX_SAVED_MEALS,
  fields: (object) => ({
    name,
    items: z
      .array(object('SavedMealItem', itemFields(object)))
      .min(1)
      .max(MAX_MEAL_ITEMS),
  }),
  check: ({ items, ...meal }) => ({
    ...meal,
    items: (items as readonly RecordBody[]).map((item, at) => checkedItem(item, `items[${at}]`)),
  }),
};

/** The item with all its amounts in `nutrients`. */
function checkedItem(given: RecordBody, place: string): RecordBody {
  const { foodId: food, recipeId, calories, ...item } = given;
  if (food !== undefined && recipeId !== undefined)
    throw invalidField(`${place}.recipeId`, `"${place}" has a food; leave out "recipeId".`);
  const isComputed = food !== undefined || recipeId !== undefined;
  if (isComputed && (item['quantity'] === undefined || item['unit'] === undefined))
    throw invalidField(`${place}.quantity`, `"${place}" needs "quantity" and "unit" of its food.`);
  if (!isComputed && calories === undefined)
    throw invalidField(`${place}.calories`, `"${place}" needs "foodId", "recipeId" or "calories".`);
  const amounts = Object.entries(flatAmounts(given as AmountFields)) as [AmountKey, number][];
  return {
    ...given,
    ...Object.fromEntries(amounts.filter(([key]) => isMainAmount(key))),
    nutrients: Object.fromEntries(amounts.map(([key, amount]) => [NUTRIENT_OF[key], amount])),
  };
}

const TARGETS = ['foodId', 'recipeId', 'mealId'] as const;

/** A food, a recipe or a saved meal that is offered first. */
export const FAVOURITE: RecordKind = {
  name: 'favourite',
  notFound: 'favourite_not_found',
  plural: 'favourites',
  title: 'Favourite',
  ids: 'chosen',
  max: MAX_FAVOURITES,
  fields: () => ({
    name: name.describe('As it is shown, also where the food itself is unknown.'),
    brand: name.optional(),
    foodId: foodId.optional().describe('Exactly one of foodId, recipeId, mealId.'),
    recipeId: foodId.optional(),
    mealId: foodId.optional().describe('A saved meal.'),
    quantity: quantity.optional().describe('The usual amount, with `unit`.'),
    unit: unit.optional(),
  }),
  check: (body) => {
    const given = TARGETS.filter((field) => body[field] !== undefined);
    if (given.length !== 1)
      throw invalidField(given[1] ?? TARGETS[0], `Give exactly one of ${TARGETS.join(', ')}.`);
    if ((body['quantity'] === undefined) !== (body['unit'] === undefined))
      throw invalidField('unit', 'Give "quantity" and "unit" together.');
    return body;
  },
};

const percent = z.number().min(0).max(100).optional();
const MAX_WATER_ML = 20_000;
const language = z
  .string()
  .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,3}$/, 'must be a language tag such as de or pt-BR')
  .max(35);

/** What a person chose, on every device. */
export const SETTINGS: RecordKind = {
  name: 'settings',
  plural: 'settings',
  title: 'UserSettings',
  ids: 'one',
  max: 1,
  isPersonal: true,
  fields: (object) => ({
    language: language.optional(),
    measures: z.enum(['metric', 'us']).optional(),
    energyUnit: z.enum(['kcal', 'kJ']).optional(),
    mealNames: object('OwnMealNames', Object.fromEntries(MEAL_TYPES.map((key) => [key, mealName.optional()])))
      .optional()
      .describe('Own names of the four meals.'),
    hiddenMeals: z
      .array(mealType)
      .max(MEAL_TYPES.length)
      .optional()
      .describe('Meals that are shown only where they have entries.'),
    waterStepMl: z.number().positive().max(MAX_WATER_ML).optional().describe('What one tap adds.'),
    waterGoalMl: z.number().positive().max(MAX_WATER_ML).optional().describe('Of a day.'),
    goalsInPercent: object('PercentGoals', { protein: percent, carbs: percent, fat: percent })
      .optional()
      .describe('Shares of the energy goal that the goals of macros were computed from.'),
    weightTarget: object('WeightTarget', {
      value: z.number().positive().max(1_000),
      unit: z.enum(['kg', 'lb', 'st']),
      date: z
        .string()
        .refine(isDay, 'must be a real date of the form YYYY-MM-DD')
        .meta({ format: 'date', pattern: REAL_DATE })
        .optional(),
    }).optional(),
    diet: line(MAX_MEAL_NAME_CHARACTERS)
      .optional()
      .describe('The page filters its search of foods by `vegan` and `vegetarian`.'),
    allergens: z
      .array(z.enum(Object.keys(ALLERGENS)).meta({ id: 'Allergen' }))
      .max(Object.keys(ALLERGENS).length)
      .optional()
      .describe('Allergens that the page warns of, and filters its search of foods by.'),
    body: object('BodyFacts', {
      sex: z.enum(['female', 'male']).optional(),
      birthYear: z.int().min(1900).max(2100).optional(),
      heightCm: z.number().min(30).max(300).optional(),
      activity: z.enum(['low', 'light', 'moderate', 'high', 'very_high']).optional(),
    })
      .optional()
      .describe('What goals were computed from.'),
    eatenFirst: z
      .boolean()
      .optional()
      .describe(
        'Whether photos of dishes propose foods and amounts of the diary first, and of diaries that others share; false turns it off.',
      ),
    firstRunDone: z.boolean().optional().describe('Whether the questions of the first start were answered.'),
  }),
};

/** All kinds, by name. */
export const KINDS: readonly RecordKind[] = [DAY, FAVOURITE, MEAL, SETTINGS];

export function kindNamed(name: UserRecordKind): RecordKind {
  return KINDS.find((kind) => kind.name === name)!;
}
