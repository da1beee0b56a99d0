import { expect, test } from 'vitest';
import { findBarRegions } from './bar-regions.ts';

const WIDTH = 320;
const HEIGHT = 96;

/** Vertical stripes that change every `bandPx` rows. */
function stripes(bandPx: number) {
  const data = new Uint8Array(WIDTH * HEIGHT);
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const module = Math.floor(x / 3) + 7_919 * Math.floor(y / bandPx);
      data[y * WIDTH + x] = Math.abs(Math.sin(module * 12.9898) * 43_758.5453) % 1 < 0.5 ? 30 : 220;
    }
  }
  return { widthPx: WIDTH, heightPx: HEIGHT, data };
}

test('bars that continue from line to line are distinguished from other stripes', () => {
  const [bars] = findBarRegions(stripes(HEIGHT), 1);
  const [others] = findBarRegions(stripes(8), 1);
  expect(bars!.likeness).toBeGreaterThan(0.95);
  expect(others!.likeness).toBeLessThan(0.5);
});
