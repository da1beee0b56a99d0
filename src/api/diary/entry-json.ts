import { FOOD_LANGUAGES, type FoodLanguage } from '@larder/core/food-languages.ts';
import { z } from 'zod';
import { toEntryAmounts } from '../../diary/records/amount-fields.ts';
import { ANSWERED_AMOUNTS, type DiaryEntry, type DiaryOwner } from '../../diary/records/entry.ts';
import { entryWarnings } from '../../diary/records/entry-warnings.ts';
import type { FoodDirectory } from '../../foods/visible-foods.ts';
import { isoTime, recordVersion, warningSchema } from '../fields.ts';
import { nutrientsSchema } from '../nutrients.ts';
import type { Outcome } from '../operation.ts';
import { addedMethod, calories, eatenAt, grams, mealType, realDate, sodium } from './diary-fields-schema.ts';

const requiredAmounts = { calories, protein: grams, carbs: grams, fat: grams };
/** Fields that an entry and a food that was eaten have in common. */
export const eaten = {
  foodName: z.string(),
  lang: z
    .enum(FOOD_LANGUAGES)
    .optional()
    .describe('Language of `foodName`, if the request asked for it and nobody wrote another name.'),
  ...requiredAmounts,
  fiber: grams.optional(),
  sodium: sodium.optional(),
  nutrients: nutrientsSchema,
  unknown: z
    .array(z.enum(ANSWERED_AMOUNTS))
    .optional()
    .describe('Amounts that are unknown and therefore 0 here.'),
  foodId: z.string().optional(),
  barcode: z.string().optional(),
  recipeId: z.string().optional(),
  quantity: z.number().optional(),
  unit: z.string().optional(),
};

/** Describes `entryObject`. */
export const entrySchema = z
  .object({
    id: z.string(),
    version: recordVersion,
    userId: z.string(),
    date: realDate,
    mealType,
    ...eaten,
    addedMethod,
    eatenAt: eatenAt.optional(),
    note: z.string().optional(),
    warnings: z
      .array(warningSchema)
      .optional()
      .describe('Stated amounts that look wrong; they were written all the same. Not in exports.'),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'DiaryEntry', description: 'Values as they were when the entry was written.' });

/** Fields of a response that clients cannot write. */
export const READ_ONLY = [
  ...['id', 'version', 'userId', 'foodId', 'barcode', 'recipeId', 'createdAt', 'updatedAt'],
  ...['unknown', 'warnings'],
];

/** An entry as in responses. */
export function entryObject(entry: DiaryEntry, userId: string) {
  const warnings = entryWarnings(entry);
  const object = exportedEntry(entry, userId);
  return warnings.length === 0 ? object : { ...object, warnings };
}

/** An entry as in exports. Undefined fields are omitted. */
export function exportedEntry(entry: DiaryEntry, userId: string) {
  const createdAt = isoTime(entry.createdAt);
  const amounts = toEntryAmounts(entry.amounts);
  // Each field by itself: lists have thousands of entries, and V8 takes three times as long to spread others between them.
  return {
    id: entry.id,
    version: entry.version,
    userId,
    date: entry.date,
    mealType: entry.mealType,
    foodName: entry.foodName,
    calories: amounts.calories,
    protein: amounts.protein,
    carbs: amounts.carbs,
    fat: amounts.fat,
    fiber: amounts.fiber,
    sodium: amounts.sodium,
    nutrients: amounts.nutrients,
    unknown: amounts.unknown,
    foodId: entry.foodId,
    barcode: entry.barcode,
    recipeId: entry.recipeId,
    quantity: entry.quantity,
    unit: entry.unit,
    addedMethod: entry.addedMethod,
    eatenAt: entry.eatenAt,
    note: entry.note,
    createdAt,
    updatedAt: entry.updatedAt === entry.createdAt ? createdAt : isoTime(entry.updatedAt),
  };
}

interface Named {
  readonly foodName: string;
  readonly foodId?: string | undefined;
}

interface Ingredients {
  readonly ingredients: readonly { readonly name: string; readonly foodId?: string | undefined }[];
}

/** As `withLocalNames`, for the ingredients of a recipe. */
export function withLocalIngredients(
  foods: FoodDirectory,
  languages: readonly FoodLanguage[],
): <Recipe extends Ingredients>(recipe: Recipe) => Recipe {
  if (languages.length === 0) return (recipe) => recipe;
  const named = withLocalNames(foods, languages);
  return (recipe) => ({
    ...recipe,
    ingredients: recipe.ingredients.map((ingredient) => ({
      ...ingredient,
      name: named({ foodName: ingredient.name, foodId: ingredient.foodId }).foodName,
    })),
  });
}

/** Gives foods of the catalogue their present name in one of the languages; names that users wrote stay. */
export function withLocalNames(
  foods: FoodDirectory,
  languages: readonly FoodLanguage[],
): <Entry extends Named>(entry: Entry) => Entry {
  if (languages.length === 0) return (entry) => entry;
  const known = new Map<string, ReturnType<FoodDirectory['nameInLanguages']>>();
  return (entry) => {
    const { foodId: id, foodName: name } = entry;
    if (id === undefined) return entry;
    const key = `${id} ${name}`;
    const local = known.has(key) ? known.get(key) : foods.nameInLanguages({ id, name }, languages);
    known.set(key, local);
    return local === undefined ? entry : { ...entry, foodName: local.name, lang: local.language };
  };
}

/** The entry, with the version that its ETag names. */
export function entryOutcome(entry: DiaryEntry, { userId }: DiaryOwner): Outcome {
  return { value: entryObject(entry, userId), version: entry.version };
}

export function entriesOutcome(entries: readonly DiaryEntry[], { userId }: DiaryOwner): Outcome {
  return { value: entries.map((entry) => entryObject(entry, userId)) };
}
