const RULES = new Intl.PluralRules('pl');

/** Words for a count in Polish, `other` for fractions. A count that is a text has been formatted: its digits are counted. */
export function counted(
  count: number | string,
  forms: Readonly<Record<'one' | 'few' | 'many' | 'other', string>>,
): string {
  const number = typeof count === 'number' ? count : Number(count.replaceAll(/\D/g, ''));
  return forms[RULES.select(number) as keyof typeof forms];
}
