import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { MAX_TEXT_LENGTH, type TextTotals, TOTAL_KEYS } from '@larder/text/parse/read-text.ts';
import { beforeAll, expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { parseText } from '../../api/foods/food-look-ups.ts';
import type { Outcome } from '../../api/operation.ts';
import { openCatalogueStore, STARTER } from '../../app/catalogue-store.ts';
import { readConfig } from '../../config/config.ts';
import { Catalogue } from '../../foods/catalogue/catalogue.ts';
import { loadCatalogueImage } from '../../foods/catalogue/load-catalogue.ts';
import { addFoods } from '../../foods/import/complete-foods.ts';
import { FoodDirectory } from '../../foods/visible-foods.ts';
import { createProgram } from '../program.ts';

const MEAL = 'For lunch I had 200 g rice, 2 eggs and a large latte';

let dir: string;
let readOfApi: (text: string, lang?: 'de') => Promise<unknown>;
beforeAll(async () => {
  const folder = tempFolder();
  dir = folder.path;
  const catalogueStore = openCatalogueStore(readConfig({ LARDER_DATA_DIR: dir }));
  const name = await addFoods({ catalogueStore, ...STARTER, nowMs: Date.now });
  const catalogue = Catalogue.open(await loadCatalogueImage(catalogueStore.pathOf(name)));
  const foods = new FoodDirectory({ catalogue: { current: catalogue } });
  readOfApi = async (text, lang) => {
    const request = { caller: { tenant: 'acme' }, query: { lang: [] }, body: { text, lang } };
    const { value } = (await parseText.handle(request as never, { foods })) as Outcome;
    return JSON.parse(JSON.stringify(value));
  };
  return () => folder[Symbol.dispose]();
});

test('without a catalogue the error says how to get one', async () => {
  using folder = tempFolder();
  await expect(larder('rice', { data: folder.path })).rejects.toThrow(/larder import/);
});

test('the output equals the API’s response', async () => {
  for (const meal of [MEAL, '2 eggs\n\n100 g cheddar, grated', '100 g xqzvw', ' ']) {
    expect(JSON.parse((await larder(meal, '--json')).out)).toEqual(await readOfApi(meal));
  }
  const meal = '1 Glas Milch';
  expect(JSON.parse((await larder(meal, '--lang', 'de', '--json')).out)).toEqual(await readOfApi(meal, 'de'));
});

test('several words need no quotes', async () => {
  expect(await larder('two', 'eggs')).toEqual(await larder('two eggs'));
});

test('the table has sums, and marks unknown values', async () => {
  const { out } = await larder(`${MEAL}, a handful of almonds\n100 g xqzvw\nrice 900000 kg`);
  const lines = out.split('\n');
  expect(lines[0]).toMatch(/^words +amount +grams +food +kcal +confidence +note$/);
  expect(lines[1]).toMatch(/^rice +200 g +200 {2}Rice +258 +\d+ % {2}weight$/);
  expect(lines[2]).toMatch(/^eggs +2 +100 {2}Egg +143 +\d+ % {2}serving "/);
  expect(lines[3]).toMatch(/^latte +1 large +590 ml {2}Latte/);
  expect(lines[4]).toMatch(/^almonds +1 handful +30 .* assumed: typical handful of 30 g \(USDA/);
  expect(lines[5]).toMatch(/^xqzvw +100 g +! no food found$/);
  expect(lines[6]).toMatch(/^rice +900000 kg +Rice +! weight not known$/);
  expect(lines[7]).toMatch(/^total +8\d\d$/);
  expect(lines.slice(9)).toEqual([
    expect.stringMatching(/ g protein, .* mg sodium$/),
    'Not in the total: 2 of 6, marked with !.',
    '',
  ]);
  expect(await larder('...')).toEqual({ out: '', err: 'The text names nothing.\n' });
});

test('explain shows the amount, the compared foods, and the source of the grams', async () => {
  const meal = '2 x 330 ml cola and 1-2 apples';
  const { items } = JSON.parse((await larder(meal, '--explain', '--json')).out);
  const [cola, apple] = items;
  expect(cola).toMatchObject({ text: 'cola', start: 11, end: 15, amount: '2 of 330 ml each', grams: 660 });
  expect(cola.candidates[0]).toEqual({
    id: 'starter:cola',
    name: 'Cola',
    score: expect.any(Number),
    fit: 1,
    grams: 660,
    note: 'volume',
  });
  expect(apple).toMatchObject({ amount: '1 to 2', assumed: [], note: expect.stringMatching(/^serving/) });
  const { out } = await larder(meal, '--explain');
  expect(out).toMatch(/^cola {2}\(11 to 15, confidence \d+ %\)\n {2}amount {6}2 of 330 ml each\n/);
  expect(out).toMatch(/\n {2}grams {7}660 ml, volume\n {2}compared {4}name 1\.\d\d, servings 1\.00 {2}Cola/);
  const unsaid = (await larder('almonds', '--explain')).out;
  expect(unsaid).toMatch(/^almonds .*\n {2}amount {6}none is said\n {2}grams .* assumed: serving "/);
});

test('a batch answers every line of a file in order; an overlong line fails alone', async () => {
  const file = join(dir, 'meals.txt');
  const long = 'x'.repeat(MAX_TEXT_LENGTH + 1);
  await writeFile(file, `${MEAL}\r\n\n${long}\n100 g xqzvw`);
  const { out } = await larder('--batch', file);
  expect((await larder('--batch', '-', { input: '2 eggs' })).out).toMatch(/^\{"text":"2 eggs","items":\[\{/);
  const [meal, empty, tooLong, unknown, ...rest] = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(rest).toEqual([]);
  const { items, totals: answered } = (await readOfApi(MEAL)) as { items: ApiItem[]; totals: TextTotals };
  const totals = Object.fromEntries(TOTAL_KEYS.map((key) => [key, answered[key]]));
  expect(meal).toEqual({
    text: MEAL,
    items: items.map(({ text, quantity, unit, grams, confidence, food }) => ({
      text,
      quantity,
      unit: unit ?? null,
      grams,
      id: food.id,
      name: food.name,
      calories: food.macros['energy'],
      carbs: food.macros['carbohydrates'],
      protein: food.macros['protein'],
      fat: food.macros['fat'],
      confidence,
    })),
    totals,
    us: expect.any(Number),
  });
  expect(empty).toMatchObject({ text: '', items: [], totals: { calories: 0 } });
  expect(tooLong).toEqual({ text: long, error: expect.stringContaining(String(MAX_TEXT_LENGTH)) });
  expect(unknown.items).toMatchObject([{ grams: null, id: null, name: null, calories: null, confidence: 0 }]);
});

test('an invalid combination of arguments is refused in one sentence', async () => {
  await expect(larder()).rejects.toThrow(/either a text or --batch/);
  await expect(larder('a', '--batch', '-')).rejects.toThrow(/either a text or --batch/);
  await expect(larder('--batch', '-', '--explain')).rejects.toThrow(/--explain/);
  await expect(larder('rice', '--lang', 'xx')).rejects.toThrow(/one of en, de/);
  await expect(larder('x'.repeat(MAX_TEXT_LENGTH + 1))).rejects.toThrow(/at most 2000/);
  await expect(larder('--batch', join(dir, 'none'))).rejects.toThrow(/no such file/);
});

interface ApiItem {
  readonly text: string;
  readonly quantity: number;
  readonly unit: string | null;
  readonly grams: number;
  readonly confidence: number;
  readonly food: { readonly id: string; readonly name: string; readonly macros: Record<string, number> };
}

async function larder(...words: (string | { readonly input?: string; readonly data?: string })[]) {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const [printed, told] = [text(out), text(err)];
  const { input = '', data = dir } = words.find((word) => typeof word !== 'string') ?? {};
  const env = { LARDER_DATA_DIR: data };
  const program = await createProgram({ env, in: Readable.from([Buffer.from(input)]), out, err });
  await program.parseAsync(['node', 'larder', 'parse', ...words.filter((word) => typeof word === 'string')]);
  out.end();
  err.end();
  return { out: await printed, err: await told };
}
