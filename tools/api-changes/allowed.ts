import type { Allowed } from './api-changes.ts';

/** What docs/stability.md allows beyond the rules of the comparison. */
export const ALLOWED: Allowed = {
  growing: new Set([
    'ErrorCode',
    'Scope',
    'ScanFailure.code',
    'DailyTotals.incomplete',
    'DatedTotals.incomplete',
    'RecognizerReport.name',
  ]),
  widened: [
    // Barcodes: from 6 to 14 digits with spaces and dashes to any text with 6 digits, since codes of scanners are taken too.
    ['^([\\s\\-\\u2010-\\u2015]*[0-9]){6,14}[\\s\\-\\u2010-\\u2015]*$', '([^0-9]*[0-9]){6}'],
  ],
};
