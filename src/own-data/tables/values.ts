import { fold } from '@larder/core/words/tokenise.ts';
import type { MealType } from '../../diary/records/entry.ts';
import { parseMeasure } from '../../diary/records/units.ts';
import { type DecimalMark, readNumber } from '../../foods/import/table/numbers.ts';

/** The eaten amount of a food, as far as it is stated. */
export interface StatedAmount {
  readonly quantity?: number;
  readonly unit?: string;
}

const WEIGHT_AT_END = /,\s*(\d+(?:[.,]\d+)?)\s*(g|ml)$/i;
const COUNT = /^\s*(?:\d+\s+)?\d+\s*\/\s*\d+|^\s*\d+(?:[.,]\d+)?/;

/** Reads "150.00 g", "1 1/2 cupcakes (2-3/4" dia)" or "2 x 1 oz, 56 g". A weight at the end takes precedence. */
export function readAmount(text: string, mark: DecimalMark): StatedAmount {
  const tidy = text.trim().replace(/\s+/g, ' ');
  const [, weight, measure] = WEIGHT_AT_END.exec(tidy) ?? [];
  if (weight !== undefined) {
    const quantity = readNumber(weight, weight.includes(',') ? ',' : '.');
    if (typeof quantity === 'number') return { quantity, unit: measure!.toLowerCase() };
  }
  const found = COUNT.exec(tidy)?.[0];
  if (found === undefined) return tidy === '' ? {} : { quantity: 1, unit: tidy };
  const unit = tidy
    .slice(found.length)
    .replace(/^\s*x\s+/i, '')
    .trim();
  const plain = readNumber(found, mark);
  const quantity = typeof plain === 'number' ? plain : parseMeasure(`${found} x`).count;
  return { quantity, ...(unit !== '' && { unit }) };
}

/**
 * Text that a spreadsheet would run as a formula (OWASP, "CSV Injection"), full-width signs included, which some convert.
 * Apostrophes before it are part of the text.
 */
const FORMULA = /^'*[=+\-@\t\r＝＋－＠]/;

/** An apostrophe in front makes a formula text. Numbers of the diary are never negative, so none of them is touched. */
export function guardFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** Undoes `guardFormula`. */
export function unguardFormula(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}

/** Names of meals in English, German, French, Spanish, Italian and Portuguese, folded. */
const NAMES: Readonly<Record<MealType, string>> = {
  breakfast:
    'breakfast|morning|fruhstuck|fruehstuck|petit dejeuner|petit-dejeuner|desayuno|colazione|prima colazione|cafe da manha|pequeno almoco|pequeno-almoco',
  lunch: 'lunch|midday|mittagessen|mittag|dejeuner|almuerzo|comida|pranzo|almoco',
  dinner: 'dinner|supper|evening|abendessen|abendbrot|diner|souper|cena|jantar',
  snacks:
    'snack|snacks|snacks/other|other|snack/other|zwischenmahlzeit|zwischenmahlzeiten|snacks/sonstiges|sonstiges|snacks/andere|collation|collations|gouter|en-cas|en-cas/autre|encas|merienda|meriendas|tentempie|tentempies|spuntino|spuntini|merenda|lanche|lanches|lanches/outros|tentempies/otros|spuntini/altro',
};

const MEALS: ReadonlyMap<string, MealType> = new Map(
  Object.entries(NAMES).flatMap(([meal, names]) => names.split('|').map((name) => [name, meal as MealType])),
);

/** The meal that a name means in one of six languages; undefined for other names, such as "Post-Workout". */
export function mealNamed(name: string): MealType | undefined {
  return MEALS.get(fold(name).trim().replace(/\s+/g, ' '));
}
