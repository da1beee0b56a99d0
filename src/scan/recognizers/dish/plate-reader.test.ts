import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeClassifierFolder } from '../../../../test/support/classifier-folder.ts';
import { sampleFood } from '../../../../test/support/sample-foods.ts';
import { isRefusal } from '../../images/image-facts.ts';
import { inspectImage } from '../../images/inspect-image.ts';
import { OpenPhoto } from '../../images/open-photo.ts';
import { type DishOptions, DishRecognizer } from './dish-recognizer.ts';

const CLASSES = [
  { label: 'tomato', food: 'tomato', rgb: [1, 0, 0] },
  { label: 'lettuce', food: 'lettuce', rgb: [0, 1, 0] },
  { label: 'not-food', food: '', rgb: [0, 0, 1] },
] as const;
const FOODS = ['tomato', 'lettuce'].map((key) => sampleFood('starter', key));
const RED = '#ff0000';
const GREEN = '#00ff00';
const BLUE = '#0000ff';
const SIDE_PX = 64;
let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'larder-plate-'));
  await writeClassifierFolder(dir, CLASSES, { plates: true });
});
afterEach(() => rm(dir, { recursive: true }));

/** A photo with these colours in its quarters, row by row. */
async function photoOf(colours: readonly string[]): Promise<OpenPhoto> {
  const parts = await Promise.all(
    colours.map(async (background, at) => ({
      input: await sharp({ create: { width: SIDE_PX, height: SIDE_PX, channels: 3, background } })
        .png()
        .toBuffer(),
      left: (at % 2) * SIDE_PX,
      top: Math.floor(at / 2) * SIDE_PX,
    })),
  );
  const whole = { width: 2 * SIDE_PX, height: 2 * SIDE_PX, channels: 3, background: BLUE } as const;
  const bytes = await sharp({ create: whole }).composite(parts).png().toBuffer();
  const facts = inspectImage(bytes);
  if (isRefusal(facts)) throw new Error(facts.message);
  return OpenPhoto.open(bytes, facts, () => performance.now());
}

async function proposalsFor(colours: readonly string[], options?: DishOptions) {
  const recognizer = await DishRecognizer.open(dir, FOODS, options);
  try {
    return (await recognizer.recognize(await photoOf(colours), new AbortController().signal)).proposals;
  } finally {
    await recognizer.close();
  }
}

test('two foods beside each other are two proposals, each with its place', async () => {
  const proposals = await proposalsFor([RED, GREEN, RED, GREEN]);
  expect(new Set(proposals.map(({ box }) => JSON.stringify(box)))).toEqual(
    new Set([
      JSON.stringify({ left: 0, top: 0, width: 0.5, height: 1 }),
      JSON.stringify({ left: 0.5, top: 0, width: 0.5, height: 1 }),
    ]),
  );
  const [tomato, lettuce] = ['starter:tomato', 'starter:lettuce'].map((id) =>
    proposals.find((proposal) => proposal.kind === 'dish' && proposal.foodId === id),
  );
  expect(tomato).toMatchObject({ box: { left: 0 }, grams: { typical: 100, low: 50, high: 200 } });
  expect(lettuce).toMatchObject({ box: { left: 0.5 }, alternatives: [{ foodId: 'starter:tomato' }] });
  for (const { confidence } of proposals) expect(confidence).toBeGreaterThan(0.9);
});

test('a mirrored plate has its foods in mirrored places', async () => {
  const proposals = await proposalsFor([GREEN, RED, GREEN, RED]);
  const tomato = proposals.find(
    (proposal) => proposal.kind === 'dish' && proposal.foodId === 'starter:tomato',
  );
  expect(tomato).toMatchObject({ box: { left: 0.5, top: 0, width: 0.5, height: 1 } });
});

test('a single food is one proposal without a place, and so is one beside what is no food', async () => {
  for (const colours of [
    [RED, RED, RED, RED],
    [RED, RED, RED, BLUE],
  ]) {
    const proposals = await proposalsFor(colours);
    expect(proposals).toMatchObject([{ foodId: 'starter:tomato' }]);
    expect(proposals[0]).not.toHaveProperty('box');
  }
});

test('several foods are not looked for if that is turned off', async () => {
  const proposals = await proposalsFor([RED, GREEN, RED, GREEN], { severalFoods: false });
  expect(proposals).toHaveLength(1);
  expect(proposals[0]).not.toHaveProperty('box');
});
