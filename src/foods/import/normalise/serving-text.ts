import { MIN_SERVING_AMOUNT, tidyNumber } from '@larder/core/rounding.ts';
import { cleanText } from './clean-text.ts';
import { BASIS_PER_UNIT, findHouseholdUnit, findMeasuredUnit } from './units.ts';

/** The content of a text such as "1/3 cup (57 g)". */
export interface ServingText {
  /** An amount in a unit of mass; more than 0. */
  readonly mass?: MeasuredAmount;
  /** An amount in a unit of volume; more than 0. */
  readonly volume?: MeasuredAmount;
  /** The household measure, for example 2 `slice`. */
  readonly household?: { readonly value: number; readonly unit: string };
  /** The cleaned text, if it has more than the amounts. */
  readonly label?: string;
}

export interface MeasuredAmount {
  readonly value: number;
  readonly unit: 'g' | 'ml' | 'oz' | 'fl_oz';
  /** The amount in g or ml. */
  readonly basisAmount: number;
}

const MAX_TEXT_LENGTH = 200;
const MAX_LABEL_LENGTH = 80;
/** Maximum amount of a serving. */
const MAX_SERVING_BASIS_AMOUNT = 5_000;

const NUMBER = String.raw`\d{1,6}\s+\d{1,3}\s*/\s*\d{1,3}|\d{1,3}\s*/\s*\d{1,3}|\d{0,6}[½⅓⅔¼¾⅛]|\d{1,9}(?:[.,]\d{1,20})?|[.,]\d{1,20}`;
const UNIT = String.raw`fl\.?\s?oz|fluid\s+ounces?|[\p{L}]+[0-9]?`;
const AMOUNT = new RegExp(String.raw`(?<![\p{L}\d.,/])(${NUMBER})\s*-?\s*(${UNIT})?`, 'giu');

/**
 * Parses a serving text. Prefers grams and millilitres to ounces, because they are more precise, and takes the first
 * of several. Never throws, and returns only amounts above 0.
 */
export function parseServingText(text: string): ServingText {
  const tidy = tidyText(text);
  let mass: MeasuredAmount | undefined;
  let volume: MeasuredAmount | undefined;
  let household: ServingText['household'];
  for (const [, number, written = ''] of tidy.matchAll(AMOUNT)) {
    const value = parseAmount(number!);
    if (!(value > 0)) continue;
    const amount = measuredAmount(value, written);
    if (amount === undefined) household ??= householdAmount(value, written);
    else if (amount.unit === 'g' || amount.unit === 'oz') mass = finer(mass, amount);
    else volume = finer(volume, amount);
  }
  const label = labelOf(tidy);
  return {
    ...(mass && { mass }),
    ...(volume && { volume }),
    ...(household && { household }),
    ...(label !== '' && { label }),
  };
}

/** Whether an amount in g or ml may be a serving. */
export function isServingAmount(basisAmount: number): boolean {
  return basisAmount >= MIN_SERVING_AMOUNT && basisAmount <= MAX_SERVING_BASIS_AMOUNT;
}

/** A number with its unit, from separate fields. */
export function measuredAmount(value: number, written: string): MeasuredAmount | undefined {
  const found = findMeasuredUnit(written);
  if (found === undefined) return undefined;
  const basisAmount = tidyNumber(value * found.factor * BASIS_PER_UNIT[found.unit]);
  const ownAmount = tidyNumber(value * found.factor);
  if (!isServingAmount(basisAmount) || ownAmount < MIN_SERVING_AMOUNT) return undefined;
  return { value: ownAmount, unit: found.unit, basisAmount };
}

function finer(known: MeasuredAmount | undefined, found: MeasuredAmount): MeasuredAmount {
  if (known === undefined) return found;
  const isCoarse = known.unit === 'oz' || known.unit === 'fl_oz';
  return isCoarse && (found.unit === 'g' || found.unit === 'ml') ? found : known;
}

function householdAmount(value: number, written: string): ServingText['household'] {
  // Some texts divide by 0.
  if (value < MIN_SERVING_AMOUNT || !Number.isFinite(value)) return undefined;
  const unit = findHouseholdUnit(written);
  return unit === undefined || findMeasuredUnit(written) !== undefined
    ? undefined
    : { value: tidyNumber(value), unit };
}

const FRACTIONS: Readonly<Record<string, number>> = {
  '½': 1 / 2,
  '⅓': 1 / 3,
  '⅔': 2 / 3,
  '¼': 1 / 4,
  '¾': 3 / 4,
  '⅛': 1 / 8,
};

/** Parses "1 1/2", "1/3", "½", "2,5", "1,000": a comma before three digits separates thousands. */
function parseAmount(text: string): number {
  const fraction = FRACTIONS[text.at(-1)!];
  if (fraction !== undefined) return Number(text.slice(0, -1) || 0) + fraction;
  const parts = /^(?:(\d+)\s+)?(\d+)\s*\/\s*(\d+)$/.exec(text);
  if (parts !== null) return Number(parts[1] ?? 0) + Number(parts[2]) / Number(parts[3]);
  return Number(/^[1-9]\d{0,2},\d{3}$/.test(text) ? text.replace(',', '') : text.replace(',', '.'));
}

/** GS1 texts swap the parts around a bar: "1.0 CUP COOKED) | (DRY RICE, MAKES" is "(DRY RICE, MAKES 1.0 CUP COOKED)". */
const TURNED = /^([^|]*)\|([^|(]*(?:\([^|)]*)?)(\([^|]*\))?$/;

function tidyText(text: string): string {
  const clean = cleanText(text.slice(0, MAX_TEXT_LENGTH));
  const turned = TURNED.exec(clean);
  if (turned === null) return clean;
  return turned
    .slice(1)
    .map((part) => part?.trim() ?? '')
    .reduce((before, part, index) => (index === 1 ? `${part} ${before}` : `${before} ${part}`))
    .trim();
}

/** Amounts that are also given as numbers. */
const NOISE = /(?<![\p{L}\d])\d+(?:[.,]\d+)?\s*(?:g|gr|grm|gram|grams|m|ml|mlt)\.?(?![\p{L}\d])/giu;

function labelOf(text: string): string {
  const words = text.replace(NOISE, '');
  if (!/\p{L}/u.test(words) || findMeasuredUnit(words) !== undefined) return '';
  const softened = /\p{Ll}/u.test(words) ? text : text.toLowerCase();
  const label = softened
    .replace(/\bonz\b/gi, 'oz')
    .replace(/\boza\b/gi, 'fl oz')
    .replace(/\bgrm\b/gi, 'g')
    .replace(/\bmlt\b/gi, 'ml')
    .replace(/\d+[.,]\d+/g, (number) => (number.includes(',') ? number : String(tidyNumber(Number(number)))));
  return label.slice(0, MAX_LABEL_LENGTH).trim();
}
