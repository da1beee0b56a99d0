import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/support/runs.ts';
import { areaMean } from './area-mean.ts';
import type { Pixels } from './photo.ts';

/** Computes the mean by repeating pixels, so that every area consists of whole pixels. */
function naiveMean({ data, widthPx, heightPx }: Pixels, toWidthPx: number, toHeightPx: number): number[] {
  return Array.from({ length: toWidthPx * toHeightPx * 3 }, (_, at) => {
    const [x, y, c] = [Math.floor(at / 3) % toWidthPx, Math.floor(at / 3 / toWidthPx), at % 3];
    let sum = 0;
    for (let row = y * heightPx; row < (y + 1) * heightPx; row++) {
      for (let column = x * widthPx; column < (x + 1) * widthPx; column++) {
        const [fromX, fromY] = [Math.floor(column / toWidthPx), Math.floor(row / toHeightPx)];
        sum += data[(fromY * widthPx + fromX) * 3 + c]!;
      }
    }
    return sum / (widthPx * heightPx);
  });
}

const side = fc.integer({ min: 1, max: 9 });
const picture = fc.tuple(side, side).chain(([widthPx, heightPx]) =>
  fc.record({
    widthPx: fc.constant(widthPx),
    heightPx: fc.constant(heightPx),
    data: fc.uint8Array({ minLength: widthPx * heightPx * 3, maxLength: widthPx * heightPx * 3 }),
  }),
);

describe('the mean of the area', () => {
  it('equals the mean of whole pixels after repeating each pixel', () => {
    fc.assert(
      fc.property(picture, side, side, (pixels, widthPx, heightPx) => {
        const mean = areaMean(pixels, widthPx, heightPx);
        expect(mean).toMatchObject({ widthPx, heightPx });
        const expected = naiveMean(pixels, widthPx, heightPx);
        expect(mean.data).toHaveLength(expected.length);
        for (const [at, value] of mean.data.entries()) {
          expect(Math.abs(value - expected[at]!)).toBeLessThan(0.501);
        }
      }),
      { numRuns: runs(100) },
    );
  });

  it('leaves a picture of the target size unchanged', () => {
    fc.assert(
      fc.property(picture, (pixels) => {
        expect(areaMean(pixels, pixels.widthPx, pixels.heightPx)).toEqual(pixels);
      }),
      { numRuns: runs(100) },
    );
  });
});
