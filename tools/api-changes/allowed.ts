import type { Allowed } from './api-changes.ts';

/** Changes that docs/stability.md allows beyond the rules of the comparison. */
export const ALLOWED: Allowed = {
  growing: new Set([
    'ErrorCode',
    'Scope',
    'FoodWarning.code',
    'ScanFailure.code',
    'DailyTotals.unknown',
    'DatedTotals.unknown',
    'Sums.unknown',
    'RecipeServing.unknown',
    'TextTotals.unknown',
    'ScanResult.unknown',
    'RecognizerReport.name',
  ]),
  widened: [],
};
