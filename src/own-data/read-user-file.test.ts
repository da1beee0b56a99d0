import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toDecimal } from '../diary/records/exact-amount.ts';
import { Reading } from './import/reading.ts';
import { type ReadOptions, readUserFile } from './read-user-file.ts';
import { toEntryRecord } from './records/entry-record.ts';

const SAMPLES = join(import.meta.dirname, '..', '..', 'test', 'support', 'diary-exports');

async function read(file: string | Buffer, options: Partial<ReadOptions> = {}) {
  const reading = new Reading();
  const format = await readUserFile(Buffer.from(file), reading, {
    owner: { tenant: 'acme', userId: 'ann' },
    nowMs: Date.UTC(2026, 0, 1),
    readDraft: () => {
      throw new Error('there are no foods');
    },
    ...options,
  });
  // As lines of an export, which leave absent values out.
  // biome-ignore lint/suspicious/noExplicitAny: tests say what they expect of it.
  const entries: any[] = JSON.parse(
    JSON.stringify(reading.records.entries.map(({ record }) => toEntryRecord(record))),
  );
  return { format, reading, entries, ids: reading.records.entries.map(({ record }) => record.id) };
}
const sample = async (name: string, options?: Partial<ReadOptions>) =>
  read(await readFile(join(SAMPLES, `${name}.csv`)), options);
const refusal = (file: string, options?: Partial<ReadOptions>) =>
  read(file, options).catch(({ message }) => message);

