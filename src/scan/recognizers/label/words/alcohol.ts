import { toNumber } from './amounts.ts';

/** Density of ethanol in g/ml at 20 °C; x % of the volume are x times this many g in 100 ml. */
const GRAMS_PER_PERCENT = 0.789;
const NUMBER = String.raw`(?<![\d.,])(\d{1,2}(?:[.,]\d{1,2})?)\s?%`;
/** "alc. 5.0% vol", "5 % vol.", "Alkohol: 5 %", "5% ABV". */
const STATED = [
  new RegExp(String.raw`${NUMBER}\s?(?:by\s)?(?:vol\b|abv\b|alc\b|alk\b)`, 'iu'),
  new RegExp(
    String.raw`\b(?:alc|alk|alcohol|alkohol|alcool|abv|teor alco[oó]lico)\b\P{L}{0,4}${NUMBER}`,
    'iu',
  ),
];

/** The grams of alcohol in 100 ml of a drink, from the strength that its label states. */
export function gramsOfAlcohol(texts: readonly string[]): number | undefined {
  for (const text of texts) {
    for (const pattern of STATED) {
      const percent = toNumber(pattern.exec(text)?.[1] ?? '');
      if (percent !== undefined) return percent * GRAMS_PER_PERCENT;
    }
  }
  return undefined;
}
