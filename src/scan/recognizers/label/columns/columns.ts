import { NUTRIENT_FORMS, NUTRIENT_UNITS, type NutrientUnit } from '@larder/core/nutrients.ts';
import type { AmountUnit } from '../words/amounts.ts';
import type { Mention, PlacedAmount } from '../words/mentions.ts';
import type { LabelNutrient } from '../words/nutrient-words.ts';
import type { ColumnHeads } from './column-heads.ts';

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
  /** Whether several columns are per 100, and nothing shows which of them is the food as sold. */
  readonly isUnclear: boolean;
}

export function isEmpty({ kcal, kj, nutrients }: Column): boolean {
  return kcal.length + kj.length + nutrients.size === 0;
}

type MassNutrient = Exclude<LabelNutrient, 'energy' | 'other'>;

/** No unit although other amounts of the table have one: it may have been read as a digit. */
const COST_LACKS_UNIT = 0.5;
/** Empty if the label states a limit. */
const COST_NOTHING = 0.1;
const PER_G: Partial<Record<AmountUnit, number>> = { g: 1, mg: 1000, ug: 1_000_000 };
/** Units of the catalogue's nutrients; all others are read in g. */
const UNITS: Partial<Record<string, NutrientUnit>> = NUTRIENT_UNITS;
/** Amounts in one international unit. */
const PER_IU = new Map<LabelNutrient, number>(
  NUTRIENT_FORMS.flatMap(({ unit, of, factor = 1 }) => (unit === 'iu' && of ? [[of, factor]] : [])),
);

/**
 * Assigns each mention's amounts to the columns per 100 and per serving; the first mention of a nutrient counts, or the
 * first with units.
 */
export function toColumns(mentions: readonly Mention[], printed: ColumnHeads): Columns {
  const columns = { hundred: emptyColumn(), serving: emptyColumn() };
  const heads = hasTwoColumns(mentions) ? printed : onlyHead(printed);
  const layout = layoutOf(mentions, heads);
  const hasUnits = mostHaveUnits(mentions);
  for (const mention of mentions) {
    const { nutrient } = mention;
    if (isMass(nutrient)) putMass(columns, mention, nutrient, layout, hasUnits);
    else if (nutrient === 'energy') {
      putEnergy(columns, mention, layout, 'kj');
      putEnergy(columns, mention, layout, 'kcal');
    }
  }
  return { ...columns, isUnclear: layout.isUnclear ?? false };
}

/** How amounts of a row are assigned: by positions, or without them by the heads only. */
interface Layout {
  readonly heads: ColumnHeads;
  readonly positions?: ColumnPositions;
  /** Columns of the positions. */
  readonly hundred?: number;
  readonly serving?: number;
  readonly isUnclear?: boolean;
}

function layoutOf(mentions: readonly Mention[], heads: ColumnHeads): Layout {
  const positions = findColumnPositions(mentions);
  if (positions === undefined) return { heads };
  const [prepared, sold] = [heads.prepared ?? [], heads.sold ?? []].map((xs) =>
    xs.map((x) => positions.columnBelow(x)),
  ) as [number[], number[]];
  const columns = Array.from({ length: positions.count }, (_, column) => column);
  const asSold = prepared.length === 0 ? sold[0] : columns.find((column) => !prepared.includes(column));
  const { hundred, serving } = heads;
  if (hundred === undefined) return { heads, positions, serving: asSold ?? 0 };
  // Heads may be beside their columns, but are in the same order.
  if (serving !== undefined && positions.count === 2) {
    return {
      heads,
      positions,
      hundred: hundred.x < serving.x ? 0 : 1,
      serving: hundred.x < serving.x ? 1 : 0,
    };
  }
  const own = positions.columnBelow(hundred.x);
  const isUnclear =
    serving === undefined && heads.hundreds?.some((x) => positions.columnBelow(x) !== own) === true;
  const named = serving === undefined ? undefined : positions.columnBelow(serving.x);
  const other = named === own ? undefined : named;
  return { heads, positions, hundred: own, serving: other ?? (own === 0 ? 1 : 0), isUnclear };
}

