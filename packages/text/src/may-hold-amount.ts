import { inflected, LANGUAGE_CODES, type LanguageTable, TABLES } from './language.ts';
import { fold } from './tokens.ts';

/** Characters of numbers in digits. */
const DIGIT = /[\d½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒]/;
const WORD_END = /[\s.'’-]/;
/** Words that begin an amount without digits, in any language. */
let firstWords: ReadonlySet<string> | undefined;

function firstWordsOf({
  articles,
  cardinals,
  fractions,
  groups,
  vague,
  units,
  sizes,
  endings,
}: LanguageTable): string[] {
  const words = [cardinals, fractions, groups, vague].flatMap((numbers) => Object.keys(numbers));
  const measures = [...Object.values(units), ...Object.values(sizes)].flat();
  return [...articles, ...words, ...measures]
    .flatMap((phrase) => inflected(phrase, endings))
    .map((phrase) => fold(phrase).split(WORD_END, 1)[0]!);
}

/**
 * A fast check: false if a text certainly contains no amount, since it has neither digits nor a counting or measuring
 * word at its beginning.
 */
export function mayHoldAmount(text: string): boolean {
  if (DIGIT.test(text)) return true;
  firstWords ??= new Set(LANGUAGE_CODES.flatMap((code) => firstWordsOf(TABLES[code])));
  const end = text.search(WORD_END);
  return firstWords.has(fold(end < 0 ? text : text.slice(0, end)));
}
