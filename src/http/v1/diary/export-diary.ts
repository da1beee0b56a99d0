import { AMOUNT_KEYS, type DiaryEntry } from '../../../diary/entry.ts';
import { toDecimal } from '../../../diary/thousandths.ts';

const COLUMNS = [
  'date',
  'mealType',
  'foodName',
  ...AMOUNT_KEYS,
  'quantity',
  'unit',
  'addedMethod',
  'foodId',
  'barcode',
  'recipeId',
  'id',
  'createdAt',
  'updatedAt',
] as const;

/** RFC 4180, section 2. */
const LINE_END = '\r\n';
const NEEDS_QUOTES = /[",\r\n]/;

/**
 * What a spreadsheet would run as a formula (OWASP, "CSV Injection"). An apostrophe in front makes it text; the
 * numbers of an entry are never negative, so none of them is touched.
 */
const FORMULA_START = /^[=+\-@\t\r]/;

export const CSV_HEADER = COLUMNS.join(',') + LINE_END;

export function toCsvLine(entry: DiaryEntry): string {
  const amounts = AMOUNT_KEYS.map((key) => {
    const amount = entry.amounts[key];
    return amount === undefined ? '' : String(toDecimal(amount));
  });
  return (
    [
      entry.date,
      entry.mealType,
      textCell(entry.foodName),
      ...amounts,
      entry.quantity ?? '',
      textCell(entry.unit),
      entry.addedMethod,
      textCell(entry.foodId),
      textCell(entry.barcode),
      entry.recipeId ?? '',
      entry.id,
      new Date(entry.createdAt).toISOString(),
      new Date(entry.updatedAt).toISOString(),
    ].join(',') + LINE_END
  );
}

function textCell(text = ''): string {
  const safe = FORMULA_START.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
