/**
 * Format of GS1 application identifiers (AIs) in an element string. Source: GS1 General Specifications, "GS1
 * Application Identifiers in numerical order" and "Element strings with predefined length using GS1
 * Application Identifiers".
 */

/** One identifier with its value. */
export interface Element {
  readonly ai: string;
  readonly value: string;
}

/** Number of digits of an identifier, by its first two. */
const IDENTIFIER_DIGITS: ReadonlyMap<string, number> = new Map([
  ...of(2, '00 01 02 03 10 11 12 13 15 16 17 20 21 22 30 37 90 91 92 93 94 95 96 97 98 99'),
  ...of(3, '23 24 25 40 41 42 71'),
  ...of(4, '31 32 33 34 35 36 39 43 70 72 80 81 82'),
]);

/** Number of digits of values with a predefined length, by the first two digits of the identifier. */
const PREDEFINED_DIGITS: ReadonlyMap<string, number> = new Map([
  ...of(18, '00'),
  ...of(14, '01 02 03'),
  ...of(6, '11 12 13 15 16 17 31 32 33 34 35 36'),
  ...of(2, '20'),
  ...of(13, '41'),
]);

/** Formats of further values that are read here; all others are texts. */
const FORMS: readonly (readonly [ai: RegExp, form: RegExp])[] = [
  [/^(?:10|21|22)$/, /^[!-z]{1,20}$/],
  [/^(?:30|37)$/, /^\d{1,8}$/],
  [/^(?:390|392)\d$/, /^\d{1,15}$/],
  [/^(?:391|393)\d$/, /^\d{4,18}$/],
  [/^(?:8006|8026)$/, /^\d{18}$/],
];
const TEXT = /^[!-z]{1,90}$/;

const MAX_IDENTIFIER_DIGITS = 4;

/** The identifier at the start of `text`; undefined if there is none. */
export function identifierAt(text: string, at: number): string | undefined {
  const digits = IDENTIFIER_DIGITS.get(text.slice(at, at + 2));
  if (digits === undefined) return undefined;
  const ai = text.slice(at, at + digits);
  return ai.length === digits && /^\d+$/.test(ai) ? ai : undefined;
}

/** The length of the identifier's value; undefined if a separator ends it. */
export function predefinedDigits(ai: string): number | undefined {
  return PREDEFINED_DIGITS.get(ai.slice(0, 2));
}

/** Whether `ai` is an identifier and `value` is valid for it. */
export function isElement({ ai, value }: Element): boolean {
  if (ai.length > MAX_IDENTIFIER_DIGITS || identifierAt(ai, 0) !== ai) return false;
  const digits = predefinedDigits(ai);
  if (digits !== undefined) return value.length === digits && /^\d+$/.test(value);
  return (FORMS.find(([of]) => of.test(ai))?.[1] ?? TEXT).test(value);
}

function of(digits: number, identifiers: string): [string, number][] {
  return identifiers.split(' ').map((each) => [each, digits]);
}
