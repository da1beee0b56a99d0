import { locale } from '../texts/texts.ts';
import { FRACTION_ERROR, FRACTIONS, MEASURES } from './amount-text.ts';

/** Decimals that the service keeps. */
const MAX_DECIMALS = 3;
/** Digits that are kept, so that the error of binary fractions is rounded away. */
const SIGNIFICANT_DIGITS = 12;
const FRACTION = /^(?:(\S+) +)?(\d{1,4})\/(\d{1,4})$/;
const PLAIN = /^(?:\d+(?:[.,]\d*)?|[.,]\d+)$/;
/** Digits in groups of three. */
const GROUPED = /^\d{1,3}(?:([.,' ])\d{3})(?:\1\d{3})*(?:(?!\1)[.,]\d*)?$/;

/** The signs that a language writes numbers with. */
export interface NumberSigns {
  readonly decimal: string;
  readonly group: string;
}

/**
 * Reads what people type as an amount: `1.5`, `1,5`, `1,234.5`, `1/2`, `1 1/2`, `1½`, `200+50`, `3x40`. A sign before three digits at the
 * end, as in `1,500`, means what it means in the language of the page. NaN for everything else.
 */
export function numberOf(text: string, signs: NumberSigns = signsOf(locale.peek())): number {
  const plain = text
    .trim()
    // "1½" is "1 1/2".
    .replace(/[¼-¾⅐-⅞]/g, (sign) => ` ${sign.normalize('NFKD')}`)
    .replaceAll('⁄', '/')
    .replace(/[\u00a0\u2009\u202f]/g, ' ')
    .replaceAll('’', "'")
    .replace(/\s*([/+*x×])\s*/gi, '$1')
    .trim();
  const sum = plain
    .split('+')
    .map((product) => product.split(/[*x×]/i).reduce((value, factor) => value * factorOf(factor, signs), 1))
    .reduce((total, value) => total + value, 0);
  return Number(sum.toPrecision(SIGNIFICANT_DIGITS));
}

/** A number as it would be typed in the language of the page; empty for undefined. */
export function typedNumber(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return '';
  return new Intl.NumberFormat(locale.peek(), {
    useGrouping: false,
    maximumFractionDigits: MAX_DECIMALS,
    numberingSystem: 'latn',
  }).format(value);
}

/** An amount as it would be typed: a part of a household unit as a fraction, `1/4`. */
export function typedAmount(value: number | undefined, unit: string): string {
  if (value === undefined) return '';
  const sign = FRACTIONS.find(([size]) => Math.abs(value - size) < FRACTION_ERROR)?.[1];
  return sign === undefined || MEASURES.has(unit)
    ? typedNumber(value)
    : sign.normalize('NFKD').replace('⁄', '/');
}

const NUMBERS_ONLY = /^[\d\s.,'’+*x×/]*$/i;
const NUMBER = /\d[\d.,'’]*/g;

/** What was typed while the page had another language, with the numbers in it as this language writes them. Other texts stay. */
export function retyped<T>(value: T, from: string): T {
  if (typeof value === 'string')
    return (
      NUMBERS_ONLY.test(value)
        ? value.replace(NUMBER, (each) => typedNumber(numberOf(each, signsOf(from))) || each)
        : value
    ) as T;
  if (Array.isArray(value)) return value.map((each) => retyped(each, from)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, retyped(each, from)])) as T;
}

/** The signs of a language. */
export function signsOf(tag: string): NumberSigns {
  const parts = new Intl.NumberFormat(tag, { numberingSystem: 'latn' }).formatToParts(12_345.6);
  const sign = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  return { decimal: sign('decimal'), group: sign('group') };
}

function factorOf(text: string, signs: NumberSigns): number {
  const fraction = FRACTION.exec(text);
  if (fraction === null) return decimalOf(text, signs);
  const [, whole, above, below] = fraction;
  const share = Number(below) === 0 ? Number.NaN : Number(above) / Number(below);
  return whole === undefined ? share : decimalOf(whole, signs) + share;
}

function decimalOf(text: string, signs: NumberSigns): number {
  const group = GROUPED.exec(text)?.[1];
  if (group !== undefined && isGroup(text, group, signs)) {
    const digits = text.replaceAll(group, '');
    return Number(digits.replace(',', '.'));
  }
  return PLAIN.test(text) ? Number(text.replace(',', '.')) : Number.NaN;
}

/** Whether a sign before three digits divides thousands; "0.250" has none. */
function isGroup(text: string, sign: string, { decimal, group }: NumberSigns): boolean {
  if (sign === ' ' || sign === "'") return true;
  const isSingle = text.indexOf(sign) === text.lastIndexOf(sign) && !/[.,]/.test(text.replace(sign, ''));
  return !text.startsWith('0') && (!isSingle || (sign === group && sign !== decimal));
}
