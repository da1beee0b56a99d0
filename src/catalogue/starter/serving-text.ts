import type { Basis, Serving } from '../food/food.ts';

const SERVING =
  /^(?<amount>\d+(?:\.\d+)?|\d+\/\d+) (?<unit>[^=,]+)(?:, [^=]+)?=(?<basisAmount>\d+(?:\.\d+)?)$/u;

/**
 * A serving as the tables write it, for example `1 medium=118`, `1/2 cup, sliced=52` or `2 tbsp=32`: amount and
 * household unit, and after the equals sign the same amount in the food's basis. Undefined for anything else.
 */
export function parseServing(text: string, basis: Basis): Serving | undefined {
  const groups = SERVING.exec(text)?.groups;
  if (groups === undefined) return undefined;
  const value = toNumber(groups['amount']!);
  const basisAmount = Number(groups['basisAmount']);
  if (!(value > 0 && basisAmount > 0 && Number.isFinite(value))) return undefined;
  const household = text.slice(0, text.lastIndexOf('='));
  return { value, unit: groups['unit']!, basisAmount, label: `${household} (${basisAmount} ${basis})` };
}

function toNumber(amount: string): number {
  const [numerator, denominator] = amount.split('/');
  return denominator === undefined ? Number(numerator) : Number(numerator) / Number(denominator);
}
