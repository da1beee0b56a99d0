import type { FoodLanguage } from '@larder/core/food-languages.ts';
import SERVING_WORDS from './serving-words.json' with { type: 'json' };

/** Forms of each unit by language: one; one and others; or those of Slavic and Romanian numbers: one, few, many. */
const WORDS: Readonly<Partial<Record<string, Readonly<Partial<Record<string, string>>>>>> = SERVING_WORDS;
/** A label of the shipped foods: "1 slice (28 g)", "1/2 cup, sliced (52 g)". */
const LABEL =
  /^(?<amount>\d+(?:\.\d+)?|\d+\/\d+) (?<unit>\p{L}+?)s?(?:, [^()]+)?(?<measure> \([\d.]+ (?:g|ml)\))$/u;
const MEASURE = /[\d.]+/;

/** The label in a language: "1 Scheibe (28 g)". Labels in other words than the known ones stay as they are. */
export function servingLabelIn(
  label: string | undefined,
  language: FoodLanguage | undefined,
): string | undefined {
  const words = language === undefined ? undefined : WORDS[language];
  const parts = words === undefined ? undefined : LABEL.exec(label ?? '')?.groups;
  const { amount = '', unit = '', measure = '' } = parts ?? {};
  const forms = words?.[unit]?.split('|');
  if (forms === undefined) return label;
  const numbers = new Intl.NumberFormat(language);
  const inLanguage = (text: string) => (text.includes('/') ? text : numbers.format(Number(text)));
  const word = formFor(amount, forms, language!);
  return `${inLanguage(amount)} ${word}${measure.replace(MEASURE, inLanguage)}`;
}

function formFor(amount: string, forms: readonly string[], language: FoodLanguage): string {
  const [one = '', few = one, many = few] = forms;
  const [numerator, denominator = '1'] = amount.split('/');
  const value = Number(numerator) / Number(denominator);
  // Half a cup is named as one is.
  const category = new Intl.PluralRules(language).select(value < 1 ? 1 : value);
  if (category === 'one') return one;
  if (forms.length === 2 && language === 'ar') return category === 'few' ? few : one;
  return category === 'many' ||
    (category === 'other' && language === 'ro') ||
    (forms.length === 3 && category === 'other' && Number.isInteger(value))
    ? many
    : few;
}
