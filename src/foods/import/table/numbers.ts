/** The decimal mark of a table. */
export type DecimalMark = '.' | ',';

/** Texts for an unknown amount. */
const UNKNOWN: ReadonlySet<string> = new Set(['', '-', '–', '—', '?', 'n/a', 'na', 'nan', 'null', 'none']);
const SPACES = /[\s\u00a0\u202f'’]/gu;
const POINTED = /^\d+(?:,\d{3})*(?:\.\d+)?$/;
const PLAIN_POINTED = /^\d*\.\d+$|^\d+$/;

/** "12.5", "0.125", "1,234.5": numbers with an unambiguous decimal mark. */
const SURE_POINT = /^\d*\.(?:\d{1,2}|\d{4,})$|^0?\.\d+$|,\d{3}\./;
const SURE_COMMA = /^\d*,(?:\d{1,2}|\d{4,})$|^0?,\d+$|\.\d{3},/;

/**
 * The decimal mark of a table: that of an unambiguous number. Without one, a table with semicolons or tabs
 * has decimal commas if it has any. Undefined if numbers contradict each other.
 */
export function decimalMarkOf(cells: Iterable<string>, delimiter: string): DecimalMark | undefined {
  let hasPoint = false;
  let hasComma = false;
  let hasUnsureComma = false;
  for (const cell of cells) {
    const text = cell.replace(SPACES, '');
    if (SURE_POINT.test(text)) hasPoint = true;
    else if (SURE_COMMA.test(text)) hasComma = true;
    else if (/^\d+,\d{3}$/.test(text)) hasUnsureComma = true;
    if (hasPoint && hasComma) return undefined;
  }
  if (hasPoint || hasComma) return hasPoint ? '.' : ',';
  return delimiter !== ',' && hasUnsureComma ? ',' : '.';
}

/** The number of a cell; undefined for a cell that states none, and `invalid` for other texts. */
export function readNumber(cell: string, mark: DecimalMark): number | undefined | 'invalid' {
  const text = cell.trim();
  if (UNKNOWN.has(text.toLowerCase())) return undefined;
  const compact = text.replace(SPACES, '');
  const pointed = mark === '.' ? compact : compact.replace(/[.,]/g, (sign) => (sign === ',' ? '.' : ','));
  if (!POINTED.test(pointed) && !PLAIN_POINTED.test(pointed)) return 'invalid';
  const value = Number(pointed.replaceAll(',', ''));
  return Number.isFinite(value) ? value : 'invalid';
}