describe('exports of other apps', () => {
  it('reads meals of MyFitnessPal as entries with nutrients', async () => {
    const { format, entries, reading, ids } = await sample('myfitnesspal', { timeZone: 'Europe/Berlin' });
    expect([format, entries.length, reading.problems]).toEqual(['myfitnesspal', 5, []]);
    expect(entries[0]).toMatchObject({
      date: '2025-03-01',
      mealType: 'breakfast',
      foodName: 'Breakfast',
      calories: 412.5,
      protein: 19.8,
      carbs: 52.1,
      fat: 14.2,
      fiber: 7.3,
      sodium: 530.4,
      nutrients: { saturatedFat: 4.1, sugars: 12, cholesterol: 186, potassium: 410, transFat: 0 },
      eatenAt: '2025-03-01T08:15:00+01:00',
      note: 'Oats, berries',
    });
    // Percentages of a daily value are not amounts.
    expect(entries[0].nutrients).not.toHaveProperty('calcium');
    expect(reading.ignoredColumns).toEqual(expect.arrayContaining(['Calcium', 'Iron', 'Vitamin A']));
    expect(entries[2]).toMatchObject({
      mealType: 'snacks',
      foodName: 'Post-Workout',
      eatenAt: '2025-03-01T18:40:00+01:00',
    });
    expect(reading.notes).toContain('Meal "Post-Workout" was taken as snacks.');
    expect(entries[3].nutrients).not.toHaveProperty('cholesterol');
    expect(new Set(ids).size).toBe(5);
  });

  it('reads foods of Cronometer with amounts', async () => {
    const { format, entries, reading } = await sample('cronometer');
    expect([format, reading.problems]).toEqual(['cronometer', []]);
    expect(entries).toMatchObject([
      {
        foodName: 'Oats, Rolled, Dry',
        quantity: 60,
        unit: 'g',
        calories: 227.4,
        carbs: 40.62,
        nutrients: { iron: 2.55, vitaminD: 0 },
      },
      { quantity: 1, unit: 'cup', nutrients: { vitaminD: 3.111, calcium: 275.72 } },
      { mealType: 'snacks', quantity: 2, unit: 'medium (2-2/3" dia)', calories: 117 },
      { mealType: 'dinner', quantity: 1.5, unit: 'full recipe', sodium: 1_240 },
    ]);
    expect(entries[2]).not.toHaveProperty('sodium');
    expect(reading.notes.join()).toContain('timeZone');
  });

  it('reads the nested rows of FatSecret', async () => {
    const { format, entries, reading } = await sample('fatsecret');
    expect([format, reading.problems]).toEqual(['fatsecret', []]);
    expect(
      entries.map(({ date, mealType, foodName, quantity, unit, calories }) => [
        date,
        mealType,
        foodName,
        quantity,
        unit,
        calories,
      ]),
    ).toEqual([
      ['2025-03-01', 'breakfast', 'Multigrain Bread', 3, 'regular slices', 196],
      ['2025-03-01', 'breakfast', 'Goats Cheese (Soft)', 56, 'g', 80],
      ['2025-03-01', 'breakfast', 'Green Tea', 240, 'ml', 0],
      ['2025-03-01', 'breakfast', 'Half Apple', 0.5, 'large', 65],
      ['2025-03-01', 'snacks', 'Trail Mix', 1.5, 'handfuls (small)', 260],
      ['2025-03-02', 'snacks', 'Second Lunch', undefined, undefined, 500],
    ]);
    expect(entries[0]).toMatchObject({
      protein: 7.8,
      carbs: 36.19,
      sodium: 380,
      nutrients: { saturatedFat: 0.629, potassium: 159, cholesterol: 0 },
    });
    expect(entries[1].nutrients).not.toHaveProperty('potassium');
  });

  it('reads SparkyFitness in kilojoules, without its sums', async () => {
    const { format, entries, reading } = await sample('sparkyfitness');
    expect([format, entries.length, reading.problems]).toEqual(['sparkyfitness', 2, []]);
    expect(entries[0]).toMatchObject({
      date: '2025-03-02',
      foodName: 'Lentil Soup (Kitchen, Inc.)',
      quantity: 1.5,
      unit: 'bowl',
      calories: 299.952,
    });
    expect(entries[1]).toMatchObject({ quantity: 118, unit: 'g', nutrients: { iron: 0.3, calcium: 6 } });
  });

  it('computes entries from the amounts per 100 g of OpenNutriTracker', async () => {
    const { format, entries, reading } = await sample('opennutritracker', { timeZone: 'America/New_York' });
    expect(format).toBe('opennutritracker');
    expect(entries).toMatchObject([
      {
        foodName: 'Whole Milk (Acme Dairy)',
        calories: 160,
        fat: 8.75,
        sodium: 110,
        eatenAt: '2025-03-01T08:15:00-05:00',
      },
      { calories: 684, protein: 23.4, quantity: 2, unit: 'serving' },
    ]);
    expect(reading.problems).toMatchObject([{ line: 4, message: expect.stringContaining('weight') }]);
  });

  it('reads a table of another language with semicolons, decimal commas and points', async () => {
    const { format, entries, reading } = await sample('table-de');
    expect([format, reading.problems]).toEqual(['table', []]);
    expect(entries).toMatchObject([
      {
        date: '2025-02-03',
        mealType: 'breakfast',
        foodName: 'Brötchen',
        quantity: 2,
        unit: 'Stück',
        calories: 299.952,
        carbs: 56.1,
        sodium: 480,
      },
      {
        date: '2025-02-04',
        mealType: 'dinner',
        foodName: 'Crème brûlée',
        quantity: 120,
        unit: 'g',
        fat: 26.5,
      },
    ]);
  });

  it.each(['myfitnesspal', 'cronometer', 'fatsecret', 'sparkyfitness', 'opennutritracker', 'table-de'])(
    'gives the entries of %s the same ids each time, and entries of other users other ids',
    async (name) => {
      const first = await sample(name);
      expect((await sample(name)).ids).toEqual(first.ids);
      const other = await sample(name, { owner: { tenant: 'acme', userId: 'bob' } });
      expect(first.ids.filter((id) => other.ids.includes(id))).toEqual([]);
    },
  );

  it('gives an entry the same id in a longer export', async () => {
    const text = await readFile(join(SAMPLES, 'cronometer.csv'), 'utf8');
    const [head, ...rows] = text.trim().split('\n');
    const part = await read([head, ...rows.slice(1)].join('\n'));
    expect((await read(text)).ids).toEqual(expect.arrayContaining(part.ids));
  });
});

const HEAD = 'Date,Meal,Food,Calories\n';

