import type { Mention, PlacedAmount } from '../words/mentions.ts';

/** Minimum rows with the same number of columns. */
const LEAST_ROWS = 2;
/** Maximum distance of an amount from its column, as a share of the distance to the next one. */
const REACH = 0.33;

/** Finds the columns of amounts, from left to right; at least two. */
export interface ColumnPositions {
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
export function findColumnPositions(mentions: readonly Mention[]): ColumnPositions | undefined {
  const rows = mentions
    .filter(({ nutrient }) => nutrient !== 'energy')
    .map(({ amounts, row }) => ({ y: row.y, xs: amounts.filter(isMass).map(({ x }) => x) }))
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

function isMass({ readings }: PlacedAmount): boolean {
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
