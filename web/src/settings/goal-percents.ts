import { numberOf, typedNumber } from '../amounts/typed-number.ts';
import { gramsOf, MACRO_KEYS, type Macro, percentOf } from '../parts/macro-energy.ts';

/** Shares of the energy as they are typed, in percent. */
export type Percents = Readonly<Partial<Record<Macro, string>>>;

/** The grams of shares of an energy as texts; empty where a share or the energy is not known. */
export function gramTexts(percents: Percents, kcal: number): Readonly<Partial<Record<Macro, string>>> {
  const isKnown = kcal > 0;
  return Object.fromEntries(
    MACRO_KEYS.filter((key) => percents[key] !== undefined).map((key) => {
      const text = percents[key]!;
      return [key, text === '' || !isKnown ? '' : rounded(gramsOf(key, numberOf(text), kcal))];
    }),
  );
}

/** The shares that grams are of an energy, as texts. */
export function percentTexts(grams: Readonly<Partial<Record<Macro, string>>>, kcal: number): Percents {
  return Object.fromEntries(
    MACRO_KEYS.map((key) => {
      const text = grams[key] ?? '';
      return [key, text === '' || !(kcal > 0) ? '' : rounded(percentOf(key, numberOf(text), kcal))];
    }),
  );
}

/** Numbers of what was typed, in the form of the settings of the API; undefined for none. */
export function statedPercents(percents: Percents): Readonly<Partial<Record<Macro, number>>> | undefined {
  const stated = MACRO_KEYS.filter((key) => (percents[key] ?? '') !== '');
  if (stated.length === 0) return undefined;
  return Object.fromEntries(stated.map((key) => [key, numberOf(percents[key]!)]));
}

function rounded(value: number): string {
  return typedNumber(Math.round(value * 10) / 10);
}
