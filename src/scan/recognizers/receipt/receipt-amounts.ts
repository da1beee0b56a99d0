/** An amount of money as it is printed, in hundredths, so that sums are exact. */
export interface Money {
  readonly cents: number;
  /** As of ISO 4217, or `$`, which many countries print. */
  readonly currency?: string;
}

export const RECEIPT_UNITS = ['kg', 'g', 'l', 'ml', 'lb', 'oz'] as const;
export type ReceiptUnit = (typeof RECEIPT_UNITS)[number];

/** An amount of a product; of pieces if it has no unit. */
export interface ReceiptQuantity {
  readonly value: number;
  readonly unit?: ReceiptUnit;
}

const CURRENCIES: Readonly<Record<string, string>> = {
  '€': 'EUR',
  eur: 'EUR',
  euro: 'EUR',
  '£': 'GBP',
  gbp: 'GBP',
  $: '$',
  usd: 'USD',
  chf: 'CHF',
};
/** Other names of units, each with its size in a unit that clients know. */
const UNITS: Readonly<Record<string, readonly [unit: ReceiptUnit, factor: number]>> = {
  kg: ['kg', 1],
  kgs: ['kg', 1],
  kilo: ['kg', 1],
  g: ['g', 1],
  gr: ['g', 1],
  l: ['l', 1],
  lt: ['l', 1],
  ltr: ['l', 1],
  ml: ['ml', 1],
  cl: ['ml', 10],
  dl: ['ml', 100],
  lb: ['lb', 1],
  lbs: ['lb', 1],
  oz: ['oz', 1],
};
const UNIT_NAMES = Object.keys(UNITS)
  .sort((a, b) => b.length - a.length)
  .join('|');
const PIECES = 'stück|stuck|stck|stk|st|pzs|pz|uds|ud|un|pcs|pc|ea|ct|u';
const SIGN = String.raw`(?:€|£|\$|eur(?:o)?|gbp|usd|chf)`;
/** Digits as the reader of texts may mistake them. */
const DIGIT = '[\\dOo]';
const MONEY = String.raw`${DIGIT}{1,4}\s?[.,]\s?${DIGIT}{2}`;

/** A price at the end of a row, before the letter of its tax. */
const PRICE_AT_END = new RegExp(
  String.raw`(?:^|(?<=[\s*#]))(-\s?)?(${SIGN}\s?)?(-\s?)?(${MONEY})(?!\d)(\s?-)?(?:\s?(${SIGN}))?(?:\s{0,3}[\p{Lu}\d*#%+]{1,2}\s?[\p{Lu}*]?)?\s*$`,
  'iu',
);

export interface PriceAtEnd {
  readonly money: Money;
  /** The text before it. */
  readonly before: string;
}

/** The price at the end of a text: "1,29 A", "€ 1.29", "0,30-". */
export function priceAtEnd(text: string): PriceAtEnd | undefined {
  const found = PRICE_AT_END.exec(text);
  if (found === null) return undefined;
  const [, minus, before, minusAfter, digits, trailing, after] = found;
  const isNegative = [minus, minusAfter, trailing].some((sign) => sign !== undefined);
  const cents = centsOf(digits!);
  const currency = currencyOf(before ?? after);
  return {
    money: { cents: isNegative ? -cents : cents, ...(currency !== undefined && { currency }) },
    before: text.slice(0, found.index).trimEnd(),
  };
}

