import type { DiaryEntry, Nutrients } from 'larder-client';

/** Nutrients of a food by their names in the API, with their units. Energy is apart, since its unit can be chosen. */
export const FOOD_NUTRIENTS = {
  protein: 'g',
  carbohydrates: 'g',
  fat: 'g',
  sugars: 'g',
  addedSugars: 'g',
  saturatedFat: 'g',
  transFat: 'g',
  fiber: 'g',
  sodium: 'mg',
  cholesterol: 'mg',
  potassium: 'mg',
  calcium: 'mg',
  iron: 'mg',
  vitaminD: 'µg',
} as const;

const { protein, carbohydrates, ...others } = FOOD_NUTRIENTS;
/** Units by the names of the diary, where carbohydrates are `carbs`. */
export const DIARY_NUTRIENTS = { protein, carbs: carbohydrates, ...others } as const;
export type DiaryNutrient = keyof typeof DIARY_NUTRIENTS;

/** What amounts are shown and summed by. */
export type Measure = 'calories' | DiaryNutrient;

/** Fields of the diary, each with its nutrient; all others stand in `nutrients` alone. */
export const FIELDS = {
  calories: 'energy',
  protein: 'protein',
  carbs: 'carbohydrates',
  fat: 'fat',
  fiber: 'fiber',
  sodium: 'sodium',
} as const;
export type Field = keyof typeof FIELDS;
export const FIELD_NAMES = Object.keys(FIELDS) as Field[];
export type Amounts = Partial<Pick<DiaryEntry, Field | 'nutrients'>>;

export function nutrientOf(key: Measure): keyof Nutrients {
  return FIELDS[key as Field] ?? key;
}

/** An amount of an entry, of sums or goals: in its field, or in `nutrients`. */
export function amountOf(amounts: Amounts, key: Measure): number | undefined {
  return amounts[key as Field] ?? amounts.nutrients?.[nutrientOf(key)];
}

const WITH_FIELD: ReadonlySet<string> = new Set(Object.values(FIELDS));

/** Nutrients without a field: what is written beside fields that may have changed. */
export function furtherOf<T>(nutrients: Readonly<Record<string, T>> = {}): Record<string, T> {
  return Object.fromEntries(Object.entries(nutrients).filter(([key]) => !WITH_FIELD.has(key)));
}

export type FoodNutrient = keyof typeof FOOD_NUTRIENTS;
export const MACROS = ['protein', 'carbohydrates', 'fat'] as const;
export const FURTHER = (Object.keys(FOOD_NUTRIENTS) as FoodNutrient[]).filter(
  (key): key is Exclude<FoodNutrient, (typeof MACROS)[number]> =>
    !(MACROS as readonly string[]).includes(key),
);
