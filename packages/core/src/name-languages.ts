/**
 * The languages of food names that are distinguished. The position is a bit in the file format, which has 8, so
 * that a further language needs a wider field.
 */
export const NAME_LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl'] as const;
export type NameLanguage = (typeof NAME_LANGUAGES)[number];

/** A set of these languages, as bits; 0 for unknown or other languages. */
export type LanguageBits = number;

export const ENGLISH: LanguageBits = 1;

/** The bit of a language code such as "de" or "de-AT"; 0 for other languages. */
export function languageBit(code: string): LanguageBits {
  const at = (NAME_LANGUAGES as readonly string[]).indexOf(code.slice(0, 2).toLowerCase());
  return at === -1 || /^\p{L}/u.test(code.slice(2)) ? 0 : 1 << at;
}
