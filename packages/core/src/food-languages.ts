/**
 * The languages in which foods have names, beside those of their source. Append only: the position is part of the
 * file format.
 */
export const FOOD_LANGUAGES = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'pt',
  'nl',
  'pl',
  'sv',
  'da',
  'nb',
  'fi',
  'cs',
  'hu',
  'ro',
  'el',
  'ru',
  'uk',
  'tr',
  'ar',
  'he',
  'ja',
  'zh',
  'ko',
  'hi',
  'hi-Latn',
] as const;
export type FoodLanguage = (typeof FOOD_LANGUAGES)[number];

/** Names of one food by language, the usual one first. */
export type LocalNames = Readonly<Partial<Record<FoodLanguage, readonly string[]>>>;

/** Codes that name a language by another tag. */
const OTHER_TAGS: Readonly<Record<string, FoodLanguage>> = { no: 'nb', nn: 'nb', iw: 'he' };

/** The language of a tag such as "de-AT" or "zh-Hans"; undefined for other languages. */
export function foodLanguageOf(tag: string): FoodLanguage | undefined {
  const lower = tag.toLowerCase();
  if (/^hi-latn\b/.test(lower)) return 'hi-Latn';
  const [primary = ''] = lower.split(/[-_]/, 1);
  return OTHER_TAGS[primary] ?? FOOD_LANGUAGES.find((code) => code === primary);
}

/** The known languages of the tags, without repetition; Hindi is written in two scripts, and both are looked through. */
export function foodLanguagesOf(tags: readonly string[]): FoodLanguage[] {
  const known = tags.map(foodLanguageOf).filter((code) => code !== undefined);
  const withScripts = known.flatMap((code): FoodLanguage[] =>
    code === 'hi' ? ['hi', 'hi-Latn'] : code === 'hi-Latn' ? ['hi-Latn', 'hi'] : [code],
  );
  return [...new Set(withScripts)];
}
