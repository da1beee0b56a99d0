import type { Check } from '../check.ts';
import { barcodeChecks } from './barcode.ts';
import { customFoodChecks } from './custom-food.ts';
import { diaryChecks } from './diary.ts';
import { documentChecks } from './documents.ts';
import { healthChecks } from './health.ts';
import { recipeChecks } from './recipes.ts';
import { refusalChecks } from './refusals.ts';
import { scanChecks } from './scan.ts';
import { searchChecks } from './search.ts';
import { textChecks } from './text.ts';
import { tokenChecks } from './tokens.ts';

/** Checks in an order in which earlier failures explain later ones. */
export const ALL_CHECKS: readonly Check[] = [
  ...healthChecks,
  ...documentChecks,
  ...refusalChecks,
  ...searchChecks,
  ...textChecks,
  ...barcodeChecks,
  ...customFoodChecks,
  ...diaryChecks,
  ...recipeChecks,
  ...tokenChecks,
  ...scanChecks,
];
