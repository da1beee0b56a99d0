import type { Pixels } from '../../../images/photo.ts';
import type { Box } from '../../../scan-result.ts';
import type { TextRegion } from './text-line.ts';

/** Middle grey outside the image. */
const OUTSIDE = 128;

/**
 * `width` x `height` samples of the image from `left`, `top`, `stepPx` apart, averaged if that is more than a pixel.
 */
export function sampleGrid(
  image: Pixels,
  {
    left,
    top,
    width,
    height,
    stepPx,
  }: { left: number; top: number; width: number; height: number; stepPx: number },
): Float32Array {
  const samples = new Float32Array(width * height);
  const taps = Math.max(1, Math.round(stepPx));
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      let sum = 0;
      for (let tap = 0; tap < taps * taps; tap++) {
        const x = left + (column + ((tap % taps) + 0.5) / taps) * stepPx;
        const y = top + (row + (Math.floor(tap / taps) + 0.5) / taps) * stepPx;
        sum += at(image, x, y);
      }
      samples[row * width + column] = sum / (taps * taps);
    }
  }
  return samples;
}

/** The region rotated to horizontal, `height` rows high. */
export function straighten(image: Pixels, region: TextRegion, height: number, width: number): Float32Array {
  const samples = new Float32Array(width * height);
  const cos = Math.cos(region.angle);
  const sin = Math.sin(region.angle);
  for (let row = 0; row < height; row++) {
    const v = ((row + 0.5) / height - 0.5) * region.height;
    for (let column = 0; column < width; column++) {
      const u = ((column + 0.5) / width - 0.5) * region.length;
      samples[row * width + column] = at(
        image,
        region.centreX + u * cos - v * sin,
        region.centreY + u * sin + v * cos,
      );
    }
  }
  return samples;
}

/** Interpolated between the four nearest pixels. */
function at({ widthPx, heightPx, data }: Pixels, x: number, y: number): number {
  const left = Math.floor(x - 0.5);
  const top = Math.floor(y - 0.5);
  if (left < -1 || top < -1 || left >= widthPx || top >= heightPx) return OUTSIDE;
  const x0 = Math.max(left, 0);
  const y0 = Math.max(top, 0);
  const x1 = Math.min(left + 1, widthPx - 1);
  const y1 = Math.min(top + 1, heightPx - 1);
  const fx = x - 0.5 - left;
  const fy = y - 0.5 - top;
  const upper = data[y0 * widthPx + x0]! * (1 - fx) + data[y0 * widthPx + x1]! * fx;
  const lower = data[y1 * widthPx + x0]! * (1 - fx) + data[y1 * widthPx + x1]! * fx;
  return upper * (1 - fy) + lower * fy;
}

/** The part of an image in a box, and where it lies in pixels. */
export function croppedTo(
  { widthPx, heightPx, data }: Pixels,
  box: Box,
): { readonly left: number; readonly top: number; readonly pixels: Pixels } {
  const left = Math.floor(box.left * widthPx);
  const top = Math.floor(box.top * heightPx);
  const width = Math.max(1, Math.floor(box.width * widthPx));
  const height = Math.max(1, Math.floor(box.height * heightPx));
  const part = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const from = (top + y) * widthPx + left;
    part.set(data.subarray(from, from + width), y * width);
  }
  return { left, top, pixels: { widthPx: width, heightPx: height, data: part } };
}
