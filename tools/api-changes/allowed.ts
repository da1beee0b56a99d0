import { ID_FORM, RECORD_ID_FORM } from '../../src/base/time-ordered-id.ts';
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
    'RecognizerReport.name',
  ]),
  widened: [
    // Barcodes: 6 to 14 digits with spaces and dashes became any text with 6 digits, because scanned codes
    // are also accepted.
    ['^([\\s\\-\\u2010-\\u2015]*[0-9]){6,14}[\\s\\-\\u2010-\\u2015]*$', '([^0-9]*[0-9]){6}'],
    // Positions in lists of entries and recipes, whose ids clients may choose.
    [`^(\\d{4}-\\d{2}-\\d{2}\\.${ID_FORM})?$`, `^(\\d{4}-\\d{2}-\\d{2}\\.${RECORD_ID_FORM})?$`],
    [`^(${ID_FORM})?$`, `^(${RECORD_ID_FORM})?$`],
  ],
};
