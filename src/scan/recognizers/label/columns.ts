import { NUTRIENT_FORMS, NUTRIENT_UNITS, type NutrientUnit } from '@larder/core/nutrients.ts';
import type { AmountUnit } from './amounts.ts';
import type { Mention, PlacedAmount } from './mentions.ts';
import type { LabelNutrient } from './nutrient-words.ts';
import type { ColumnHeads } from './serving.ts';

/** One interpretation of an amount, in kcal or the catalogue's unit; salt, polyols and alcohol in g. */
export interface Candidate {
  readonly value: number;
  readonly cost: number;
  /** Half of the last printed digit. */
  readonly rounding: number;
}

/** The interpretations of each nutrient of a column, at least one each. */
export interface Column {
  readonly kcal: readonly Candidate[];
  readonly kj: readonly Candidate[];
  readonly nutrients: ReadonlyMap<Exclude<LabelNutrient, 'energy' | 'other'>, readonly Candidate[]>;
}

export interface Columns {
  readonly hundred: Column;
  readonly serving: Column;
}

type MassNutrient = Exclude<LabelNutrient, 'energy' | 'other'>;

const PER_G: Partial<Record<AmountUnit, number>> = { g: 1, mg: 1000, ug: 1_000_000 };
/** Units of the catalogue's nutrients; all others are read in g. */
const UNITS: Partial<Record<string, NutrientUnit>> = NUTRIENT_UNITS;
/** Amounts in one international unit. */
const PER_IU = new Map<LabelNutrient, number>(
  NUTRIENT_FORMS.flatMap(({ unit, of, factor = 1 }) => (unit === 'iu' && of ? [[of, factor]] : [])),
);

/** Assigns each mention's amounts to the columns per 100 and per serving; the first mention of a nutrient counts. */
export function toColumns(mentions: readonly Mention[], printed: ColumnHeads): Columns {
  const columns = { hundred: emptyColumn(), serving: emptyColumn() };
  const heads = hasTwoColumns(mentions) ? printed : onlyHead(printed);
  for (const { nutrient, amounts } of mentions) {
    if (isMass(nutrient)) putMass(columns, nutrient, amounts, heads);
    else if (nutrient === 'energy') {
      putEnergy(columns, amounts, heads, 'kj');
      putEnergy(columns, amounts, heads, 'kcal');
    }
  }
  return columns;
}

function isMass(nutrient: LabelNutrient): nutrient is MassNutrient {
  return nutrient !== 'other' && nutrient !== 'energy';
}

type GrowingColumn = ReturnType<typeof emptyColumn>;
type GrowingColumns = { readonly hundred: GrowingColumn; readonly serving: GrowingColumn };

function emptyColumn() {
  return {
    kcal: [] as Candidate[],
    kj: [] as Candidate[],
    nutrients: new Map<MassNutrient, readonly Candidate[]>(),
  };
}

/** Whether a nutrient has two masses side by side. */
function hasTwoColumns(mentions: readonly Mention[]): boolean {
  return mentions.some(({ nutrient, amounts }) => isMass(nutrient) && massesOf(nutrient, amounts).length > 1);
}

/** A single column under "per 100 g" is per 100 g, even if a portion is mentioned elsewhere. */
function onlyHead({ hundred }: ColumnHeads): ColumnHeads {
  return hundred === undefined ? {} : { hundred };
}

function putEnergy(
  columns: GrowingColumns,
  amounts: readonly PlacedAmount[],
  heads: ColumnHeads,
  unit: 'kj' | 'kcal',
): void {
  const chosen = assign(
    amounts.flatMap((amount) => energyOf(amount, unit, amounts)),
    heads,
  );
  for (const name of ['hundred', 'serving'] as const) {
    const known = columns[name][unit];
    if (known.length === 0) known.push(...(chosen[name]?.candidates ?? []));
  }
}

function putMass(
  columns: GrowingColumns,
  nutrient: MassNutrient,
  amounts: readonly PlacedAmount[],
  heads: ColumnHeads,
): void {
  const chosen = assign(massesOf(nutrient, amounts), heads);
  for (const name of ['hundred', 'serving'] as const) {
    const { nutrients } = columns[name];
    const found = chosen[name];
    if (found !== undefined && !nutrients.has(nutrient)) nutrients.set(nutrient, found.candidates);
  }
}

/** An amount without unit beside amounts with one is a percentage whose sign was lost. */
function massesOf(nutrient: MassNutrient, amounts: readonly PlacedAmount[]): Understood[] {
  const own = amounts.flatMap((amount) => massOf(amount, nutrient));
  const withUnit = own.filter(({ candidates }) => candidates[0]!.cost === 0);
  return withUnit.length > 0 ? withUnit : own;
}

interface Understood {
  readonly x: number;
  readonly candidates: readonly Candidate[];
}

/** Two columns have the order of their heads; a single amount belongs to the nearer head. */
function assign(
  amounts: readonly Understood[],
  { hundred, serving }: ColumnHeads,
): { hundred?: Understood | undefined; serving?: Understood | undefined } {
  const nearest = (x: number) => amounts.toSorted((a, b) => Math.abs(a.x - x) - Math.abs(b.x - x))[0];
  if (amounts.length === 0) return {};
  if (hundred === undefined) return { serving: amounts[0] };
  if (serving === undefined) {
    const found = nearest(hundred.x);
    return { hundred: found, serving: amounts.find((amount) => amount !== found) };
  }
  if (amounts.length === 2) {
    const [left, right] = amounts.toSorted((a, b) => a.x - b.x);
    return hundred.x < serving.x ? { hundred: left, serving: right } : { hundred: right, serving: left };
  }
  if (amounts.length > 2) return { hundred: nearest(hundred.x), serving: nearest(serving.x) };
  const [only] = amounts;
  const isHundred = Math.abs(only!.x - hundred.x) <= Math.abs(only!.x - serving.x);
  return isHundred ? { hundred: only } : { serving: only };
}

/** Energy without a unit is in kcal, or in kJ if kcal are printed beside it. */
function energyOf(
  { x, readings, roundingOf }: PlacedAmount,
  unit: 'kj' | 'kcal',
  all: readonly PlacedAmount[],
): Understood[] {
  const hasKcal = all.some((other) => other.readings[0]!.unit === 'kcal');
  const missing = hasKcal ? 'kj' : 'kcal';
  const candidates = readings
    .filter((reading) => (reading.unit ?? missing) === unit)
    .map(({ value, cost }) => ({ value, cost, rounding: roundingOf }));
  return candidates.length === 0 ? [] : [{ x, candidates }];
}

function massOf({ x, readings, roundingOf }: PlacedAmount, nutrient: MassNutrient): Understood[] {
  const inMg = UNITS[nutrient] === 'mg';
  const candidates = readings.flatMap(({ value, unit = 'g', cost }, index) => {
    // A number without unit beside amounts in mg is not an amount.
    if (inMg && readings[index]!.unit === undefined) return [];
    const scale = scaleOf(nutrient, unit);
    return scale === undefined ? [] : [{ value: value * scale, cost, rounding: roundingOf * scale }];
  });
  return candidates.length === 0 ? [] : [{ x, candidates }];
}

function scaleOf(nutrient: MassNutrient, unit: AmountUnit): number | undefined {
  if (unit === 'iu') return PER_IU.get(nutrient);
  const perG = PER_G[unit];
  const wanted = UNITS[nutrient] ?? 'g';
  return perG === undefined || wanted === 'kcal' ? undefined : PER_G[wanted]! / perG;
}
