import { randomBytes } from 'node:crypto';
import { type Food, toFoodId } from '@larder/core/food.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { customFood } from '../../test/support/custom-food.ts';
import { newScan } from '../../test/support/new-scan.ts';
import { openDiary } from '../../test/support/open-diary.ts';
import { NO_FOODS } from '../foods/custom/custom-foods.ts';
import type { FoodDirectoryOptions } from '../foods/visible-foods.ts';
import type { ScanJob } from '../scan/scan-job.ts';
import type { ScanItem, ScanResult } from '../scan/scan-result.ts';
import type { Diary } from './diary.ts';
import type { ScanChoice, ScannedItemInput } from './entry-input.ts';
import { oneDay, parseDay } from './records/day.ts';

const DATE = '2026-03-29';
const ANA = { tenant: 'acme', userId: 'ana' };
const TENANT = { tenant: 'acme' };

const banana: ScanItem = {
  name: 'Banana',
  foodId: toFoodId('fdc', '1'),
  origin: 'dish',
  confidence: 0.9,
  serving: { value: 1, unit: 'medium' },
  servingGrams: 118,
  macros: { energy: 105.02, protein: 1.286, carbohydrates: 26.951, fat: 0.389, fiber: 3.07, sodium: 1.18 },
  alternatives: [],
};
const bar: ScanItem = {
  name: 'Bar',
  barcode: '4006381333931',
  origin: 'label',
  confidence: 1,
  serving: { value: 1, unit: `bar${' of something'.repeat(20)}` },
  servingGrams: 40,
  macros: { energy: 200, protein: 3, carbohydrates: 20, fat: 10 },
  alternatives: [],
};

const guess: ScanItem = { ...banana, name: 'Soup', unsure: true };
const unweighed: ScanItem = {
  ...bar,
  serving: { value: 1, unit: 'serving' },
  servingGrams: 0,
  weightUnknown: true,
  macros: { energy: 140, protein: 2, carbohydrates: 33, fat: 1 / 3 },
};
const plantain: Food = {
  ...customFood({ name: 'Plantain' }),
  id: toFoodId('fdc', '2'),
  per100: { energy: 122, protein: 1, carbohydrates: 32, fat: 0.4 },
  servings: [{ value: 1, unit: 'plantain', basisAmount: 200 }],
};
const juice: Food = { ...plantain, id: toFoodId('fdc', '3'), name: 'Juice', basis: 'ml' };

/** A drink that Bob does not share with everybody. */
const squash: Food = { ...juice, ...customFood({ name: 'Squash' }), basis: 'ml', userId: 'bob' };
const customFoods: NonNullable<FoodDirectoryOptions['customFoods']> = {
  whenReady: async () => {},
  follow: async () => {},
  of: () => ({ isReady: true, ofUser: NO_FOODS, ofTenant: NO_FOODS, external: NO_FOODS }),
  findOfSharers: ({ sharers }, id) =>
    sharers?.includes('bob') === true && id === squash.id ? squash : undefined,
};

function finished(items: readonly ScanItem[], more: Partial<ScanJob> = {}): ScanJob {
  const plate: ScanResult = { name: '', calories: 0, protein: 0, carbs: 0, fat: 0, servingSize: 0, items };
  return { ...newScan(), status: 'completed', settledAtMs: 2_000, result: plate, ...more };
}

