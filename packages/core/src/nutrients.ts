/**
 * The nutrients that the catalogue keeps, in the order of their bit in a food record. Append only: the
 * position of a nutrient is part of the file format.
 *
 * Units: energy in kcal, masses in g, sodium, cholesterol, potassium, calcium and iron in mg, vitamin D in ug.
 */
export const NUTRIENT_KEYS = [
  'energy',
  'protein',
  'fat',
  'carbohydrates',
  'fiber',
  'sugars',
  'addedSugars',
  'saturatedFat',
  'transFat',
  'cholesterol',
  'sodium',
  'potassium',
  'calcium',
  'iron',
  'vitaminD',
] as const;

export type NutrientKey = (typeof NUTRIENT_KEYS)[number];

/** The nutrients that every complete food has. */
export const REQUIRED_NUTRIENTS = [
  'energy',
  'protein',
  'fat',
  'carbohydrates',
] as const satisfies readonly NutrientKey[];

export type NutrientUnit = 'kcal' | 'g' | 'mg' | 'ug';

export const NUTRIENT_UNITS: Readonly<Record<NutrientKey, NutrientUnit>> = {
  energy: 'kcal',
  protein: 'g',
  fat: 'g',
  carbohydrates: 'g',
  fiber: 'g',
  sugars: 'g',
  addedSugars: 'g',
  saturatedFat: 'g',
  transFat: 'g',
  cholesterol: 'mg',
  sodium: 'mg',
  potassium: 'mg',
  calcium: 'mg',
  iron: 'mg',
  vitaminD: 'ug',
};

/** Amounts in the unit of `NUTRIENT_UNITS`; unknown nutrients are absent, never 0. */
export type PartialNutrients = Partial<Record<NutrientKey, number>>;

/** The nutrients of a complete food. */
export type Nutrients = PartialNutrients & Record<(typeof REQUIRED_NUTRIENTS)[number], number>;
