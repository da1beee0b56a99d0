import sharp from 'sharp';
import { expect, test } from 'vitest';
import { Random } from '../../../bench/support/search-random.ts';
import { breakImage, imageBombs } from './images.ts';

const MAX_UPLOAD_BYTES = 10 * 1024 * 1024;
const bombs = imageBombs();
const bomb = (name: string) => bombs.find((each) => each.name === name)!.bytes;

test('there are bombs of every type, each within the upload limits', () => {
  expect(new Set(bombs.map(({ type }) => type)).size).toBe(4);
  for (const { bytes } of bombs) expect(bytes.length).toBeLessThanOrEqual(MAX_UPLOAD_BYTES);
});

test.each([
  'progressive JPEG of 100 scans',
  'PNG of 48 megapixels in 16 bits',
  'PNG of 48 megapixels, interlaced',
])('%s can be decoded', async (name) => {
  const { info } = await sharp(bomb(name), { failOn: 'error' })
    .resize(16, 16)
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect(info).toMatchObject({ width: 16, height: 16 });
  expect(bomb(name).length).toBeLessThan(MAX_UPLOAD_BYTES / 10);
});

test('broken images differ from each other and from the whole image', () => {
  const random = new Random({ seed: 3 });
  const whole = Buffer.from(Array.from({ length: 500 }, (_, at) => at % 256));
  const broken = Array.from({ length: 100 }, () => Buffer.from(breakImage(whole, random)));
  expect(broken.filter((bytes) => bytes.equals(whole))).toEqual([]);
  expect(new Set(broken.map((bytes) => bytes.toString('hex'))).size).toBeGreaterThan(90);
});
