import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tempFolder } from '../../../../test/support/temp-folder.ts';
import { keptVectors } from './vector-file.ts';

const TEXTS = ['tomato', 'lettuce', 'soup', 'bread'];
let folder: ReturnType<typeof tempFolder>;
let file: string;

beforeEach(() => {
  folder = tempFolder();
  file = join(folder.path, 'cache', 'vectors.f32');
});
afterEach(() => folder[Symbol.dispose]());

/** A model that returns one vector for all texts, and counts the texts. */
function model(...place: number[]) {
  const embed = async (texts: readonly string[]) => {
    embed.texts += texts.length;
    return texts.map(() => Float32Array.from(place));
  };
  embed.texts = 0;
  return embed;
}

test('vectors belong to the current model, even if a file of another model has its name', async () => {
  const before = await keptVectors(file, TEXTS, model(1, 0));
  expect(await keptVectors(file, TEXTS, model(1, 0))).toEqual(before);
  for (const other of [model(0, 1), model(0, 0, 1)]) {
    const vectors = await keptVectors(file, TEXTS, other);
    expect(vectors).toEqual(await other(TEXTS));
  }
});

test('a sample of the texts is embedded again to check the file', async () => {
  const many = Array.from({ length: 2_000 }, (_, index) => `text ${index}`);
  await keptVectors(file, many, model(1, 0));
  const again = model(1, 0);
  await keptVectors(file, many, again);
  expect(again.texts).toBeLessThan(20);
});

test('concurrent threads of one process all get the vectors', async () => {
  const many = Array.from({ length: 20_000 }, (_, index) => `text ${index}`);
  const all = await Promise.all(Array.from({ length: 4 }, () => keptVectors(file, many, model(0.6, 0.8))));
  for (const vectors of all) expect(vectors).toHaveLength(many.length);
  expect(await readdir(join(folder.path, 'cache'))).toEqual(['vectors.f32']);
});