/** Whether units are printed beside the amounts, rather than in a column or a heading. */
function mostHaveUnits(mentions: readonly Mention[]): boolean {
  const firsts = mentions.flatMap(({ nutrient, amounts }) =>
    isMass(nutrient) ? amounts.map(({ readings }) => readings[0]!.unit) : [],
  );
  return 2 * firsts.filter((unit) => unit !== undefined).length > firsts.length;
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
export function hasTwoColumns(mentions: readonly Mention[]): boolean {
  return mentions.some(({ nutrient, amounts }) => isMass(nutrient) && massesOf(nutrient, amounts).length > 1);
}

/** A single column under "per 100 g" is per 100 g, even if a portion is mentioned elsewhere. */
function onlyHead({ hundred }: ColumnHeads): ColumnHeads {
  return hundred === undefined ? {} : { hundred };
}

function putEnergy(
  columns: GrowingColumns,
  { amounts, row }: Mention,
  layout: Layout,
  unit: 'kj' | 'kcal',
): void {
  const understood = amounts.flatMap((amount) => energyOf(amount, unit, amounts));
  const chosen = assign(understood, understood, layout, row.y);
  for (const name of ['hundred', 'serving'] as const) {
    const known = columns[name][unit];
    if (known.length === 0) known.push(...(chosen[name]?.candidates ?? []));
  }
}

function putMass(
  columns: GrowingColumns,
  { amounts, row }: Mention,
  nutrient: MassNutrient,
  layout: Layout,
  hasUnits: boolean,
): void {
  const all = amounts.flatMap((amount) => massOf(amount, nutrient, hasUnits));
  const chosen = assign(massesOf(nutrient, amounts), all, layout, row.y);
  for (const name of ['hundred', 'serving'] as const) {
    const { nutrients } = columns[name];
    const found = chosen[name];
    const known = nutrients.get(nutrient);
    if (found === undefined || (known !== undefined && !(hasUnits && isBetter(found.candidates, known))))
      continue;
    nutrients.set(nutrient, found.candidates);
  }
}

/** An amount with its unit beside one without, which may be a calculation: "Fat Cal. 35". */
function isBetter([found]: readonly Candidate[], [known]: readonly Candidate[]): boolean {
  return found!.cost === 0 && known!.cost > 0;
}

/** An amount without unit beside amounts with one is a percentage whose sign was lost. */
function massesOf(nutrient: MassNutrient, amounts: readonly PlacedAmount[]): Understood[] {
  const own = amounts.flatMap((amount) => massOf(amount, nutrient, false));
  const withUnit = own.filter(({ candidates }) => candidates[0]!.cost === 0);
  return withUnit.length > 0 ? withUnit : own;
}

interface Understood {
  readonly x: number;
  readonly candidates: readonly Candidate[];
}

interface Assigned {
  readonly hundred?: Understood | undefined;
  readonly serving?: Understood | undefined;
}

/**
 * Assigns amounts by positions if these are known: `all` includes amounts without unit; those between columns
 * are percentages. If a column has no readable cell, amounts are assigned in order if their number equals
 * that of the columns.
 */
function assign(
  amounts: readonly Understood[],
  all: readonly Understood[],
  layout: Layout,
  y: number,
): Assigned {
  const { positions, heads } = layout;
  if (positions === undefined) return assignByHeads(amounts, heads);
  const cells = new Map<number, Understood>();
  for (const amount of all.toSorted((a, b) => a.candidates[0]!.cost - b.candidates[0]!.cost)) {
    const column = positions.columnAt(amount.x, y);
    if (column !== undefined && !cells.has(column)) cells.set(column, amount);
  }
  if (cells.size < positions.count && amounts.length === positions.count) {
    for (const [column, amount] of amounts.toSorted((a, b) => a.x - b.x).entries()) cells.set(column, amount);
  }
  return { hundred: cells.get(layout.hundred ?? -1), serving: cells.get(layout.serving ?? -1) };
}

/** Two columns have the order of their heads; a single amount belongs to the nearer head. */
function assignByHeads(amounts: readonly Understood[], { hundred, serving }: ColumnHeads): Assigned {
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

function massOf(
  { x, readings, roundingOf, isBelow }: PlacedAmount,
  nutrient: MassNutrient,
  hasUnits: boolean,
): Understood[] {
  const inMg = UNITS[nutrient] === 'mg';
  const candidates = readings.flatMap(({ value, unit = 'g', cost }, index) => {
    // A number without unit beside amounts in mg is not an amount.
    if (inMg && readings[index]!.unit === undefined) return [];
    const scale = scaleOf(nutrient, unit);
    const lacksUnit = hasUnits && readings[index]!.unit === undefined;
    const own = lacksUnit ? cost + COST_LACKS_UNIT : cost;
    if (scale === undefined) return [];
    const candidate = { value: value * scale, cost: own, rounding: roundingOf * scale };
    // "<0.5 g" of saturates beside "0.1 g" of fat.
    return isBelow && value > 0
      ? [candidate, { ...candidate, value: 0, cost: own + COST_NOTHING }]
      : [candidate];
  });
  candidates.sort((a, b) => a.cost - b.cost);
  return candidates.length === 0 ? [] : [{ x, candidates }];
}

function scaleOf(nutrient: MassNutrient, unit: AmountUnit): number | undefined {
  if (unit === 'iu') return PER_IU.get(nutrient);
  const perG = PER_G[unit];
  const wanted = UNITS[nutrient] ?? 'g';
  return perG === undefined || wanted === 'kcal' ? undefined : PER_G[wanted]! / perG;
}

/** Minimum rows with the same number of columns. */
const LEAST_ROWS = 2;
/** Maximum distance of an amount from its column, as a share of the distance to the next one. */
const REACH = 0.33;

/** Finds the columns of amounts, from left to right; at least two. */
interface ColumnPositions {
  readonly count: number;
  /** The column of an amount at `x` in the row at `y`; undefined between columns. */
  columnAt(x: number, y: number): number | undefined;
  /** The column nearest to a head at `x` above the table. */
  columnBelow(x: number): number;
}

/**
 * Finds the columns from the rows that have amounts with units in all of them, so that in other rows an
 * unreadable cell is not confused with its neighbour. Photos tilt all columns alike: one slope is fitted to
 * all (least squares). Undefined if most rows have one amount.
 */
function findColumnPositions(mentions: readonly Mention[]): ColumnPositions | undefined {
  const rows = mentions
    .filter(({ nutrient }) => nutrient !== 'energy')
    .map(({ amounts, row }) => ({ y: row.y, xs: amounts.filter(isInGrams).map(({ x }) => x) }))
    .filter(({ xs }) => xs.length > 1);
  const count = mostFrequent(rows.map(({ xs }) => xs.length));
  const full = rows.filter(({ xs }) => xs.length === count);
  if (count === undefined || full.length < LEAST_ROWS) return undefined;
  const middleY = mean(full.map(({ y }) => y));
  const middles = Array.from({ length: count }, (_, column) => mean(full.map(({ xs }) => xs[column]!)));
  let [xy, yy] = [0, 1];
  for (const { xs, y } of full) {
    for (const [column, x] of xs.entries()) {
      xy += (x - middles[column]!) * (y - middleY);
      yy += (y - middleY) ** 2;
    }
  }
  const slope = xy / yy;
  const spacing = Math.min(...middles.slice(1).map((x, column) => x - middles[column]!));
  if (!(spacing > 0)) return undefined;
  const topY = Math.min(...mentions.map(({ row }) => row.y));
  const offsetsOf = (x: number, y: number) =>
    middles.map((middle) => Math.abs(x - middle - slope * (y - middleY)));
  const nearest = (offsets: readonly number[]) => offsets.indexOf(Math.min(...offsets));
  return {
    count,
    columnAt(x, y) {
      const offsets = offsetsOf(x, y);
      const column = nearest(offsets);
      return offsets[column]! <= REACH * spacing ? column : undefined;
    },
    columnBelow: (x) => nearest(offsetsOf(x, topY)),
  };
}

function isInGrams({ readings }: PlacedAmount): boolean {
  const { unit } = readings[0]!;
  return unit === 'g' || unit === 'mg' || unit === 'ug';
}

function mostFrequent(counts: readonly number[]): number | undefined {
  const times = Map.groupBy(counts, (count) => count);
  return [...times.keys()].sort((a, b) => times.get(b)!.length - times.get(a)!.length || b - a)[0];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
