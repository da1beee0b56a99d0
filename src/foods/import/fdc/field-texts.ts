/** `food_attribute_type`: other names of a food, in SR Legacy and survey foods. */
export const COMMON_NAME = 1000;
export const ADDITIONAL_DESCRIPTION = 1001;

export const MAX_FDC_ALIASES = 60;

/** Codes of meat cuts and recipes, and remarks about whole groups, which nobody searches for. */
const NO_NAME = /^(URMIS|NFSMI|NS\b|any |all |with or without |home recipe$|family style$|school lunch$)/i;
const MIN_ALIAS_LENGTH = 3;

/**
 * The aliases in an attribute of one of the two types; `name` is the food's name. Common names are aliases.
 * Additional descriptions name what else belongs to a food ("banana" for "Frozen daiquiri"), so they count only with
 * the food's name. Codes and names are comma-separated.
 */
export function aliasesIn(attributeType: number, value: string, name: string): string[] {
  if (attributeType === COMMON_NAME) return namesIn(value, /[;,]/);
  if (attributeType !== ADDITIONAL_DESCRIPTION) return [];
  const head = name.split(',', 1)[0];
  return namesIn(value, ';').map((description) => `${head} ${description}`);
}

function namesIn(value: string, separator: string | RegExp): string[] {
  return value
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part.length >= MIN_ALIAS_LENGTH && !NO_NAME.test(part));
}

/** Unix seconds of `2024-10-31` (CSV) or `4/1/2019` (JSON), midnight UTC; undefined for anything else. */
export function parseFdcDate(text: string): number | undefined {
  const iso = /^(\d{4})-(\d{2})-(\d{2})/.exec(text);
  if (iso !== null) return secondsOf(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text);
  if (american === null) return undefined;
  return secondsOf(Number(american[3]), Number(american[1]), Number(american[2]));
}

function secondsOf(year: number, month: number, day: number): number | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 1970;
  return isReal ? date.getTime() / 1000 : undefined;
}

/** Texts without information about the serving. */
const EMPTY_PHRASE = /^(none|n\/?a|(amount ?)?(per|\/) ?serving)\.?$/i;

/** Decimals that labels print as fractions, in both roundings. */
const FRACTIONS: Readonly<Record<string, string>> = {
  '.125': '1/8',
  '.13': '1/8',
  '.2': '1/5',
  '.25': '1/4',
  '.33': '1/3',
  '.333': '1/3',
  '.375': '3/8',
  '.5': '1/2',
  '.66': '2/3',
  '.666': '2/3',
  '.67': '2/3',
  '.667': '2/3',
  '.75': '3/4',
};

/**
 * The household serving of a branded food with its number as people write it: `0.333 cup` → `1/3 cup`. Undefined if
 * the text has no information.
 */
export function householdText(source: string): string | undefined {
  const text = source.trim();
  if (text === '' || EMPTY_PHRASE.test(text)) return undefined;
  return text.replace(/^\d{1,4}\.\d{1,4}(?= (?!grm|mlt|g\b|ml\b)[a-z])/i, (decimal) =>
    toFraction(Number(decimal)),
  );
}

/** A number as people write amounts of food: `0.5` → `1/2`, `1.25` → `1 1/4`, `2` → `2`, `1.4` → `1.4`. */
export function toFraction(amount: number): string {
  const whole = Math.floor(amount);
  const decimals = (amount - whole).toFixed(3).replace(/^0|0+$/g, '');
  const fraction = FRACTIONS[decimals];
  if (fraction === undefined) return String(Number(amount.toFixed(3)));
  return whole === 0 ? fraction : `${whole} ${fraction}`;
}
