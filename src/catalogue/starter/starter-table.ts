import { NUTRIENT_KEYS } from '../food/nutrients.ts';

/** What people write into the tables; see README.md. */
export const HAND_COLUMNS = [
  'key',
  'name',
  'brand',
  'category',
  'aliases',
  'servings',
  'basis',
  'usda',
  'diary',
  'everyday',
] as const;

/** What `npm run starter` fills in from the USDA and NHANES files. */
export const FILLED_COLUMNS = ['density', 'popularity', ...NUTRIENT_KEYS] as const;

export const STARTER_COLUMNS = [...HAND_COLUMNS, ...FILLED_COLUMNS] as const;

export type StarterColumn = (typeof STARTER_COLUMNS)[number];

/** The tables, one row a food: dishes and ingredients of any brand, and products by GTIN. */
export const GENERIC_TABLE = new URL('generic.tsv', import.meta.url);
export const BRANDED_TABLE = new URL('branded.tsv', import.meta.url);

/** Between the entries of `aliases` and of `servings`. */
export const LIST_SEPARATOR = '; ';
