import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import { isRefusal } from '../../images/image-facts.ts';
import { inspectImage } from '../../images/inspect-image.ts';
import { OpenPhoto } from '../../images/open-photo.ts';
import type { Photo } from '../../images/photo.ts';
import { toTensors } from './image-views.ts';
import type { ModelDescription } from './model-description.ts';

const SIDE_PX = 8;
let photo: Photo;

/** Bright on the left, dark on the right, larger than the network's input. */
beforeAll(async () => {
  const right = await sharp({ create: { width: 16, height: 32, channels: 3, background: '#303030' } })
    .png()
    .toBuffer();
  const bytes = await sharp({ create: { width: 32, height: 32, channels: 3, background: '#d0d0d0' } })
    .composite([{ input: right, left: 15, top: 0 }])
    .png()
    .toBuffer();
  const facts = inspectImage(bytes);
  if (isRefusal(facts)) throw new Error(facts.message);
  photo = await OpenPhoto.open(bytes, facts, () => 0);
});

function tensors(
  kernel: ModelDescription['input']['kernel'],
  views: ModelDescription['views']['default'],
  shrink?: ModelDescription['input']['shrink'],
) {
  return toTensors(photo, {
    input: {
      name: 'pixels',
      type: 'float32',
      layout: 'nchw',
      batch: 'any',
      width: SIDE_PX,
      height: SIDE_PX,
      fit: 'squash',
      kernel,
      colour: 'rgb',
      mean: [0, 0, 0],
      std: [1, 1, 1],
      ...(shrink && { shrink }),
    },
    views: { allowed: views, default: views, centreShare: 0.5 },
  });
}

const firstRow = (tensor: Float32Array) => Array.from(tensor.subarray(0, SIDE_PX));

test('the photo is scaled with the kernel of the description', async () => {
  const [linear] = await tensors('linear', ['whole']);
  const [lanczos] = await tensors('lanczos3', ['whole']);
  const [cubic] = await tensors('cubic', ['whole']);
  expect(cubic).not.toEqual(lanczos);
  expect(cubic).not.toEqual(linear);
});

test('a mirrored view is the other one with left and right exchanged', async () => {
  const [whole, mirror] = await tensors('cubic', ['whole', 'mirror']);
  expect(firstRow(mirror!)).toEqual(firstRow(whole!).reverse());
  expect(whole![0]).toBeGreaterThan(whole![SIDE_PX - 1]!);
});

test('the centre view is the enlarged middle of the photo', async () => {
  const [whole, centre] = await tensors('cubic', ['whole', 'centre']);
  const steepness = (row: readonly number[]) =>
    Math.max(...row.slice(1).map((value, at) => row[at]! - value));
  expect(steepness(firstRow(centre!))).toBeLessThan(steepness(firstRow(whole!)) + 1e-6);
  expect(centre!.length).toBe(whole!.length);
});

test('a photo is shrunk first with the kernel for that', async () => {
  const small = { width: 12, height: 12, webp: 100 };
  const [alike] = await tensors('cubic', ['whole'], small);
  expect((await tensors('cubic', ['whole'], { ...small, kernel: 'cubic' }))[0]).toEqual(alike);
  for (const kernel of ['linear', 'area'] as const) {
    expect((await tensors('cubic', ['whole'], { ...small, kernel }))[0]).not.toEqual(alike);
  }
});

test('a photo is compressed first only if that makes it smaller', async () => {
  const [plain] = await tensors('cubic', ['whole']);
  const [coarse] = await tensors('cubic', ['whole'], { width: 16, height: 16, webp: 1 });
  expect(coarse).not.toEqual(plain);
  expect((await tensors('cubic', ['whole'], { width: 31, height: 32, webp: 1 }))[0]).toEqual(plain);
});
