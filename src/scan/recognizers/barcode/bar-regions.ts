import type { Pixels } from '../../images/photo.ts';
import { scanLine } from './scan-line.ts';

/** A region of parallel bars, in pixels of the searched image. */
export interface BarRegion {
  readonly centreX: number;
  readonly centreY: number;
  /** Direction across the bars, in radians from the rows. */
  readonly angle: number;
  /** Length across the bars. */
  readonly lengthPx: number;
  /** Length along the bars. */
  readonly heightPx: number;
  /**
   * Likeness of lines across the bars, at most 1: bars continue from one line to the next, and other stripes
   * rarely do.
   */
  readonly likeness: number;
}

const BLOCK_PX = 8;
/** Minimum mean squared gradient of a pixel in a candidate block. */
const LEAST_ENERGY = 60;
/** Minimum coherence: 1 if all edges of a block have one direction, 0 if they have all directions. */
const LEAST_COHERENCE = 0.5;
/** Maximum angle between edges of one barcode, in radians: paper bends. */
const MOST_TURN = 0.35;
const LEAST_BLOCKS = 10;
/** Minimum share of its box that the blocks of a region fill. */
const LEAST_FILL = 0.25;
/** Minimum crossings of the mean brightness; the shortest symbol, UPC-E, has 34 edges, of which blur leaves half. */
const LEAST_CROSSINGS = 14;
/** Minimum change of brightness in grey levels; weaker crossings are noise. */
const LEAST_SWING = 3;
/** Lines across a region for counting, as shares of its height from the middle. */
const LINES = [-0.2, 0, 0.2];
/** Lines whose bars are compared; further apart, bars of skewed photos shift. */
const NEAR_LINES = [-0.1, 0, 0.1];
/** Maximum shift of bars from one line to the next, as a share of the line: the angle of a region is not exact. */
const MOST_SHIFT = 0.05;

/**
 * Groups of neighbouring blocks with edges of one direction, strongest first and at most `most`, found by each block's
 * structure tensor (sums of squared gradients).
 */
export function findBarRegions(image: Pixels, most: number): BarRegion[] {
  const blocks = toBlocks(image);
  const seen = new Uint8Array(blocks.energy.length);
  const regions: { region: BarRegion; energy: number }[] = [];
  for (let start = 0; start < seen.length; start++) {
    if (seen[start] || blocks.energy[start] === 0) continue;
    const group = grow(blocks, start, seen);
    if (group.length < LEAST_BLOCKS) continue;
    const energy = group.reduce((sum, at) => sum + blocks.energy[at]!, 0);
    const box = toBox(blocks, group);
    const fill = (group.length * BLOCK_PX * BLOCK_PX) / (box.lengthPx * box.heightPx);
    if (fill < LEAST_FILL) continue;
    if (!hasManyBars(linesAcross(image, box, LINES))) continue;
    const likeness = likenessOf(linesAcross(image, box, NEAR_LINES));
    regions.push({ region: { ...box, likeness }, energy });
  }
  return regions
    .sort((a, b) => b.energy - a.energy)
    .slice(0, most)
    .map(({ region }) => region);
}

type Box = Omit<BarRegion, 'likeness'>;

function linesAcross(
  image: Pixels,
  { centreX, centreY, angle, lengthPx, heightPx }: Box,
  shares: readonly number[],
): Float32Array[] {
  const [ux, uy] = [Math.cos(angle) * lengthPx * 0.5, Math.sin(angle) * lengthPx * 0.5];
  return shares.map((share) => {
    const [x, y] = [
      centreX - Math.sin(angle) * heightPx * share,
      centreY + Math.cos(angle) * heightPx * share,
    ];
    return awayFromMean(scanLine(image, { x: x - ux, y: y - uy }, { x: x + ux, y: y + uy }).brightness);
  });
}

/** Wood, cutlery and noodles also have edges of one direction, but rarely so many light and dark stripes. */
function hasManyBars(lines: readonly Float32Array[]): boolean {
  return lines.filter((line) => crossings(line) >= LEAST_CROSSINGS).length >= 2;
}

/** Returns the better correlation of the middle line with one beside it, whose bars may be shifted. */
function likenessOf([above, middle, below]: readonly Float32Array[]): number {
  return Math.max(correlation(middle!, above!), correlation(middle!, below!));
}

function correlation(a: Float32Array, b: Float32Array): number {
  const length = Math.min(a.length, b.length);
  const most = Math.round(length * MOST_SHIFT);
  let best = 0;
  for (let shift = -most; shift <= most; shift++) {
    let [ab, aa, bb] = [0, 0, 0];
    for (let i = Math.max(0, -shift); i < Math.min(length, length - shift); i++) {
      const [x, y] = [a[i]!, b[i + shift]!];
      ab += x * y;
      aa += x * x;
      bb += y * y;
    }
    if (ab > 0) best = Math.max(best, ab / Math.sqrt(aa * bb));
  }
  return best;
}

