import { randomBytes } from 'node:crypto';
import { AppError } from '@larder/core/errors.ts';
import type { Food } from '@larder/core/food.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bread, DATE, soup } from '../../test/support/diary-inputs.ts';
import { openDiary } from '../../test/support/open-diary.ts';
import { CSV_HEADER, toCsvLine } from '../api/own-data/own-data.ts';
import type { Diary } from './diary.ts';
import type { EntryInput } from './entry-input.ts';
import { oneDay, parseDay, parseDayRange } from './records/day.ts';
import { type DiaryOwner, MAX_BATCH_ENTRIES } from './records/entry.ts';
import { toSumFields } from './records/totals.ts';

describe('diary', () => {
  const foods: Food[] = [];
  let opened: Awaited<ReturnType<typeof openDiary>>;
  let diary: Diary;
  let owners = 0;
  const newOwner = (): DiaryOwner => ({ tenant: 'acme', userId: `u${++owners}` });

  beforeAll(async () => {
    foods.push(bread);
    opened = await openDiary({ foods });
    diary = opened.diary;
  });
  afterAll(() => opened?.close());

  const totalsOf = async (owner: DiaryOwner) => {
    const [day] = await diary.totals(owner, oneDay(parseDay(DATE)));
    return toSumFields(day!);
  };

  test('a typed entry keeps three decimals, and unknown amounts stay unknown', async () => {
    const owner = newOwner();
    const [entry] = await diary.create(owner, [soup]);
    expect(entry).toMatchObject({ addedMethod: 'manual', version: 1, amounts: { calories: 250_123 } });
    expect(entry?.amounts).not.toHaveProperty('fiber');
    expect(await totalsOf(owner)).toEqual({
      calories: 250.123,
      protein: 10.1,
      carbs: 0.2,
      fat: 0,
      fiber: 0,
      sodium: 0,
      nutrients: { energy: 250.123, protein: 10.1, fat: 0, carbohydrates: 0.2 },
      unknown: ['fiber', 'sodium'],
      statedBy: { fiber: 0, sodium: 0 },
    });
  });

  test('concurrent executions of one request add its entries once, and all get a response', async () => {
    const owner = newOwner();
    const bytes = randomBytes(24);
    const ids = { timeMs: 1_000, randomBytes: (count: number) => bytes.subarray(0, count), mayExist: false };
    const [one, two] = await Promise.all([1, 2].map(() => diary.create(owner, [soup, soup], { ids })));
    expect(one!.map(({ id }) => id)).toEqual(two!.map(({ id }) => id));
    expect(await diary.list(owner, oneDay(parseDay(DATE)))).toHaveLength(2);
    await expect(diary.create(owner, [soup], { ids: { ...ids, isDone: true } })).resolves.toHaveLength(1);
  });

  test('0.1 + 0.2 is 0.3', async () => {
    const owner = newOwner();
    await diary.create(owner, [
      { ...soup, fat: 0.1 },
      { ...soup, fat: 0.2 },
    ]);
    expect((await totalsOf(owner)).fat).toBe(0.3);
  });

  test('an entry of a food or barcode has the amounts of its quantity', async () => {
    const owner = newOwner();
    const by = { date: DATE, mealType: 'breakfast', quantity: 2, unit: 'slices' } as const;
    const [first, second] = await diary.create(owner, [
      { ...by, foodId: bread.id },
      { ...by, barcode: bread.barcode },
    ]);
    expect(first).toMatchObject({
      foodName: 'Rye bread',
      addedMethod: 'manual',
      amounts: {
        calories: 165_760,
        protein: 5_440,
        carbs: 30_912,
        fat: 2_112,
        fiber: 3_712,
        sodium: 385_920,
      },
    });
    expect(second).toMatchObject({ addedMethod: 'barcode', barcode: bread.barcode, amounts: first?.amounts });
  });

  test.each<[string, Partial<EntryInput>, string, string[]]>([
    ['below 0', { fat: -1 }, 'invalid_request', ['fat']],
    ['not a number', { protein: Number.NaN }, 'invalid_request', ['protein']],
    ['endless', { sodium: Number.POSITIVE_INFINITY }, 'invalid_request', ['sodium']],
    ['too many calories', { calories: 20_000.001 }, 'invalid_request', ['calories']],
    ['a date that no calendar has', { date: '2026-02-30' }, 'invalid_request', ['date']],
    ['no name', { foodName: '  ' }, 'invalid_request', ['foodName']],
    ['the energy missing', { calories: undefined }, 'invalid_request', ['calories']],
    ['two sources', { foodId: 'fdc:1' }, 'invalid_request', ['foodName', 'foodId']],
    [
      'computed and stated',
      { foodName: undefined, foodId: 'fdc:1', quantity: 1, unit: 'g' },
      'invalid_request',
      ['calories', 'protein', 'carbs', 'fat'],
    ],
  ])('an invalid field is rejected and named: %s', async (_, change, code, fields) => {
    const owner = newOwner();
    const refused = diary.create(owner, [{ ...soup, ...change }]);
    await expect(refused).rejects.toMatchObject({ code, details: { fields } });
    await expect(refused).rejects.toBeInstanceOf(AppError);
    expect(await diary.list(owner, oneDay(parseDay(DATE)))).toEqual([]);
  });

  test.each([
    [{ foodId: 'fdc:none' }, 'food_not_found'],
    [{ barcode: '4006381333948' }, 'barcode_not_found'],
    [{ recipeId: '01ARZ3NDEKTSV4RRFFQ69G5FAV' }, 'recipe_not_found'],
  ])('an unknown food is rejected: %j', async (source, code) => {
    const input = { date: DATE, mealType: 'lunch', quantity: 1, unit: 'serving', ...source } as const;
    await expect(diary.create(newOwner(), [input])).rejects.toMatchObject({ code });
  });

  test('a batch with an invalid element adds nothing and names the element', async () => {
    const owner = newOwner();
    const bad = [soup, soup, { ...soup, fat: -1 }];
    await expect(diary.create(owner, bad)).rejects.toMatchObject({
      details: { index: 2, fields: ['[2].fat'] },
    });
    await expect(diary.create(owner, Array(MAX_BATCH_ENTRIES + 1).fill(soup))).rejects.toThrow(AppError);
    await expect(diary.create(owner, [])).rejects.toThrow(AppError);
    expect(await totalsOf(owner)).toMatchObject({ calories: 0 });
  });

  test('a day, or a meal of it, is copied as new entries', async () => {
    const owner = newOwner();
    await diary.create(owner, [soup, { ...soup, mealType: 'dinner', foodName: 'Rice' }]);
    const [tea] = await diary.create(owner, [
      { ...soup, date: '2020-02-01', eatenAt: '2020-02-01T07:30:00Z', note: 'With milk' },
    ]);
    const [copy] = await diary.copy(owner, { from: '2020-02-01', to: '2020-02-02' });
    expect([tea!.eatenAt, copy!.eatenAt, copy!.note]).toEqual([
      '2020-02-01T07:30:00Z',
      undefined,
      'With milk',
    ]);
    const day = await diary.copy(owner, { from: DATE, to: '2026-03-30' });
    expect(day.map(({ foodName, mealType, date, version }) => [foodName, mealType, date, version])).toEqual([
      ['Soup', 'lunch', '2026-03-30', 1],
      ['Rice', 'dinner', '2026-03-30', 1],
    ]);
    const meal = await diary.copy(owner, {
      from: DATE,
      to: '2026-03-31',
      mealType: 'dinner',
      toMealType: 'lunch',
    });
    expect(meal).toMatchObject([{ foodName: 'Rice', mealType: 'lunch', date: '2026-03-31' }]);
    expect(await diary.copy(owner, { from: '2020-01-01', to: DATE })).toEqual([]);
    const totals = await diary.totals(owner, parseDayRange(DATE, '2026-04-01'));
    expect(totals.map(({ totals: sums }) => sums.calories)).toEqual([500_246, 500_246, 250_123, 0]);
  });

  test('the export has every entry once, whatever the page size', async () => {
    const owner = newOwner();
    for (let round = 0; round < 11; round++) await diary.create(owner, Array(100).fill(soup));
    let ids: string[] = [];
    for await (const page of diary.export(owner)) ids = ids.concat(page.map(({ id }) => id));
    expect(new Set(ids).size).toBe(1100);
    expect(ids).toHaveLength(1100);
  });

  test('the thread serves other requests between the pages of an export', async () => {
    const owner = newOwner();
    for (let round = 0; round < 11; round++) await diary.create(owner, Array(100).fill(soup));
    const pages = diary.export(owner);
    await pages.next();
    let hasWorked = false;
    setImmediate(() => {
      hasWorked = true;
    });
    await pages.next();
    expect(hasWorked).toBe(true);
    await pages.return(undefined);
  });

  test('a spreadsheet shows formulas in the export as text, and quotes stay in their cell', async () => {
    const [entry] = await diary.create(newOwner(), [{ ...soup, foodName: '=cmd|"/C calc"!A1, or so' }]);
    const line = toCsvLine(entry!);
    expect(line).toContain(`${DATE},lunch,"'=cmd|""/C calc""!A1, or so",250.123,10.1,0.2,0,,,`);
    expect(line.endsWith('\r\n')).toBe(true);
    // The name contains a comma.
    expect(line.split(',').length - 1).toBe(CSV_HEADER.split(',').length);
  });

  test('recent foods are ordered by the last time, frequent ones by their count; each occurs once', async () => {
    const owner = newOwner();
    const named = (foodName: string) => ({ ...soup, foodName });
    await diary.create(owner, [named('Soup'), named('soup'), named('Rice'), named('Tea')]);
    const names = (eaten: { last: { foodName: string } }[]) => eaten.map(({ last }) => last.foodName);
    expect(names(await diary.recentFoods(owner))).toEqual(['Tea', 'Rice', 'soup']);
    expect(names(await diary.frequentFoods(owner))).toEqual(['soup', 'Tea', 'Rice']);
  });

  test('a name counts as one food in every Unicode composition', async () => {
    const owner = newOwner();
    await diary.create(owner, [
      { ...soup, foodName: 'Phở bò'.normalize('NFD') },
      { ...soup, foodName: 'Phở bò'.normalize('NFC') },
    ]);
    expect(await diary.recentFoods(owner)).toMatchObject([{ timesEaten: 2 }]);
  });
});
