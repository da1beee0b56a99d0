/** Units of printed amounts. */
export type AmountUnit = 'g' | 'mg' | 'ug' | 'kj' | 'kcal' | 'ml' | 'percent' | 'iu';

/** One interpretation of the recognized text. */
export interface AmountReading {
  readonly value: number;
  /** Absent if none is printed. */
  readonly unit?: AmountUnit;
  /** Deviation from the recognized text; 0 is literal. */
  readonly cost: number;
}

export interface PrintedAmount {
  /** Position in the text. */
  readonly from: number;
  readonly to: number;
  /** Likeliest first; at least one. */
  readonly readings: readonly AmountReading[];
  /** For "<1 g"; the value is half of the limit. */
  readonly isBelow: boolean;
  /** Half of the last printed digit, in the reading's unit. */
  readonly roundingOf: number;
}

const BELOW =
  '(?:[<≤]|less than|moins de|weniger als|menos de|meno di|minder dan|mniej niz|mindre (?:an|end|än))';
/**
 * Round letters and strokes count as digits if only a digit makes sense: "Og", "l0 g"; otherwise a digit must
 * come first.
 */
const FIRST = String.raw`(?:(?<![A-Za-z])[OoQDlI](?=[.,]?\d|\s?[mµu]?c?[gq]\b|\s?%)|O(?=m?c?g\b)|\d)`;
/** One space may separate thousands; two separate parts of a row. */
const NEXT = String.raw`(?:[\dOolI]|[.,]\s?(?=[\dOo])|(?<=\d) (?=\d{3}\b))`;
const UNIT = String.raw`(?:(?:kcal|kca[l1I]|k[jlI1\]]{0,2}|cal|mcg|mc9|µg|μg|ug|m[gq9]|m[lLI1]|[gq]|iu|ie)(?!\p{L}|\d+(?!\d*\s?%))|%)`;
const AMOUNT = new RegExp(
  String.raw`(?<below>${BELOW}\s*)?(?<number>${FIRST}${NEXT}*)\s?(?<unit>${UNIT})?`,
  'giu',
);
const TRACE =
  /(?<!\p{L})(?:traces?|nil|spuren|trazas|tracce|sporen|vest[ií]gios|[sś]lady|sp[åa]r|spor)(?!\p{L})/giu;

const UNITS: Readonly<Record<string, AmountUnit>> = {
  kcal: 'kcal',
  kca1: 'kcal',
  kcai: 'kcal',
  cal: 'kcal',
  mcg: 'ug',
  mc9: 'ug',
  µg: 'ug',
  μg: 'ug',
  ug: 'ug',
  mg: 'mg',
  mq: 'mg',
  m9: 'mg',
  ml: 'ml',
  mi: 'ml',
  m1: 'ml',
  g: 'g',
  q: 'g',
  '%': 'percent',
  iu: 'iu',
  ie: 'iu',
};

/** A "g" looks like a 9: "37g" is recognized as "379". */
const COST_NINE_IS_G = 0.5;
/** No printed unit. */
const COST_NO_UNIT = 0.25;
/** Decimal points are small and get lost. */
export const COST_LOST_POINT = 2;

/** Units that end the text before a number: "Sodium (mg) 820", "Salt  g  1.2", "Energy (kJ/kcal) 1046/250". */
const BEFORE_NUMBER =
  /(?:^|[\s([,])((?:k?cal|kj|mg|mcg|[µμu]g|g)(?:\s?[/|]\s?(?:kcal|kj))?)\s?[)\]]?[\s:.]*$/iu;

/** The units before a number, in the order of their numbers; undefined if the text does not end with one. */
export function unitsBefore(text: string): AmountUnit[] | undefined {
  const units = BEFORE_NUMBER.exec(text)?.[1];
  return units
    ?.toLowerCase()
    .split(/\s?[/|]\s?/)
    .flatMap((unit) => unitOf(unit) ?? []);
}