/** Returns the difference of a line's brightness to the mean of its surroundings. */
function awayFromMean(line: Float32Array): Float32Array {
  const reach = Math.max(4, Math.round(line.length / 16));
  let sum = 0;
  for (let i = 0; i < Math.min(reach, line.length); i++) sum += line[i]!;
  return line.map((brightness, i) => {
    if (i + reach < line.length) sum += line[i + reach]!;
    if (i - reach - 1 >= 0) sum -= line[i - reach - 1]!;
    return brightness - sum / (Math.min(line.length - 1, i + reach) - Math.max(0, i - reach) + 1);
  });
}

/** Counts the changes of a line between clearly above and clearly below the mean of its surroundings. */
function crossings(line: Float32Array): number {
  let side = 0;
  let count = 0;
  for (const away of line) {
    if (Math.abs(away) < LEAST_SWING || Math.sign(away) === side) continue;
    side = Math.sign(away);
    count++;
  }
  return count;
}

interface Blocks {
  readonly columns: number;
  readonly rows: number;
  /** Strength of the edges: 0 if they have all directions, or there are none. */
  readonly energy: Float32Array;
  /** Doubled direction of the gradient, because half a turn makes no difference for bars. */
  readonly doubled: Float32Array;
}

function toBlocks({ widthPx, heightPx, data }: Pixels): Blocks {
  const columns = Math.floor(widthPx / BLOCK_PX);
  const rows = Math.floor(heightPx / BLOCK_PX);
  const energy = new Float32Array(columns * rows);
  const doubled = new Float32Array(columns * rows);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      let [xx, yy, xy] = [0, 0, 0];
      const lastY = Math.min((row + 1) * BLOCK_PX, heightPx - 1);
      const lastX = Math.min((column + 1) * BLOCK_PX, widthPx - 1);
      for (let y = Math.max(row * BLOCK_PX, 1); y < lastY; y++) {
        for (let x = Math.max(column * BLOCK_PX, 1); x < lastX; x++) {
          const at = y * widthPx + x;
          const gx = data[at + 1]! - data[at - 1]!;
          const gy = data[at + widthPx]! - data[at - widthPx]!;
          xx += gx * gx;
          yy += gy * gy;
          xy += gx * gy;
        }
      }
      const sum = xx + yy;
      const directed = Math.hypot(xx - yy, 2 * xy);
      if (sum < LEAST_ENERGY * BLOCK_PX * BLOCK_PX || directed < LEAST_COHERENCE * sum) continue;
      // The square root keeps one strong edge from outweighing many bars.
      energy[row * columns + column] = Math.sqrt(sum);
      doubled[row * columns + column] = Math.atan2(2 * xy, xx - yy);
    }
  }
  return { columns, rows, energy, doubled };
}

/** Connected blocks with edges of one direction, with gaps of one block. */
function grow({ columns, rows, energy, doubled }: Blocks, start: number, seen: Uint8Array): number[] {
  const group = [start];
  seen[start] = 1;
  for (const at of group) {
    const row = Math.floor(at / columns);
    const column = at % columns;
    for (let y = Math.max(0, row - 2); y <= Math.min(rows - 1, row + 2); y++) {
      for (let x = Math.max(0, column - 2); x <= Math.min(columns - 1, column + 2); x++) {
        const next = y * columns + x;
        if (seen[next] || energy[next] === 0) continue;
        if (Math.cos(doubled[next]! - doubled[start]!) < Math.cos(2 * MOST_TURN)) continue;
        seen[next] = 1;
        group.push(next);
      }
    }
  }
  return group;
}

/** Fits a box in the direction of the group's edges, without the outermost blocks. */
function toBox({ columns, energy, doubled }: Blocks, group: readonly number[]): Box {
  let [cos, sin] = [0, 0];
  for (const at of group) {
    cos += energy[at]! * Math.cos(doubled[at]!);
    sin += energy[at]! * Math.sin(doubled[at]!);
  }
  const angle = Math.atan2(sin, cos) / 2;
  const across = group.map((at) => along(at, columns, angle)).sort((a, b) => a - b);
  const down = group.map((at) => along(at, columns, angle + Math.PI / 2)).sort((a, b) => a - b);
  const [left, right] = ends(across, 0.01);
  const [top, bottom] = ends(down, 0.03);
  const [u, v] = [(left + right) / 2, (top + bottom) / 2];
  return {
    centreX: u * Math.cos(angle) - v * Math.sin(angle),
    centreY: u * Math.sin(angle) + v * Math.cos(angle),
    angle,
    lengthPx: right - left + BLOCK_PX,
    heightPx: bottom - top + BLOCK_PX,
  };
}

function along(at: number, columns: number, angle: number): number {
  const x = ((at % columns) + 0.5) * BLOCK_PX;
  const y = (Math.floor(at / columns) + 0.5) * BLOCK_PX;
  return x * Math.cos(angle) + y * Math.sin(angle);
}

function ends(sorted: readonly number[], cut: number): readonly [number, number] {
  const skipped = Math.floor(sorted.length * cut);
  return [sorted[skipped]!, sorted[sorted.length - 1 - skipped]!];
}
