import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Food, toFoodId } from '@larder/core/food.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeImageTextModel } from '../../../../test/support/image-text-model.ts';
import { plainPhoto } from '../../../../test/support/plain-photo.ts';
import { OpenVocabularyRecognizer } from './open-vocabulary-recognizer.ts';

const FOODS = [
  food('tomato', 'Tomato', 150),
  food('lettuce', 'Lettuce', 40),
  { ...food('ketchup', 'Tomato', 15), brand: 'Acme' },
];
const never = new AbortController().signal;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-vocabulary-'));
  await writeImageTextModel(join(folder, 'model'), [
    { word: 'tomato', rgb: [1, 0, 0] },
    { word: 'lettuce', rgb: [0, 1, 0] },
    { word: 'landscape', rgb: [0, 0, 1] },
  ]);
});
afterAll(() => rm(folder, { recursive: true }));

function open(foods: readonly Food[] = FOODS) {
  const source = { dir: join(folder, 'model') };
  return OpenVocabularyRecognizer.open({ source, foods, cacheDir: join(folder, 'cache') });
}

test('the food whose name is closest to the photo is proposed, with its serving and alternatives', async () => {
  const recognizer = await open();
  const { proposals } = await recognizer.recognize(plainPhoto([255, 0, 0]), never);
  expect(proposals).toMatchObject([
    {
      kind: 'dish',
      label: 'Tomato',
      foodId: 'starter:tomato',
      grams: { typical: 150, low: 75, high: 300 },
      alternatives: [{ label: 'Lettuce', foodId: 'starter:lettuce' }],
    },
  ]);
  const green = await recognizer.recognize(plainPhoto([0, 255, 0]), never);
  expect(green.proposals).toMatchObject([{ label: 'Lettuce' }]);
  await recognizer.close();
});

test('a photo closer to something else than to any food proposes nothing', async () => {
  const recognizer = await open();
  const { proposals, details } = await recognizer.recognize(plainPhoto([0, 0, 255]), never);
  expect(proposals).toEqual([]);
  expect(details).toEqual({ food: false });
  await recognizer.close();
});

test('texts are embedded once for each model and list of foods', async () => {
  const cache = join(folder, 'cache');
  await (await open()).close();
  const files = await readdir(cache);
  const vectors = files.map((name) => join(cache, name));
  await (await open()).close();
  expect(await readdir(cache)).toEqual(files);

  await (await open(FOODS.slice(0, 1))).close();
  expect(await readdir(cache)).toHaveLength(files.length + 1);

  // Damaged files are replaced.
  await writeFile(vectors[0]!, 'x');
  const mended = await open();
  const { proposals } = await mended.recognize(plainPhoto([255, 0, 0]), never);
  expect(proposals).toMatchObject([{ label: 'Tomato' }]);
  await mended.close();
});

test('a folder without a model, or with one of another kind, is rejected by name', async () => {
  const nothing = OpenVocabularyRecognizer.open({ source: { dir: folder }, foods: FOODS, cacheDir: folder });
  await expect(nothing).rejects.toThrow(`The image-text model ${folder} cannot be loaded`);

  const other = join(folder, 'bert');
  await writeImageTextModel(other, []);
  await writeFile(join(other, 'config.json'), '{"model_type":"bert"}');
  const wrong = OpenVocabularyRecognizer.open({ source: { dir: other }, foods: FOODS, cacheDir: folder });
  await expect(wrong).rejects.toThrow(
    'is a model of type bert; image-text models are of type clip or siglip',
  );
});

function food(key: string, name: string, grams: number): Food {
  return {
    id: toFoodId('starter', key),
    source: 'public_dataset',
    name,
    aliases: [],
    basis: 'g',
    per100: { energy: 20, protein: 1, fat: 0, carbohydrates: 4 },
    servings: [{ value: grams, unit: 'g', basisAmount: grams }],
    popularity: 0,
    createdAt: 0,
    updatedAt: 0,
  };
}
