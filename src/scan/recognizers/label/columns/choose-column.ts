import {
  KJ_PER_KCAL,
  MG_SODIUM_PER_G_SALT,
  NUTRIENT,
  NUTRIENTS,
  type Nutrient,
  type Nutrients,
  type PartialNutrients,
} from '@larder/core/nutrients.ts';
import { COST_LOST_POINT } from '../words/amounts.ts';
import type { NamedPolyols } from '../words/polyols.ts';
import type { Candidate, Column } from './columns.ts';

/** The values of a consistent column. */
export interface SettledColumn {
  readonly nutrients: Nutrients;
  /** Sum of the readings' costs; 0 if all are literal. */
  readonly cost: number;
  /** Difference in kcal between the energy and that of the nutrients, beyond the tolerance of fibre and polyols. */
  readonly gapKcal: number;
  readonly toleranceKcal: number;
}

/**
 * General Atwater factors; EU regulation 1169/2011, annex XIV, for fibre. Polyols and fibre may be part of the
 * carbohydrates or not.
 */
const KCAL = { protein: 4, carbohydrates: 4, fat: 9, fiber: 2, alcohol: 7 } as const;
/** Possible kcal/g of polyols: 2.4 in the European Union, 0 for erythritol, 1.6 to 2.6 in the United States. */
const POLYOL_KCAL = {
  row: { least: 0, most: 2.8 },
  erythritol: { least: 0, most: 0.3 },
  other: { least: 2, most: 2.8 },
} as const;
/** Foods deviate from the general factors by about this much: nuts, pulses, cocoa. */
const RELATIVE_TOLERANCE = 0.05;
const LEAST_TOLERANCE_KCAL = 3;
/**
 * Rounding tolerance as a multiple of the roundings' root sum of squares, because they rarely all have one direction.
 */
const ROUNDING_SPREAD = 1.5;
/** Maximum difference of kcal and kJ of one food, as a share, because some labels compute both from nutrients. */
const UNIT_TOLERANCE = 0.03;
const COST_UNITS_DISAGREE = 1.5;
/** Readings that deviate more from the recognized text are guesses. */
const MOST_COST = 5;
const MAX_KCAL_PER_G = 9.05;
/** US labels round energy to 5 kcal up to 50, to 10 above (21 CFR 101.9). */
const US_STEP_KCAL = 10;

/** Statements of a label outside its table. */
export interface OutsideTable {
  /** g in 100 ml. */
  readonly alcoholPer100?: number | undefined;
  readonly polyols?: NamedPolyols | undefined;
}

interface Part {
  readonly of: 'protein' | 'carbohydrates' | 'fat';
  readonly candidate: Candidate;
}

/**
 * The cheapest readings whose energy fits their nutrients and that fit into `amount` g or ml. Undefined if there are
 * none, or a required number is not printed.
 */
export function settleColumn(
  column: Column,
  amount: number,
  { alcoholPer100, polyols }: OutsideTable = {},
): SettledColumn | undefined {
  const grams = alcoholPer100 === undefined ? undefined : (alcoholPer100 * amount) / 100;
  const own = withAlcohol(column, grams);
  return settleBest(own, amount) ?? (polyols && settleBest(own, amount, polyols));
}

/** Drinks state their alcohol in per cent of the volume. */
function withAlcohol(column: Column, grams: number | undefined): Column {
  if (grams === undefined || column.nutrients.has('alcohol')) return column;
  const alcohol = [{ value: grams, cost: 0, rounding: 0 }];
  return { ...column, nutrients: new Map([...column.nutrients, ['alcohol', alcohol]]) };
}

/** With `polyols` all carbohydrates that are neither sugars nor fibre count as polyols. */
function settleBest(column: Column, amount: number, polyols?: NamedPolyols): SettledColumn | undefined {
  const { nutrients } = column;
  const [proteins, carbs, fats] = (['protein', 'carbohydrates', 'fat'] as const).map((key) =>
    nutrients.get(key),
  );
  const energies = energiesOf(column);
  if (proteins === undefined || carbs === undefined || fats === undefined || energies.length === 0)
    return undefined;
  let best: { settled: SettledColumn; rank: number } | undefined;
  for (const energy of energies) {
    for (const protein of proteins) {
      for (const carbohydrates of carbs) {
        for (const fat of fats) {
          const settled = settle(column, amount, { energy, protein, carbohydrates, fat }, polyols);
          if (settled === undefined) continue;
          const rank = settled.cost + 0.5 * (settled.gapKcal / settled.toleranceKcal);
          if (best === undefined || rank < best.rank) best = { settled, rank };
        }
      }
    }
  }
  return best?.settled;
}

interface Chosen {
  readonly energy: Candidate;
  readonly protein: Candidate;
  readonly carbohydrates: Candidate;
  readonly fat: Candidate;
}

