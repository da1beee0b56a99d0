import type { PrintedRow } from './read-receipt.ts';

/** What the networks read in place of a €, which their alphabet lacks: after an amount, and at the end of a row in place of the letter of a tax. */
const EURO_BEFORE_SLASH = /(?<=\d[.,]\d{2}\s?)[eEéèÉ€](?=\s?\/)/gu;
const EURO_BEFORE_PRICE = /(?<=\s)[eEé](?=\s{1,3}\d{1,4}[.,]\d{2}\s*$)/u;
const EURO_AT_END = /(?<=\d[.,]\d{2}\s{0,2})[eEéèÉ'’(%]\s*$/u;
const EURO_WITHIN = /(?<=\d[.,]\d{2}\s?)[eEé%](?=\s)/gu;
const PRICE_WITH_MORE = /\d[.,]\d{2}\s{0,2}\D?\s*$/u;
/** Likewise for a £. */
const POUND = /(?<=^|[\s@x×-])[fF](?=\d{1,4}[.,]\d{2}(?!\d))/gu;
/** Share of priced rows that end like this for it to be a €. */
const MOST_ROWS = 0.5;

/** Puts the signs of currencies in place of the letters that the networks read instead. */
export function withCurrencySigns(rows: readonly PrintedRow[]): PrintedRow[] {
  const priced = rows.filter(({ text }) => PRICE_WITH_MORE.test(text));
  const ending = priced.filter(({ text }) => EURO_AT_END.test(text));
  const hasEuro = ending.length > MOST_ROWS * priced.length;
  return rows.map(({ text, confidence }) => {
    const signed = text.replace(POUND, '£').replace(EURO_BEFORE_SLASH, '€').replace(EURO_BEFORE_PRICE, '€');
    return {
      confidence,
      text: hasEuro ? signed.replace(EURO_AT_END, '€').replace(EURO_WITHIN, '€') : signed,
    };
  });
}
