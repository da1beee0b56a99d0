import type { Photo, Pixels } from '../../src/scan/images/photo.ts';

const SIDE_PX = 64;

/** A photo of one colour, for tests of recognizers that use only colours. */
export function plainPhoto(rgb: readonly [number, number, number]): Photo {
  const fill = (widthPx: number, heightPx: number): Pixels => ({
    widthPx,
    heightPx,
    data: Uint8Array.from({ length: widthPx * heightPx * 3 }, (_, index) => rgb[index % 3]!),
  });
  return {
    type: 'image/png',
    widthPx: SIDE_PX,
    heightPx: SIDE_PX,
    grey: async () => ({ widthPx: 1, heightPx: 1, data: Uint8Array.of(rgb[0]) }),
    rgb: async ({ widthPx, heightPx }) => fill(widthPx, heightPx),
    jpeg: async () => new Uint8Array(),
  };
}
