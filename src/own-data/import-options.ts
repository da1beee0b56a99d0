// Operations read these without loading the code of imports, which the first import loads.

/**
 * Formats of files, recognized by their headings. Sources of the columns: MyFitnessPal's "Nutrition-Summary" of its data export;
 * Cronometer's "Food & Recipe Entries" (servings.csv); FatSecret's "Food Diary Report"; SparkyFitness'
 * SparkyFitnessFrontend/src/utils/reportUtil.ts; OpenNutriTracker's docs/export-format.md (user_intake.csv).
 */
export const IMPORT_FORMATS = [
  'larder',
  'larder-json',
  'larder-csv',
  'myfitnesspal',
  'cronometer',
  'fatsecret',
  'sparkyfitness',
  'opennutritracker',
  'table',
] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

export const DATE_ORDERS = ['day-first', 'month-first'] as const;
/** Position of the day in a date of two numbers and a year. */
export type DateOrder = (typeof DATE_ORDERS)[number];

/** Units that the amounts of a table are in. */
export const FOOD_BASES = ['100g', '100ml', 'serving'] as const;
export type FoodBasis = (typeof FOOD_BASES)[number];

/** The version of the export format. */
export const EXPORT_VERSION = 1;
