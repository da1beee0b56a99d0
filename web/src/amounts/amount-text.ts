import { texts as en } from '../texts/en.ts';
import { LANGUAGES } from '../texts/languages.ts';
import { language, locale, numbers, texts } from '../texts/texts.ts';

type UnitKey = keyof typeof en.unitForms;
/** The English singular and plural, which units of foods are in, to the unit. */
const KEYS: ReadonlyMap<string, UnitKey> = new Map(
  Object.entries(en.unitForms).flatMap(([key, forms]) =>
    [key, ...forms.split('|')].map((word) => [word, key as UnitKey] as const),
  ),
);
const LAST_WORD = /^((?:[^,]* )?)([^ ,]+)(,.*)?$/;

/** A number before a unit, as labels of servings have it: "10 almonds (12 g)", "1/4 block (81 g)", "1 1/2 cups". */
const COUNT = /^(?:(\d+(?:[.,]\d+)?)(?![-\d/]))?(?:\s*(\d+)\s*\/\s*(\d+))?\s+/;
/** What a label says in other words. */
const PARENTHESES = /\s*\([^)]*\)/g;
export const FRACTIONS = [
  [1 / 4, '¼'],
  [1 / 3, '⅓'],
  [1 / 2, '½'],
  [2 / 3, '⅔'],
  [3 / 4, '¾'],
] as const;
/** Written as 0.33 or 0.333. */
export const FRACTION_ERROR = 0.004;
/** Larger counts are no longer said in fractions. */
const MAX_FRACTIONS = 10;
/** Units of weight and volume, which are not written as fractions. */
export const MEASURES: ReadonlySet<string> = new Set([
  'g',
  'ml',
  'kg',
  'mg',
  'l',
  'cl',
  'dl',
  'oz',
  'fl_oz',
  'lb',
]);

/** An amount as a person would say it: `2 slices`, `¼ block`, `355 g`. A unit without a number counts as the name of one. */
export function amountText(quantity: number | undefined, unit: string | undefined): string {
  if (quantity === undefined) return '';
  const { count, name } = countedUnit(unit ?? '');
  const amount = quantity * count;
  const fraction = MEASURES.has(name) || name === '' ? undefined : fractionText(amount);
  // Languages of more forms have one for fractions: "½ filiżanki".
  const isOne = amount <= 1 && fraction !== undefined && LANGUAGES[language.value].length === 2;
  const form = isOne ? 'one' : new Intl.PluralRules(locale.value).select(amount);
  return `${fraction ?? roundedText(amount)} ${formOf(name, form)}`.trim();
}

/** The name of one of a unit: `slice` for "slice" and "slices", in the language of the page where it is known. */
export function unitName(unit: string): string {
  return formOf(unit, 'one');
}

/** The number that a unit has before its name, and the name. */
export function countedUnit(unit: string): { count: number; name: string } {
  const plain = unit.replace(PARENTHESES, '').trim();
  const found = COUNT.exec(plain);
  if (found === null || found[0].trim() === '') return { count: 1, name: plain || unit };
  const [matched, whole = '0', above = '0', below = '1'] = found;
  const count = Number(whole.replace(',', '.')) + Number(above) / Number(below);
  return count > 0 && Number.isFinite(count)
    ? { count, name: plain.slice(matched.length) }
    : { count: 1, name: plain };
}

/** Singular or plural. Of several words the last one changes, "large slices, thin"; words that the table lacks stay as they are. */
function formOf(unit: string, form: Intl.LDMLPluralRule): string {
  const [, before = '', word = '', after = ''] = LAST_WORD.exec(unit) ?? [];
  // The other words of a unit are English.
  const isAlone = before === '' && after === '';
  const key = isAlone || language.value === 'en' ? KEYS.get(word) : undefined;
  if (key === undefined) return unit;
  const forms = texts.value.unitForms[key].split('|');
  const at = (LANGUAGES[language.value] as readonly string[]).indexOf(form);
  return `${before}${forms.at(at)}${after}`;
}

/** As many digits as an amount of that size deserves: 355.05 becomes 355, 12.34 becomes 12.3; 0.5 and 1.25 stay. */
function roundedText(amount: number): string {
  const { whole, precise } = numbers.value;
  if (amount >= 100) return whole(amount);
  return precise(amount >= 10 ? Math.round(amount * 10) / 10 : amount);
}

/** `¼`, `1½`; undefined for other numbers. */
function fractionText(amount: number): string | undefined {
  const whole = Math.floor(amount);
  const sign = FRACTIONS.find(([size]) => Math.abs(amount - whole - size) < FRACTION_ERROR)?.[1];
  return sign === undefined || whole >= MAX_FRACTIONS ? undefined : `${whole || ''}${sign}`;
}
