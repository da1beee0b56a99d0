const TWO = ['one', 'other'] as const;

/**
 * Languages of the page and the console, with the forms that `unitForms` gives of a unit, by the rules of `Intl.PluralRules`; rules
 * that are missing (those of millions) take the last one. Another language is a row here, a file in each folder beside this one, in
 * `console/texts` and in `installed/texts`.
 */
export const LANGUAGES = {
  en: TWO,
  de: TWO,
  fr: TWO,
  es: TWO,
  it: TWO,
  pt: TWO,
  nl: TWO,
  pl: ['one', 'few', 'many', 'other'],
} as const satisfies Readonly<Record<string, readonly Intl.LDMLPluralRule[]>>;

export type Language = keyof typeof LANGUAGES;

export const LANGUAGE_CODES = Object.keys(LANGUAGES) as readonly Language[];

/** Each with its name in the language itself. */
export function languageChoices(): [Language, string][] {
  return LANGUAGE_CODES.map((code) => {
    const name = new Intl.DisplayNames(code, { type: 'language' }).of(code)!;
    return [code, name.charAt(0).toUpperCase() + name.slice(1)];
  });
}