/** `1.29`, as clients read decimals. */
export function decimalText(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

const NUMBER = String.raw`\d{1,4}(?:[.,]\d{1,3})?`;
/** "2 x 1,29", "0,342 kg x 2,99 EUR/kg", "3 @ 0.99", "0,842 kg 1,89 €/kg". */
const COUNTED = new RegExp(
  String.raw`(?<![\d.,])(?:(?<![\p{L}])(?<before>${UNIT_NAMES})\s)?(?<count>${NUMBER})\s?(?:(?<unit>${UNIT_NAMES})|(?:${PIECES})\b\.?)?\s*(?<times>[x×*@]|à(?=\s)|a(?=\s))?\s*(?:${SIGN}\s?)?(?<each>\d{1,4}[.,]\d{2})(?!\d)\s?(?<sign>${SIGN})?(?<per>\s?/\s?(?:1\s?)?(?:${UNIT_NAMES}|${PIECES})\b\.?)?`,
  'iu',
);
/** The same with the price first: "1,99 €/kg x 0,577 kg". */
const PRICED = new RegExp(
  String.raw`(?<![\d.,])(?:${SIGN}\s?)?(?<each>\d{1,4}[.,]\d{2})\s?(?<sign>${SIGN})?(?:\s?/\s?(?:${UNIT_NAMES}|${PIECES})\b\.?)?\s*[x×*@]\s*(?<count>${NUMBER})\s?(?<unit>${UNIT_NAMES})?(?![\d.,])`,
  'iu',
);

export interface Counted {
  readonly quantity: ReceiptQuantity;
  /** The price of one piece, kilogram and so on. */
  readonly each: Money;
  /** Where it stands in the text. */
  readonly start: number;
  readonly end: number;
}

/** Quantity and unit price: "2 x 1,29". */
export function countedIn(text: string): Counted | undefined {
  for (const pattern of [PRICED, COUNTED]) {
    const found = pattern.exec(text);
    if (found === null) continue;
    const {
      before,
      count,
      unit = before,
      times,
      each,
      sign,
      per,
    } = found.groups as Record<string, string | undefined>;
    // Two numbers beside each other are an amount and its price only where something says so.
    if (pattern === COUNTED && times === undefined && (unit === undefined || per === undefined)) continue;
    // "1,29 x 2": a number with two decimals before a whole one is the price.
    if (pattern === PRICED && unit === undefined && !/^\d+$/.test(count!)) continue;
    const currency = currencyOf(sign);
    return {
      quantity: quantityOf(count!, unit),
      each: { cents: centsOf(each!), ...(currency !== undefined && { currency }) },
      start: found.index,
      end: found.index + found[0].trimEnd().length,
    };
  }
  return undefined;
}

const SIZE = new RegExp(
  String.raw`(?<![\p{L}\d.,])(?:(?<packs>\d{1,2})\s?[x×*]\s?)?(?<value>${NUMBER})\s?(?<unit>${UNIT_NAMES})\b\.?(?!/)`,
  'iu',
);

export interface SizeInName {
  readonly size: ReceiptQuantity;
  /** The name without it. */
  readonly rest: string;
}

/** The size of a package in a name: "MILCH 1L", "6x1,5L". */
export function sizeIn(name: string): SizeInName | undefined {
  const found = SIZE.exec(name);
  if (found === null) return undefined;
  const { packs = '1', value, unit } = found.groups as Record<string, string | undefined>;
  const one = quantityOf(value!, unit);
  const rest = `${name.slice(0, found.index)} ${name.slice(found.index + found[0].length)}`;
  return {
    size: { ...one, value: tidy(one.value * Number(packs)) },
    rest: rest.replace(/\s+/g, ' ').trim(),
  };
}

function quantityOf(value: string, unit: string | undefined): ReceiptQuantity {
  const number = Number(value.replace(',', '.'));
  if (unit === undefined) return { value: number };
  const [known, factor] = UNITS[unit.toLowerCase()]!;
  return { value: tidy(number * factor), unit: known };
}

/** Without the noise of binary fractions. */
function tidy(value: number): number {
  return Number(value.toPrecision(9));
}

function centsOf(digits: string): number {
  return Number(digits.replace(/[oO]/g, '0').replace(/[\s.,]/g, ''));
}

function currencyOf(sign: string | undefined): string | undefined {
  return sign === undefined ? undefined : CURRENCIES[sign.trim().toLowerCase()];
}
