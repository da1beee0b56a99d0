import type { Pixels } from '../../images/photo.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Samples a pixel, so that modules of little more than a pixel have several. */
const SAMPLES_PER_PX = 2;
/** Length of the line beyond the bars at each end, as a share of their length. */
const OVERHANG = 0.1;

export interface ScanLine {
  readonly brightness: Float32Array;
  /** Start and end of the bars on it. */
  readonly from: number;
  readonly to: number;
}

/** Brightness along a line across bars from `start` to `end`, averaged over three pixels beside it. */
export function scanLine(image: Pixels, start: Point, end: Point): ScanLine {
  const lengthPx = Math.hypot(end.x - start.x, end.y - start.y);
  const [ux, uy] = [(end.x - start.x) / lengthPx, (end.y - start.y) / lengthPx];
  const count = Math.ceil(lengthPx * (1 + 2 * OVERHANG) * SAMPLES_PER_PX);
  const brightness = Float32Array.from({ length: count }, (_, i) => {
    const u = i / SAMPLES_PER_PX - lengthPx * OVERHANG;
    const [x, y] = [start.x + u * ux, start.y + u * uy];
    const sum =
      brightnessAt(image, x + uy, y - ux) + brightnessAt(image, x, y) + brightnessAt(image, x - uy, y + ux);
    return sum / 3;
  });
  const from = lengthPx * OVERHANG * SAMPLES_PER_PX;
  return { brightness, from, to: from + lengthPx * SAMPLES_PER_PX };
}

/** Interpolated between pixels; outside the image the nearest pixel counts. */
export function brightnessAt({ widthPx, heightPx, data }: Pixels, x: number, y: number): number {
  const insideX = Math.min(Math.max(x, 0), widthPx - 1);
  const insideY = Math.min(Math.max(y, 0), heightPx - 1);
  const left = Math.floor(insideX);
  const top = Math.floor(insideY);
  const next = left + 1 < widthPx ? 1 : 0;
  const below = top + 1 < heightPx ? widthPx : 0;
  const at = top * widthPx + left;
  const [shareX, shareY] = [insideX - left, insideY - top];
  const upper = data[at]! + (data[at + next]! - data[at]!) * shareX;
  const lower = data[at + below]! + (data[at + below + next]! - data[at + below]!) * shareX;
  return upper + (lower - upper) * shareY;
}
