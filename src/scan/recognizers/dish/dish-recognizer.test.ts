import { createHash } from 'node:crypto';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeClassifierFolder } from '../../../../test/support/classifier-folder.ts';
import { plainPhoto } from '../../../../test/support/plain-photo.ts';
import { sampleFood } from '../../../../test/support/sample-foods.ts';
import { DishRecognizer } from './dish-recognizer.ts';

const CLASSES = [
  { label: 'tomato', food: 'tomato', rgb: [1, 0, 0] },
  { label: 'Fruit/Tomato', food: 'tomato', rgb: [0.9, 0, 0] },
  { label: 'lettuce', food: 'lettuce', rgb: [0, 1, 0] },
  { label: 'not-food', food: '', rgb: [0, 0, 1] },
] as const;
const FOODS = ['tomato', 'lettuce'].map((key) => sampleFood('starter', key));
const never = new AbortController().signal;
const open = () => DishRecognizer.open(dir, FOODS);
let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'larder-dish-'));
  await writeClassifierFolder(dir, CLASSES);
});
afterEach(() => rm(dir, { recursive: true }));

async function recognize(rgb: readonly [number, number, number]) {
  const recognizer = await open();
  try {
    return await recognizer.recognize(plainPhoto(rgb), never);
  } finally {
    await recognizer.close();
  }
}

test('the most likely food is proposed with its serving; labels of one food are counted together', async () => {
  const { proposals } = await recognize([255, 0, 0]);
  expect(proposals).toMatchObject([
    {
      kind: 'dish',
      label: 'tomato',
      foodId: 'starter:tomato',
      grams: { typical: 100, low: 50, high: 200 },
      alternatives: [{ label: 'lettuce', foodId: 'starter:lettuce' }],
    },
  ]);
  expect(proposals[0]!.confidence).toBeGreaterThan(0.99);
  expect(proposals[0]).not.toHaveProperty('unsure');
});

test('a photo between two foods is proposed as unsure', async () => {
  const { proposals, details } = await recognize([115, 128, 0]);
  expect(proposals).toMatchObject([{ unsure: true }]);
  expect(details!['food']).toBeGreaterThan(0.5);
});

test('a photo that does not look like food proposes nothing', async () => {
  const { proposals, details } = await recognize([0, 0, 255]);
  expect(proposals).toEqual([]);
  expect(details!['food']).toBeLessThan(0.01);
});

test('a changed network, one of another shape and an invalid description are rejected by name', async () => {
  await appendFile(join(dir, 'dish.onnx'), 'x');
  await expect(open()).rejects.toThrow('its SHA-256 differs');

  await writeClassifierFolder(dir, CLASSES);
  await change((description) => {
    description.input.width = 9;
  });
  await expect(open()).rejects.toThrow('does not do what model.json says');
  await change((description) => {
    description.output.classes = 5;
  });
  await expect(open()).rejects.toThrow('has 4 labels, but model.json speaks of 5 classes');
  await change((description) => {
    description.views.default = ['centre-mirror'];
  });
  await expect(open()).rejects.toThrow('model.json: views.default: has to be out of those that are allowed');
  await change((description) => {
    description.input.std = [0.5, 0, 0.5];
  });
  await expect(open()).rejects.toThrow('model.json: input.std.1:');
  await change((description) => {
    description.input.std = [0.5, 0.5, 0.5];
    description.input.shrink = { width: 8, height: 8, kernel: 'box', webp: 90 };
  });
  await expect(open()).rejects.toThrow(/model\.json: input\.shrink\.kernel: .*"linear".*"area"/);
  await change((description) => {
    description.schemaVersion = 2;
  });
  await expect(open()).rejects.toThrow('model.json: schemaVersion:');
  await rm(join(dir, 'model.json'));
  await expect(open()).rejects.toThrow('LARDER_DISH_MODEL has to name a folder');
});

test('a label table with a gap, unordered amounts, or a label without a food is rejected by line', async () => {
  const table = await readFile(join(dir, 'labels.tsv'), 'utf8');
  for (const [torn, problem] of [
    [table.replace('2\tlettuce', '7\tlettuce'), 'labels.tsv, line 4: the index has to be 2'],
    [table.replace('100\t50', '40\t50'), 'labels.tsv, line 2: low, typical and high are not in order'],
    [table.replace('\t200', '\t1e999'), 'labels.tsv, line 2: low, typical and high are not in order'],
    [
      table.replace('test\ttomato\t', 'test\ttomatoe\t'),
      'labels.tsv, line 2: no food that ships has the id tomatoe',
    ],
    [table.replace('test\ttomato\t', 'test\t\t'), 'labels.tsv, line 2: there has to be a food'],
    [table.replace('test\t\t', 'test\ttomato\t'), 'labels.tsv, line 5: there has to be a food'],
    [table.replace('label', 'name'), 'labels.tsv has to begin with the columns'],
  ] as const) {
    await writeFile(join(dir, 'labels.tsv'), torn);
    await change((description) => {
      description.labels.sha256 = createHash('sha256').update(torn).digest('hex');
    });
    await expect(open()).rejects.toThrow(problem);
  }
});

test('a label table with Windows line ends is accepted', async () => {
  const table = (await readFile(join(dir, 'labels.tsv'), 'utf8')).replaceAll('\n', '\r\n');
  await writeFile(join(dir, 'labels.tsv'), table);
  await change((description) => {
    description.labels.sha256 = createHash('sha256').update(table).digest('hex');
  });
  await (await open()).close();
});

// biome-ignore lint/suspicious/noExplicitAny: tests invalid descriptions
async function change(how: (description: any) => void): Promise<void> {
  const file = join(dir, 'model.json');
  const description = JSON.parse(await readFile(file, 'utf8'));
  how(description);
  await writeFile(file, JSON.stringify(description));
}
