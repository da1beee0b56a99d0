/**
 * Languages of the page and the console. Another one is a row here, a file in each folder beside this one, in `console/texts` and in
 * `installed/texts`. `forms`: what `unitForms` gives of a unit, by the rules of `Intl.PluralRules`; rules that are missing (those
 * of millions) take the last one.
 */
export const LANGUAGES = {
  en: { name: 'English', forms: ['one', 'other'] },
  de: { name: 'Deutsch', forms: ['one', 'other'] },
  fr: { name: 'Français', forms: ['one', 'other'] },
  es: { name: 'Español', forms: ['one', 'other'] },
  it: { name: 'Italiano', forms: ['one', 'other'] },
  pt: { name: 'Português', forms: ['one', 'other'] },
  nl: { name: 'Nederlands', forms: ['one', 'other'] },
  pl: { name: 'Polski', forms: ['one', 'few', 'many', 'other'] },
} as const satisfies Readonly<Record<string, LanguageRow>>;

interface LanguageRow {
  /** In the language itself. */
  readonly name: string;
  readonly forms: readonly Intl.LDMLPluralRule[];
}

export type Language = keyof typeof LANGUAGES;

export const LANGUAGE_CODES = Object.keys(LANGUAGES) as readonly Language[];

/** Each in its own language. */
export const LANGUAGE_CHOICES = LANGUAGE_CODES.map((code) => [code, LANGUAGES[code].name] as const);
