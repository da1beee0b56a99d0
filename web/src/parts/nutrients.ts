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

export type FoodNutrient = keyof typeof FOOD_NUTRIENTS;
export const MACROS = ['protein', 'carbohydrates', 'fat'] as const;
export const FURTHER = (Object.keys(FOOD_NUTRIENTS) as FoodNutrient[]).filter(
  (key): key is Exclude<FoodNutrient, (typeof MACROS)[number]> =>
    !(MACROS as readonly string[]).includes(key),
);
