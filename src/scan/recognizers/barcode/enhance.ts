import sharp, { type Sharp } from 'sharp';
import type { Pixels } from '../../images/photo.ts';

/** An enhanced image, `scale` times as large as the original. */
export interface Enhanced {
  readonly image: Pixels;
  readonly scale: number;
  /** Sharpening exaggerates edges and noise, so a second reading must agree. */
  readonly sharpened: boolean;
}

/** Enhancements, the most useful first (measured on photos: docs/benchmarks.md). */
export const ENHANCEMENTS: readonly ((image: Pixels) => Promise<Enhanced>)[] = [
  // No enhancement: after rotation most are clear.
  async (image) => ({ image, scale: 1, sharpened: false }),
  // Reduces shadows and glare: local contrast within each eighth of the image.
  async (image) => {
    const tile = (sidePx: number) => Math.max(8, sidePx >> 3);
    const size = { width: tile(image.widthPx), height: tile(image.heightPx) };
    return enhanced(image, 1, false, (from) => from.clahe({ ...size, maxSlope: 5 }));
  },
  // Counters low resolution and blur.
  (image) => enhanced(image, 2, true, (from) => from.sharpen({ sigma: 3, m1: 3, m2: 6 })),
  (image) => enhanced(image, 2, false, (from) => from),
  // Counters noise and blur: averages along upright bars, then sharpens.
  async (image) => {
    const { data, info } = await toSharp(image)
      .convolve({ width: 3, height: COLUMN.length, kernel: COLUMN.flatMap((each) => [0, each, 0]) })
      .toColourspace('b-w')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const smooth = { widthPx: info.width, heightPx: info.height, data };
    return enhanced(smooth, 3, true, (from) => from.sharpen({ sigma: 5, m1: 4, m2: 8 }));
  },
];

const COLUMN = new Array<number>(15).fill(1);

async function enhanced(
  image: Pixels,
  scale: number,
  sharpened: boolean,
  change: (from: Sharp) => Sharp,
): Promise<Enhanced> {
  const large =
    scale === 1
      ? toSharp(image)
      : toSharp(image).resize({
          width: image.widthPx * scale,
          height: image.heightPx * scale,
          fit: 'fill',
          kernel: 'cubic',
        });
  const raw = change(large).toColourspace('b-w').raw();
  const { data, info } = await raw.toBuffer({ resolveWithObject: true });
  return { image: { widthPx: info.width, heightPx: info.height, data }, scale, sharpened };
}

function toSharp({ widthPx, heightPx, data }: Pixels): Sharp {
  return sharp(data, { raw: { width: widthPx, height: heightPx, channels: 1 } });
}