describe('entries from scans', () => {
  const scans: ScanJob[] = [];
  let opened: Awaited<ReturnType<typeof openDiary>>;
  let diary: Diary;
  beforeAll(async () => {
    opened = await openDiary({ scans, foods: [plantain, juice], customFoods });
    diary = opened.diary;
  });
  afterAll(() => opened?.close());

  function add(scan: ScanJob): string {
    scans.push(scan);
    return scan.id;
  }
  const log = (scanJobId: string, viewer = TENANT, choice: ScanChoice = {}) =>
    diary.createFromScan(ANA, { date: DATE, mealType: 'lunch', scanJobId, ...choice }, { viewer });
  const logSome = (items: readonly ScanItem[], choice: ScanChoice) =>
    log(add(finished(items)), TENANT, choice);

  test('each item of a completed scan becomes an entry with the amounts of the scan', async () => {
    const entries = await log(add(finished([banana, bar])));
    expect(entries).toMatchObject([
      {
        date: DATE,
        mealType: 'lunch',
        addedMethod: 'image',
        foodName: 'Banana',
        foodId: 'fdc:1',
        quantity: 1,
        unit: 'medium',
        amounts: {
          calories: 105_020,
          protein: 1_286,
          carbs: 26_951,
          fat: 389,
          fiber: 3_070,
          sodium: 1_180,
        },
      },
      // The weight replaces a unit that diaries do not accept.
      { foodName: 'Bar', barcode: '4006381333931', quantity: 40, unit: 'g', amounts: { calories: 200_000 } },
    ]);
    expect(entries[1]!.amounts).not.toHaveProperty('fiber');
    expect(await diary.get(ANA, entries[0]!.id)).toEqual(entries[0]);
  });

  test('a repeated request finds all entries that it has written', async () => {
    const scanJobId = add(finished([banana, bar, banana]));
    const bytes = randomBytes(12 * 100);
    const ids = { timeMs: 1_000, randomBytes: (count: number) => bytes.subarray(0, count), mayExist: true };
    const input = { date: DATE, mealType: 'snacks', scanJobId } as const;
    const first = await diary.createFromScan(ANA, input, { ids, viewer: TENANT });
    expect(first).toHaveLength(3);
    expect(await diary.createFromScan(ANA, input, { ids, viewer: TENANT })).toEqual(first);
  });

  test.each<[string, Partial<ScanJob>, object]>([
    ['waits for its image', { status: 'upload_pending' }, { status: 'upload_pending' }],
    ['is not finished', { status: 'processing' }, { status: 'processing' }],
    [
      'has failed',
      {
        status: 'failed',
        failure: { code: 'no_food_detected', message: 'Nothing there.', retryable: false },
      },
      { status: 'failed' },
    ],
  ])('a scan that %s is rejected with its status', async (_, more, details) => {
    const { result: _result, ...waiting } = finished([]);
    await expect(log(add({ ...waiting, ...more }))).rejects.toMatchObject({
      code: 'invalid_request',
      details: { fields: ['scanJobId'], ...details },
    });
  });

  test("another user's or tenant's scan is treated as missing", async () => {
    const absent = await log(newScan().id).catch((error) => error);
    expect(absent).toMatchObject({ code: 'scan_job_not_found', details: { fields: ['scanJobId'] } });
    for (const foreign of [{ userId: 'bo' }, { tenant: 'zed' }]) {
      const error = await log(add(finished([banana], foreign))).catch((error) => error);
      expect([error.code, error.message, error.details]).toEqual([
        absent.code,
        absent.message,
        absent.details,
      ]);
    }
    expect(await log(add(finished([banana], { userId: 'ana' })))).toHaveLength(1);
  });

  test('a scan with an unsure item is written on request, and never in part', async () => {
    const refused = logSome([banana, guess], {});
    await expect(refused).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('"Soup"'),
      details: { fields: ['scanJobId'], status: 'completed', unsure: [1] },
    });
    await expect(logSome([guess], { saveUnsure: false })).rejects.toMatchObject({ details: { unsure: [0] } });
    const names = (choice: ScanChoice) =>
      logSome([banana, guess], choice).then((entries) => entries.map(({ foodName }) => foodName));
    expect(await names({ saveUnsure: true })).toEqual(['Banana', 'Soup']);
    expect(await names({ items: [{ index: 0 }] })).toEqual(['Banana']);
    expect(await names({ items: [{ index: 1 }] })).toEqual(['Soup']);
  });

  test('an item in another quantity or unit keeps the amounts of its scan', async () => {
    const items = [
      { index: 1, quantity: 20 },
      { index: 0, quantity: 0.5 },
    ];
    expect(await logSome([banana, bar], { items })).toMatchObject([
      { foodName: 'Bar', quantity: 20, unit: 'g', amounts: { calories: 100_000 }, addedMethod: 'image' },
      { foodName: 'Banana', quantity: 0.5, unit: 'medium', amounts: { calories: 52_510 } },
    ]);
    const inGrams = { index: 0, quantity: 59, unit: 'g', foodId: banana.foodId };
    const [entry] = await logSome([banana], { items: [inGrams] });
    expect(entry).toMatchObject({ foodId: 'fdc:1', quantity: 59, unit: 'g', amounts: { calories: 52_510 } });
    expect(await diary.get(ANA, entry!.id)).toEqual(entry);
  });

  test('an item with another food gets the amounts of that food', async () => {
    const log = async (change: Partial<ScannedItemInput>) =>
      (await logSome([banana], { items: [{ index: 0, foodId: plantain.id, ...change }] }))[0];
    expect(await log({})).toMatchObject({
      foodName: 'Plantain',
      foodId: 'fdc:2',
      quantity: 118,
      unit: 'g',
      amounts: { calories: 143_960 },
      addedMethod: 'image',
    });
    expect(await log({ foodId: juice.id })).toMatchObject({ quantity: 118, unit: 'ml' });
    expect(await log({ quantity: 1, unit: 'plantain' })).toMatchObject({ amounts: { calories: 244_000 } });
    expect(await log({ unit: 'plantain' })).toMatchObject({ quantity: 1, amounts: { calories: 244_000 } });
    await expect(log({ foodId: juice.id, quantity: 2 })).rejects.toMatchObject({
      details: { fields: ['items[0].unit'], possible: expect.arrayContaining(['ml']) },
    });
  });

  test('a serving of unknown weight is counted, with the values of the label', async () => {
    const [one] = await log(add(finished([unweighed])));
    expect(one).toMatchObject({ quantity: 1, unit: 'serving', amounts: { calories: 140_000, fat: 333 } });
    const [three] = await logSome([unweighed], { items: [{ index: 0, quantity: 3, unit: 'servings' }] });
    expect(three).toMatchObject({ quantity: 3, amounts: { calories: 420_000, fat: 1_000 } });
    expect((await diary.change(ANA, three!.id, { quantity: 1 })).amounts).toEqual(one!.amounts);
    const possible = { fields: ['unit'], possible: ['serving'] };
    await expect(diary.change(ANA, one!.id, { quantity: 40, unit: 'g' })).rejects.toMatchObject({
      details: possible,
    });
    await expect(
      logSome([unweighed], { items: [{ index: 0, quantity: 40, unit: 'g' }] }),
    ).rejects.toMatchObject({ details: { ...possible, fields: ['items[0].unit'] } });
  });

  test('a serving whose weight the user knows is also counted in grams', async () => {
    const log = async (change: Partial<ScannedItemInput>, item = unweighed) =>
      (await logSome([item], { items: [{ index: 0, servingGrams: 40, ...change }] }))[0]!;
    const one = await log({});
    expect(one).toMatchObject({ quantity: 1, unit: 'serving', amounts: { calories: 140_000 } });
    expect(await diary.change(ANA, one.id, { quantity: 20, unit: 'g' })).toMatchObject({
      quantity: 20,
      unit: 'g',
      amounts: { calories: 70_000 },
    });
    expect(await log({ quantity: 60, unit: 'g' })).toMatchObject({ amounts: { calories: 210_000 } });
    expect(await log({ foodId: plantain.id })).toMatchObject({ quantity: 40, unit: 'g' });
    await expect(log({ foodId: plantain.id, servingGrams: undefined })).rejects.toMatchObject({
      details: { fields: ['items[0].quantity'] },
    });
    await expect(log({}, bar)).rejects.toMatchObject({ details: { fields: ['items[0].servingGrams'] } });
  });

  test('an item becomes a food of somebody who shares with the writer', async () => {
    const items = [{ index: 0, foodId: squash.id }];
    const input = { date: DATE, mealType: 'lunch', scanJobId: add(finished([banana])), items } as const;
    const create = (sharers: readonly string[]) =>
      diary.createFromScan(ANA, input, { viewer: TENANT, sharers });
    expect(await create(['bob'])).toMatchObject([{ foodId: squash.id, quantity: 118, unit: 'ml' }]);
    await expect(create(['cem'])).rejects.toMatchObject({ code: 'food_not_found' });
  });

  test.each<[string, ScannedItemInput[], string, object]>([
    [
      'that is not there',
      [{ index: 0 }, { index: 2 }],
      'invalid_request',
      { fields: ['items[1].index'], max: 1 },
    ],
    ['that is listed twice', [{ index: 1 }, { index: 1 }], 'invalid_request', { fields: ['items[1].index'] }],
    ['of no such food', [{ index: 0, foodId: 'fdc:9' }], 'food_not_found', { fields: ['items[0].foodId'] }],
    ['without a quantity', [{ index: 0, quantity: 0 }], 'invalid_request', { fields: ['items[0].quantity'] }],
    ['in no unit', [{ index: 0, unit: ' ' }], 'invalid_request', { fields: ['items[0].unit'] }],
  ])('an item %s is rejected, and nothing is written', async (_, items, code, details) => {
    const owner = { tenant: 'acme', userId: 'eve' };
    const scanJobId = add(finished([banana, bar]));
    const input = { date: DATE, mealType: 'lunch', scanJobId, items } as const;
    await expect(diary.createFromScan(owner, input, { viewer: TENANT })).rejects.toMatchObject({
      code,
      details,
    });
    expect(await diary.list(owner, oneDay(parseDay(DATE)))).toEqual([]);
  });
});
