import type { DrawnLabel } from './label-kind.ts';

type Values = Readonly<Record<string, number | undefined>>;

/** The result of reading a label, per 100 or of one serving. */
export type ReadValues = {
  readonly serving: { readonly basisAmount?: number | undefined };
} & ({ readonly per100: Values } | { readonly perServing: Values });

const KEYS = ['energy', 'fat', 'saturatedFat', 'carbohydrates', 'sugars', 'fiber', 'protein', 'sodium'];
/** A value computed from a serving has its rounding. */
const COMPUTED_G = 0.35;
const SODIUM = { mg: 5, share: 0.02, computedMg: 130 } as const;
const ENERGY = { kcal: 1, share: 0.01 } as const;
const ROUNDING_G = 0.011;

/** Compares the result with the values that a person reads. For a label without food no result is right. */
export function judged(
  { values, covered, servingAmount, isUnweighed, limits = {} }: DrawnLabel,
  facts: ReadValues,
) {
  const { basisAmount: amount } = facts.serving;
  const wrong = (amount === undefined) === (isUnweighed ?? false) ? [] : [`serving of ${amount}`];
  const missing: string[] = [];
  const scale = 'perServing' in facts && amount !== undefined ? 100 / amount : 1;
  const known = 'perServing' in facts ? facts.perServing : facts.per100;
  for (const key of KEYS) {
    const [printed, own] = [values?.[key], known[key]];
    const read = own === undefined ? undefined : own * scale;
    if (printed === undefined && read !== undefined) wrong.push(`${key} ${read}`);
    if (printed === undefined || (read === undefined && key === covered)) continue;
    if (read === undefined) missing.push(key);
    else if (limits[key] !== undefined && read >= 0 && read <= limits[key]) continue;
    else if (Math.abs(read - printed) > slackOf(key, printed, key === covered))
      wrong.push(`${key} ${read} for ${printed}`);
  }
  if (servingAmount !== undefined && amount !== undefined && Math.abs(amount - servingAmount) > 0.01)
    wrong.push(`serving ${amount} for ${servingAmount}`);
  return { wrong, missing };
}

function slackOf(key: string, printed: number, isComputed: boolean): number {
  if (key === 'energy') return Math.max(ENERGY.kcal, ENERGY.share * printed);
  if (key === 'sodium') return isComputed ? SODIUM.computedMg : Math.max(SODIUM.mg, SODIUM.share * printed);
  return isComputed ? COMPUTED_G : ROUNDING_G;
}
