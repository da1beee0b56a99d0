import { tidyNumber } from '@larder/core/rounding.ts';
import { cleanText } from './clean-text.ts';
import { findMeasuredUnit } from './units.ts';

const MAX_TEXT_LENGTH = 200;
const MAX_LABEL_LENGTH = 80;

/** GS1 texts swap the parts around a bar: "1.0 CUP COOKED) | (DRY RICE, MAKES" is "(DRY RICE, MAKES 1.0 CUP COOKED)". */
const TURNED = /^([^|]*)\|([^|(]*(?:\([^|)]*)?)(\([^|]*\))?$/;

/** A serving text without markup, its parts in order. */
export function tidyText(text: string): string {
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
const NOISE = /(?<![\p{L}\d])\d+(?:[.,]\d+)?\s*(?:g|gr|grm|gram|grams|m|ml|mlt|mg)\.?(?![\p{L}\d])/giu;

/** The text for people; empty if it says no more than the amounts. */
export function labelOf(text: string): string {
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
