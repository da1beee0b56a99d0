import type { ScannedFacts } from '../scanned-facts.ts';
import { GRAMS_PER, ML_PER } from '../unit-sizes.ts';
import type { Element } from './application-identifiers.ts';

const DATES = {
  '11': 'productionDate',
  '13': 'packagingDate',
  '15': 'bestBeforeDate',
  '16': 'sellByDate',
  '17': 'expiryDate',
} as const;

/** Sizes of net amounts by the first three digits of the identifier; the fourth one counts the decimals. */
const MEASURES: ReadonlyMap<string, { readonly size: number; readonly unit: 'g' | 'ml' }> = new Map([
  ['310', { size: 1000, unit: 'g' }],
  ['320', { size: GRAMS_PER.lb, unit: 'g' }],
  ['357', { size: GRAMS_PER.oz, unit: 'g' }],
  ['315', { size: 1000, unit: 'ml' }],
  ['360', { size: ML_PER.quart, unit: 'ml' }],
  ['361', { size: ML_PER.gallon, unit: 'ml' }],
]);
/** The product itself. */
const KEYS: ReadonlySet<string> = new Set(['01', '02', '03', '8006', '8026']);
/** Maximum decimals of values, more than any scale has. */
const DECIMALS = 3;

/**
 * Returns the facts of elements beside the product; undefined if there are none. The first of repeated
 * identifiers counts.
 */
export function factsOf(elements: readonly Element[], unread?: string): ScannedFacts | undefined {
  const facts: ScannedFacts = {};
  const other: Record<string, string> = {};
  for (const element of elements)
    if (!KEYS.has(element.ai) && !addFact(facts, element)) other[element.ai] ??= element.value;
  if (Object.keys(other).length > 0) facts.other = other;
  if (unread !== undefined) facts.unread = unread;
  return Object.keys(facts).length === 0 ? undefined : facts;
}

/** Whether the element is a fact with a name. */
function addFact(facts: ScannedFacts, { ai, value }: Element): boolean {
  if (ai === '10') facts.batch ??= value;
  else if (ai === '21') facts.serial ??= value;
  else if (ai === '30' || ai === '37') facts.count ??= Number(value);
  else if (ai in DATES) {
    const date = toDate(value);
    if (date === undefined) return false;
    facts[DATES[ai as keyof typeof DATES]] ??= date;
  } else return addMeasure(facts, { ai, value });
  return true;
}

function addMeasure(facts: ScannedFacts, { ai, value }: Element): boolean {
  const kind = ai.slice(0, 3);
  const decimals = Number(ai[3]);
  const measure = ai.length === 4 ? MEASURES.get(kind) : undefined;
  if (measure !== undefined) {
    const quantity = rounded(decimal(value, decimals) * measure.size);
    if (quantity === 0) return false;
    facts.amount ??= { quantity, unit: measure.unit };
    return true;
  }
  if (ai.length !== 4 || (kind !== '392' && kind !== '393')) return false;
  const currency = kind === '393' ? value.slice(0, 3) : undefined;
  const price = decimal(value.slice(currency?.length ?? 0), decimals);
  facts.price ??= { value: price, ...(currency !== undefined && { currency }) };
  return true;
}

/** Converts `260131` to `2026-01-31`; day 00 is the last one of the month. Years are in this century. */
function toDate(value: string): string | undefined {
  const [year, month, day] = [value.slice(0, 2), value.slice(2, 4), value.slice(4)].map(Number) as [
    number,
    number,
    number,
  ];
  const date = new Date(Date.UTC(2000 + year, day === 0 ? month : month - 1, day));
  const isReal = month >= 1 && month <= 12 && date.getUTCMonth() === month - 1;
  return isReal ? date.toISOString().slice(0, 10) : undefined;
}

function decimal(digits: string, decimals: number): number {
  return Number(digits) / 10 ** decimals;
}

function rounded(value: number): number {
  return Number(value.toFixed(DECIMALS));
}