function settle(
  column: Column,
  amount: number,
  chosen: Chosen,
  named: NamedPolyols | undefined,
): SettledColumn | undefined {
  const { energy, protein, carbohydrates, fat } = chosen;
  const slack = protein.rounding + carbohydrates.rounding + fat.rounding;
  if (protein.value + carbohydrates.value + fat.value > amount + slack) return undefined;
  if (energy.value > MAX_KCAL_PER_G * amount + energy.rounding) return undefined;
  const { gapKcal, toleranceKcal } = energyGap(column, chosen, named);
  if (gapKcal > toleranceKcal) return undefined;
  const others = othersOf(column, amount, chosen);
  const cost = protein.cost + carbohydrates.cost + fat.cost + others.cost;
  // Values that are all ten times too small are consistent as well.
  if (energy.cost + cost > MOST_COST || (energy.cost >= COST_LOST_POINT && cost >= COST_LOST_POINT))
    return undefined;
  return {
    nutrients: {
      energy: energy.value,
      protein: protein.value,
      fat: fat.value,
      carbohydrates: carbohydrates.value,
      ...others.nutrients,
    },
    cost: energy.cost + cost,
    gapKcal,
    toleranceKcal,
  };
}

function energyGap(
  column: Column,
  { energy, ...main }: Chosen,
  named: NamedPolyols | undefined,
): { gapKcal: number; toleranceKcal: number } {
  const gramsOf = (key: 'fiber' | 'polyols' | 'alcohol') => column.nutrients.get(key)?.[0]?.value ?? 0;
  const fiber = gramsOf('fiber');
  const certain = KCAL.protein * main.protein.value + KCAL.fat * main.fat.value;
  const carbs = main.carbohydrates.value;
  const [polyols, kcal] = named
    ? [Math.max(0, carbs - fiber - (column.nutrients.get('sugars')?.[0]?.value ?? 0)), POLYOL_KCAL[named]]
    : [gramsOf('polyols'), POLYOL_KCAL.row];
  const others = carbs - polyols;
  const low = certain + KCAL.carbohydrates * Math.max(0, others - fiber) + kcal.least * polyols;
  const high =
    certain +
    KCAL.carbohydrates * (polyols > carbs ? carbs : others) +
    kcal.most * polyols +
    KCAL.fiber * fiber +
    KCAL.alcohol * gramsOf('alcohol');
  const parts: Part[] = (['protein', 'carbohydrates', 'fat'] as const).map((of) => ({
    of,
    candidate: main[of],
  }));
  const roundings = parts.map(({ of, candidate }) => KCAL[of] * candidate.rounding);
  const toleranceKcal =
    ROUNDING_SPREAD * Math.hypot(energy.rounding, ...roundings) +
    Math.max(LEAST_TOLERANCE_KCAL, RELATIVE_TOLERANCE * energy.value);
  return { gapKcal: Math.max(0, low - energy.value, energy.value - high), toleranceKcal };
}

/** Energies in kcal: those on which printed kcal and kJ agree, or either alone at a cost. */
function energiesOf({ kcal, kj }: Column): Candidate[] {
  const fromKj = kj.map(({ value, cost, rounding }) => ({
    value: value / KJ_PER_KCAL,
    cost,
    rounding: rounding / KJ_PER_KCAL,
  }));
  const inKcal = kcal.map((candidate) => ({ ...candidate, rounding: kcalRounding(candidate) }));
  if (kcal.length === 0 || kj.length === 0) return [...inKcal, ...fromKj];
  const agreeing = inKcal.filter(({ value, rounding }) =>
    fromKj.some(
      (other) => Math.abs(other.value - value) <= UNIT_TOLERANCE * value + rounding + other.rounding,
    ),
  );
  if (agreeing.length > 0) return agreeing.map((candidate) => ({ ...candidate, cost: 0 }));
  return [...inKcal, ...fromKj].map((candidate) => ({
    ...candidate,
    cost: candidate.cost + COST_UNITS_DISAGREE,
  }));
}

function kcalRounding({ value, rounding }: Candidate): number {
  if (value >= 5 * US_STEP_KCAL && value % US_STEP_KCAL === 0) return Math.max(rounding, US_STEP_KCAL / 2);
  return value % (US_STEP_KCAL / 2) === 0 ? Math.max(rounding, US_STEP_KCAL / 4) : rounding;
}

const OPTIONAL_NUTRIENTS = NUTRIENTS.filter(({ isRequired }) => !isRequired);

/** The other nutrients, if consistent: sugars up to the carbohydrates, saturated fat up to the fat. */
function othersOf({ nutrients: read }: Column, amount: number, chosen: Chosen) {
  const nutrients: PartialNutrients = {};
  let cost = 0;
  const salt = read.get('salt')?.map(({ value, cost: slip, rounding }) => ({
    value: value * MG_SODIUM_PER_G_SALT,
    cost: slip,
    rounding: rounding * MG_SODIUM_PER_G_SALT,
  }));
  for (const nutrient of OPTIONAL_NUTRIENTS) {
    const { key } = nutrient;
    const candidates =
      key === 'energy' ? undefined : (read.get(key) ?? (key === 'sodium' ? salt : undefined));
    if (candidates === undefined) continue;
    const most = mostOf(nutrient, amount, chosen);
    const found = candidates.find(({ value, rounding }) => value <= most + rounding);
    if (found !== undefined) nutrients[key] = found.value;
    cost += found?.cost ?? 1;
  }
  return { nutrients, cost };
}

/** The rest of `amount` g or ml beside the chosen main nutrients. */
function mostOf({ key, partOf, maxPerGram = 1 }: Nutrient, amount: number, chosen: Chosen): number {
  if (partOf !== undefined) return mostOf(NUTRIENT[partOf], amount, chosen);
  const whole = key in chosen ? chosen[key as keyof Chosen] : undefined;
  return whole === undefined ? maxPerGram * amount : whole.value + whole.rounding;
}
