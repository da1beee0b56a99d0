import type { Pixels } from '../../images/photo.ts';
import type { BarRegion } from './bar-regions.ts';
import { brightnessAt, type Point } from './scan-line.ts';

/** Margin of a crop for the quiet zone and for add-on digits, as a share of its sides. */
const MARGIN = 0.25;
/** Crops larger than this are made smaller; a long symbol then still has six pixels a module. */
const MOST_PX = 800;

/** Part of an image, turned so that its bars are upright. */
export interface ImagePart {
  readonly image: Pixels;
  /** Position in the whole image of a point of this part. */
  toWhole(point: Point): Point;
}

/** Cuts a region out, so that its bars are upright whatever their angle in the image. */
export function cropUpright(
  image: Pixels,
  { centreX, centreY, angle, lengthPx, heightPx }: BarRegion,
): ImagePart {
  const margin = MARGIN * Math.max(lengthPx, heightPx);
  const [wide, high] = [lengthPx + 2 * margin, heightPx + 2 * margin];
  const scale = Math.min(1, MOST_PX / Math.max(wide, high));
  const widthPx = Math.max(1, Math.round(wide * scale));
  const topPx = Math.max(1, Math.round(high * scale));
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const toWhole = ({ x, y }: Point): Point => {
    const [u, v] = [x / scale - wide / 2, y / scale - high / 2];
    return { x: centreX + u * cos - v * sin, y: centreY + u * sin + v * cos };
  };
  const data = new Uint8Array(widthPx * topPx);
  for (let y = 0; y < topPx; y++) {
    for (let x = 0; x < widthPx; x++) {
      const from = toWhole({ x: x + 0.5, y: y + 0.5 });
      data[y * widthPx + x] = brightnessAt(image, from.x - 0.5, from.y - 0.5);
    }
  }
  return { image: { widthPx, heightPx: topPx, data }, toWhole };
}
