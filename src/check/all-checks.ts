import type { Check } from './check.ts';
import { barcodeChecks } from './checks/barcode.ts';
import { diaryChecks } from './checks/diary.ts';
import { documentChecks } from './checks/documents.ts';
import { healthChecks } from './checks/health.ts';
import { ownFoodChecks } from './checks/own-food.ts';
import { refusalChecks } from './checks/refusals.ts';
import { scanChecks } from './checks/scan.ts';
import { searchChecks } from './checks/search.ts';
import { tokenChecks } from './checks/tokens.ts';

/** In the order in which a fault of one explains faults of those after it. */
export const ALL_CHECKS: readonly Check[] = [
  ...healthChecks,
  ...documentChecks,
  ...refusalChecks,
  ...searchChecks,
  ...barcodeChecks,
  ...ownFoodChecks,
  ...diaryChecks,
  ...tokenChecks,
  ...scanChecks,
];