/** An amount without unit, in the unit printed before it. */
export function inPrintedUnit(amount: PrintedAmount, unit: AmountUnit): PrintedAmount {
  if (amount.readings[0]!.unit !== undefined) return amount;
  const bare = amount.readings.filter((reading) => reading.unit === undefined);
  return { ...amount, readings: bare.map(({ value, cost }) => ({ value, unit, cost: cost - COST_NO_UNIT })) };
}

/** Amounts in text order. */
export function findPrintedAmounts(text: string): PrintedAmount[] {
  const amounts: PrintedAmount[] = [];
  for (const match of text.matchAll(AMOUNT)) {
    const { below, number = '', unit } = match.groups!;
    const seen = number.replace(/[Oo]/g, '0').replace(/[QD]/g, '0').replace(/[lI]/g, '1');
    // Whole numbers have no leading 0, so its decimal point was lost.
    const digits = seen.replace(/^0(?=\d+$)/, '0.');
    const value = toNumber(digits);
    if (value === undefined) continue;
    const from = match.index;
    const known = unit === undefined ? undefined : unitOf(unit.toLowerCase());
    const isBelow = below !== undefined;
    const factor = isBelow ? 0.5 : 1;
    amounts.push({
      from,
      to: from + match[0].trimEnd().length,
      readings: readingsOf(digits, value, known, seen).map((reading) => ({
        ...reading,
        value: reading.value * factor,
      })),
      isBelow,
      roundingOf: 0.5 * 10 ** -decimalsOf(digits),
    });
  }
  for (const match of text.matchAll(TRACE)) {
    const from = match.index;
    amounts.push({
      from,
      to: from + match[0].length,
      readings: [{ value: 0, unit: 'g', cost: 0 }],
      isBelow: true,
      roundingOf: 0.5,
    });
  }
  return amounts.sort((a, b) => a.from - b.from);
}

/** Any unit that begins with "k" is a misread "kJ". */
function unitOf(text: string): AmountUnit | undefined {
  return UNITS[text] ?? (text.startsWith('k') ? 'kj' : undefined);
}

function readingsOf(
  digits: string,
  value: number,
  unit: AmountUnit | undefined,
  seen: string,
): AmountReading[] {
  const readings: AmountReading[] = [
    { value, cost: unit === undefined ? COST_NO_UNIT : 0, ...(unit !== undefined && { unit }) },
  ];
  // "0g": no amount has a leading 0.
  if (unit === undefined && seen === '09') readings.unshift({ value: 0, unit: 'g', cost: COST_NINE_IS_G });
  if (unit === undefined && /\d9$/.test(digits)) {
    const shorter = toNumber(digits.slice(0, -1).replace(/[.,]$/, ''));
    if (shorter !== undefined) readings.push({ value: shorter, unit: 'g', cost: COST_NINE_IS_G });
    // "2329" for "23.2g".
    if (shorter !== undefined && /^\d{3,4}$/.test(digits))
      readings.push({ value: shorter / 10, unit: 'g', cost: COST_NINE_IS_G + COST_LOST_POINT });
  }
  if ((unit === 'g' || unit === undefined) && /^\d{2,3}$/.test(digits)) {
    readings.push({ value: value / 10, cost: COST_LOST_POINT, ...(unit !== undefined && { unit }) });
  }
  return readings;
}

/** Parses "1,5", "1.5", "2,400", "1 046"; undefined for others. */
export function toNumber(text: string): number | undefined {
  const tight = text.replaceAll(' ', '');
  const grouped = /^[1-9]\d{0,2}(?:[.,]\d{3})+$/.test(tight);
  const plain = grouped ? tight.replace(/[.,]/g, '') : tight.replace(',', '.');
  return /^\d+(?:\.\d+)?$/.test(plain) ? Number(plain) : undefined;
}

function decimalsOf(digits: string): number {
  return /[.,](\d{1,2})$/.exec(digits.replaceAll(' ', ''))?.[1]?.length ?? 0;
}
