import type { DrawnLabel } from './label-kind.ts';

/** The result of reading a label, per 100. */
export interface ReadValues {
  readonly per100: Readonly<Record<string, number | undefined>>;
  readonly serving: { readonly basisAmount: number };
}

const KEYS = ['energy', 'fat', 'saturatedFat', 'carbohydrates', 'sugars', 'fiber', 'protein', 'sodium'];
/** A value computed from a serving has its rounding. */
const COMPUTED_G = 0.35;
const SODIUM = { mg: 5, share: 0.02, computedMg: 130 } as const;
const ENERGY = { kcal: 1, share: 0.01 } as const;
const ROUNDING_G = 0.011;

/** Compares the result with the values that a person reads. For a label without food no result is right. */
export function judged(
  { values, covered, servingAmount, limits = {} }: DrawnLabel,
  { per100, serving }: ReadValues,
) {
  const wrong: string[] = [];
  const missing: string[] = [];
  for (const key of KEYS) {
    const [printed, read] = [values?.[key], per100[key]];
    if (printed === undefined && read !== undefined) wrong.push(`${key} ${read}`);
    if (printed === undefined || (read === undefined && key === covered)) continue;
    if (read === undefined) missing.push(key);
    else if (limits[key] !== undefined && read >= 0 && read <= limits[key]) continue;
    else if (Math.abs(read - printed) > slackOf(key, printed, key === covered))
      wrong.push(`${key} ${read} for ${printed}`);
  }
  const amount = serving.basisAmount;
  if (servingAmount !== undefined && Math.abs(amount - servingAmount) > 0.01)
    wrong.push(`serving ${amount} for ${servingAmount}`);
  return { wrong, missing };
}

function slackOf(key: string, printed: number, isComputed: boolean): number {
  if (key === 'energy') return Math.max(ENERGY.kcal, ENERGY.share * printed);
  if (key === 'sodium') return isComputed ? SODIUM.computedMg : Math.max(SODIUM.mg, SODIUM.share * printed);
  return isComputed ? COMPUTED_G : ROUNDING_G;
}
