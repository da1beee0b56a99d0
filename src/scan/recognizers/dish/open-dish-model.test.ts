import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeClassifierFolder } from '../../../../test/support/classifier-folder.ts';
import { writeImageTextModel } from '../../../../test/support/image-text-model.ts';
import { plainPhoto } from '../../../../test/support/plain-photo.ts';
import { sampleFood } from '../../../../test/support/sample-foods.ts';
import { tempFolder } from '../../../../test/support/temp-folder.ts';
import { openDishModel } from './open-dish-model.ts';

let folder: ReturnType<typeof tempFolder>;
beforeEach(() => {
  folder = tempFolder();
});
afterEach(() => folder[Symbol.dispose]());

async function open() {
  const dir = folder.path;
  const foods = () => [sampleFood('starter', 'tomato', { name: 'Tomato' })];
  return openDishModel({ dir, cacheDir: join(dir, 'cache'), foods });
}

async function labelOf(rgb: readonly [number, number, number]): Promise<unknown> {
  const recognizer = await open();
  const { proposals } = await recognizer.recognize(plainPhoto(rgb), new AbortController().signal);
  await recognizer.close();
  return (proposals[0] as { label?: string } | undefined)?.label;
}

test('a folder with model.json is a classifier', async () => {
  await writeClassifierFolder(folder.path, [
    { label: 'ripe', food: 'tomato', rgb: [1, 0, 0] },
    { label: 'not-food', food: '', rgb: [0, 0, 1] },
  ]);
  expect(await labelOf([255, 0, 0])).toBe('ripe');
});

test('a folder in the layout of Hugging Face is an image-text model over the names of foods', async () => {
  await writeImageTextModel(folder.path, [
    { word: 'tomato', rgb: [1, 0, 0] },
    { word: 'landscape', rgb: [0, 0, 1] },
  ]);
  expect(await labelOf([255, 0, 0])).toBe('Tomato');
});

test('any other folder is rejected with the name of the missing file', async () => {
  await expect(open()).rejects.toThrow('docs/dish-model.md');
});
