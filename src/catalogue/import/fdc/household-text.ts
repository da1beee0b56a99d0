/** Says no more than that there is a serving. */
const EMPTY_PHRASE = /^(none|n\/?a|(amount ?)?(per|\/) ?serving)\.?$/i;

/** Decimals that labels print as fractions; both roundings of each occur. */
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
 * The household serving of a branded food with its number as people write it: `0.333 cup` → `1/3 cup`. Undefined
 * where the text says nothing.
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
