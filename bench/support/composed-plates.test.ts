import sharp from 'sharp';
import { expect, test } from 'vitest';
import { composePlates } from './composed-plates.ts';

const COLOURS = ['#ff0000', '#00ff00', '#0000ff', '#ffff00', '#00ffff', '#ff00ff'];

test('plates have two to four different foods, and are the same for the same seed', async () => {
  const photos = await Promise.all(
    COLOURS.map(async (background) => ({
      label: background,
      source: background,
      foodId: background,
      bytes: await sharp({ create: { width: 64, height: 64, channels: 3, background } })
        .png()
        .toBuffer(),
    })),
  );
  const [plates, again, others] = await Promise.all(
    [1, 1, 2].map((seed) => composePlates(photos, { count: 6, seed })),
  );
  expect(plates).toEqual(again);
  expect(plates).not.toEqual(others);
  expect(plates!.map(({ foodIds }) => foodIds.length)).toEqual([2, 3, 4, 2, 3, 4]);
  for (const { bytes, foodIds } of plates!) {
    expect(new Set(foodIds).size).toBe(foodIds.length);
    const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
    const seen = new Set<string>();
    // Each colour is some corner of the plate, or else between two of them.
    for (const y of [5, info.height / 2, info.height - 5]) {
      for (const x of [5, info.width / 2, info.width - 5]) {
        const at = (Math.floor(y) * info.width + Math.floor(x)) * 3;
        const near = [...data.subarray(at, at + 3)].map((value) => (value > 127 ? 'ff' : '00')).join('');
        seen.add(`#${near}`);
      }
    }
    expect(foodIds.filter((colour) => !seen.has(colour))).toEqual([]);
  }
});
