import type { TextLine } from './text-line.ts';

/** A row of the table from left to right, with two spaces between separate parts. */
export interface TextRow {
  readonly text: string;
  /** Position of each character, in pixels along the table's rows. */
  readonly xs: readonly number[];
  /** Position in pixels across them. */
  readonly y: number;
  readonly height: number;
  /** From left to right. */
  readonly pieces: readonly Piece[];
  readonly lines: readonly TextLine[];
}

/** Maximum distance of line centres in one row, as a share of the lower line; the nearest are joined. */
const SAME_ROW = 0.65;
/** Lines this much higher than others belong to another row: "Calories 140". */
const MAX_HEIGHT_RATIO = 3;

/** Sine of the maximum angle between rows of one table: bottles curve, and photos are taken at an angle. */
const MOST_SLOPE = 0.35;

/** A line of text, in pixels along and across the rows. */
export interface Piece {
  readonly left: number;
  readonly right: number;
  readonly y: number;
  readonly height: number;
  readonly slope: number;
  readonly text: string;
  readonly xs: readonly number[];
  readonly line: TextLine;
}

/** Separator of parts; wider than the space within "1 046". */
export const GAP = '  ';
/** Regularisation that keeps a few lines from bending all rows, in lines of a hundred times their height. */
const STIFFNESS = 0.05;

/** Joins lines beside each other along their slopes, and orders rows from the top. */
export function toRows(lines: readonly TextLine[]): TextRow[] {
  const pieces = level(lines).sort((a, b) => a.left - b.left);
  const chains: Piece[][] = [];
  for (const piece of pieces) {
    let best: { chain: Piece[]; off: number } | undefined;
    for (const chain of chains) {
      const last = chain.at(-1)!;
      if (last.right > piece.left + Math.min(last.height, piece.height)) continue;
      const lower = Math.min(last.height, piece.height);
      if (Math.max(last.height, piece.height) > MAX_HEIGHT_RATIO * lower) continue;
      const slope = (last.slope + piece.slope) / 2;
      const middle = (last.left + last.right) / 2;
      const off = Math.abs(last.y + slope * ((piece.left + piece.right) / 2 - middle) - piece.y);
      if (
        off <= SAME_ROW * Math.max(lower, (last.height + piece.height) / 3) &&
        (best === undefined || off < best.off)
      ) {
        best = { chain, off };
      }
    }
    if (best === undefined) chains.push([piece]);
    else best.chain.push(piece);
  }
  return chains.map(rowOf).sort((a, b) => a.y - b.y);
}

/** Rotates the lines so that the longer ones are horizontal, by their median slope. */
function level(lines: readonly TextLine[]): Piece[] {
  const angles = lines
    .toSorted((a, b) => b.region.length / b.region.height - a.region.length / a.region.height)
    .slice(0, Math.ceil(lines.length / 2))
    .map(({ region }) => region.angle)
    .sort((a, b) => a - b);
  const angle = angles[angles.length >> 1] ?? 0;
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const placed = lines.map((line) => {
    const { centreX, centreY, length, height, angle: own } = line.region;
    return {
      line,
      x: centreX * cos + centreY * sin,
      y: centreY * cos - centreX * sin,
      slope: Math.tan(own - angle),
      // Vertical text does not show the slope of rows.
      weight: Math.abs(Math.sin(own - angle)) > MOST_SLOPE ? 0 : (length / height) ** 2 / 10_000,
    };
  });
  const slopeAt = fitSlopes(placed);
  return placed.map(({ line, x, y }) => {
    const { region, characters } = line;
    const left = x - region.length / 2;
    return {
      left,
      right: x + region.length / 2,
      y,
      height: region.height,
      slope: slopeAt(x, y),
      text: characters.map(({ character }) => character).join(''),
      xs: characters.map(({ at }) => left + at * region.length),
      line,
    };
  });
}

interface Placed {
  readonly x: number;
  readonly y: number;
  readonly slope: number;
  readonly weight: number;
}

/**
 * Slopes from a plane fitted to all lines (regularised least squares), because the slope of a single short
 * line is inaccurate: perspective changes slopes down the table, a bottle's curve along the rows.
 */
function fitSlopes(lines: readonly Placed[]): (x: number, y: number) => number {
  const total = lines.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0) return () => 0;
  const meanOf = (of: (line: Placed) => number) =>
    lines.reduce((sum, line) => sum + (line.weight > 0 ? line.weight * of(line) : 0), 0) / total;
  const meanX = meanOf(({ x }) => x);
  const meanY = meanOf(({ y }) => y);
  const meanSlope = meanOf(({ slope }) => slope);
  const spread = Math.max(1, ...lines.flatMap(({ x, y }) => [Math.abs(x - meanX), Math.abs(y - meanY)]));
  let [xx, yy, xy, xs, ys] = [STIFFNESS, STIFFNESS, 0, 0, 0];
  for (const { x, y, slope, weight } of lines) {
    if (weight === 0) continue;
    const u = (x - meanX) / spread;
    const v = (y - meanY) / spread;
    xx += weight * u * u;
    yy += weight * v * v;
    xy += weight * u * v;
    xs += weight * u * (slope - meanSlope);
    ys += weight * v * (slope - meanSlope);
  }
  const determinant = xx * yy - xy * xy;
  const byX = (xs * yy - ys * xy) / determinant;
  const byY = (ys * xx - xs * xy) / determinant;
  return (x, y) => meanSlope + (byX * (x - meanX) + byY * (y - meanY)) / spread;
}

/** The row of pieces from left to right. */
export function rowOf(pieces: readonly Piece[]): TextRow {
  return {
    text: pieces.map(({ text }) => text).join(GAP),
    xs: pieces.flatMap(({ xs, right }, index) => (index === pieces.length - 1 ? xs : [...xs, right, right])),
    y: pieces[0]!.y,
    height: Math.max(...pieces.map(({ height }) => height)),
    pieces,
    lines: pieces.map(({ line }) => line),
  };
}

/** A part of a row, in pixels along the rows. */
export interface RowPart {
  readonly text: string;
  /** Position in the row's text. */
  readonly from: number;
  readonly left: number;
  readonly right: number;
}

export function partsOf({ text, xs }: TextRow): RowPart[] {
  let from = 0;
  return text.split(GAP).map((part) => {
    const own = { text: part, from, left: xs[from] ?? 0, right: xs[from + part.length - 1] ?? 0 };
    from += part.length + GAP.length;
    return own;
  });
}