describe('dates', () => {
  it.each([
    ['31/01/2025', '01/02/2025', ['2025-01-31', '2025-02-01']],
    ['01/31/2025', '01/02/2025', ['2025-01-31', '2025-01-02']],
    ['1.2.2025', '3.4.25', ['2025-02-01', '2025-04-03']],
    ['2025/02/01', '2025-02-03', ['2025-02-01', '2025-02-03']],
    ['"1 février 2025"', '"mardi 4 mars 2025"', ['2025-02-01', '2025-03-04']],
    ['"1. März 2025"', '"2 de mayo de 2025"', ['2025-03-01', '2025-05-02']],
    ['05/05/2025', '2025-02-03', ['2025-05-05', '2025-02-03']],
  ])('%s and %s are %j', async (one, two, days) => {
    const { entries } = await read(`${HEAD}${one},Lunch,Soup,100\n${two},Lunch,Soup,100\n`);
    expect(entries.map(({ date }) => date)).toEqual(days);
  });

  it('that are ambiguous are rejected, unless their order is stated', async () => {
    const file = `${HEAD}01/02/2025,Lunch,Soup,100\n`;
    expect(await refusal(file)).toContain('dateOrder');
    const { entries } = await read(file, { dateOrder: 'month-first' });
    expect(entries[0].date).toBe('2025-01-02');
    expect(await refusal(`${HEAD}13/02/2025,Lunch,Soup,1\n02/13/2025,Lunch,Soup,1\n`)).toContain(
      'contradict',
    );
  });
});

describe('problems', () => {
  it('are reported with line and column, and the other rows are read', async () => {
    const { reading, entries } = await read(
      'Date,Meal,Food,Calories,Fat (g)\n2025-02-30,Lunch,Soup,1,1\n2025-02-01,Lunch,Soup,many,1\n2025-02-01,Lunch,"Soup\nwith noodles",100,much\n2025-02-01,Lunch,Soup,1\n2025-02-01,Lunch,,100,1\n2025-02-01,Lunch,Soup,30000,1\n2025-02-01,Lunch,"Soup,1,1\n',
    );
    expect(reading.problems.map(({ line, column }) => [line, column])).toEqual([
      [2, 'Date'],
      [3, 'Calories'],
      [3, 'energy'],
      [4, 'Fat (g)'],
      [6, undefined],
      [8, 'calories'],
      [9, undefined],
    ]);
    expect(entries).toMatchObject([
      { foodName: 'Soup\nwith noodles', calories: 100, unknown: expect.anything() },
      { foodName: 'Lunch' },
    ]);
    expect(reading.refused.entries).toBe(5);
  });

  it('of whole files say what to do', async () => {
    expect(await refusal('Date,Energy (kcal),Protein (g),Completed\n2025-01-01,1,1,true\n')).toContain(
      'servings.csv',
    );
    expect(await refusal('Weight,Waist\n80,90\n')).toContain('Weight, Waist');
    expect(await refusal(`${HEAD.trim()},Fat\n2025-02-01,Lunch,Soup,"1,5",1.25\n`)).toContain('decimal');
    expect(await refusal(HEAD, { timeZone: 'Mars/Base' })).toContain('IANA');
  });

  it('Latin-1, UTF-16 and texts that were encoded twice are read', async () => {
    const text = `${HEAD}2025-02-01,Lunch,Crème brûlée,100\n`;
    const [latin, utf16, twice] = [
      Buffer.from(text, 'latin1'),
      Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from(text, 'utf16le')]),
      Buffer.from(Buffer.from(text).toString('latin1')),
    ];
    for (const file of [latin, utf16, twice])
      expect((await read(file)).entries[0].foodName).toBe('Crème brûlée');
    expect((await read(latin)).reading.notes.join()).toContain('Latin-1');
  });
});

it('amounts keep three decimals', async () => {
  const { reading } = await read(`${HEAD}2025-02-01,Lunch,Soup,100.1234\n`);
  expect(toDecimal(reading.records.entries[0]!.record.amounts.calories)).toBe(100.123);
});
