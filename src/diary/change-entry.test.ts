import type { Food } from '@larder/core/food.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bread, DATE, soup } from '../../test/support/diary-inputs.ts';
import { openDiary } from '../../test/support/open-diary.ts';
import type { Diary } from './diary.ts';
import type { DiaryOwner } from './records/entry.ts';

describe('changes of an entry', () => {
  const foods: Food[] = [bread];
  let opened: Awaited<ReturnType<typeof openDiary>>;
  let diary: Diary;
  let owners = 0;
  const newOwner = (): DiaryOwner => ({ tenant: 'acme', userId: `u${++owners}` });

  beforeAll(async () => {
    opened = await openDiary({ foods });
    diary = opened.diary;
  });
  afterAll(() => opened?.close());

  test('a later change of the food does not change entries, whose quantity can still be changed', async () => {
    const owner = newOwner();
    const [entry] = await diary.create(owner, [
      { date: DATE, mealType: 'snacks', foodId: bread.id, quantity: 100, unit: 'g' },
    ]);
    foods.splice(0, 1, { ...bread, per100: { ...bread.per100, energy: 1 } });
    try {
      expect((await diary.get(owner, entry!.id)).amounts.calories).toBe(259_000);
      const halved = await diary.change(owner, entry!.id, { quantity: 50 });
      expect(halved).toMatchObject({ amounts: { calories: 129_500 }, version: 2 });
      const sliced = await diary.change(owner, entry!.id, { quantity: 1, unit: 'slice' });
      expect(sliced.amounts.calories).toBe(82_880);
    } finally {
      foods.splice(0, 1, bread);
    }
  });

  test('an entry without a quantity is one whole: 2 doubles it, 4 doubles that', async () => {
    const owner = newOwner();
    const [entry] = await diary.create(owner, [soup]);
    const amounts = async (change: object) => (await diary.change(owner, entry!.id, change)).amounts.calories;
    expect(await amounts({ quantity: 2 })).toBe(500_246);
    expect(await amounts({ quantity: 4, unit: 'bowl' })).toBe(1_000_492);
    expect(await amounts({ quantity: 1 })).toBe(250_123);
    const [noted] = await diary.create(owner, [soup]);
    const weighed = await diary.change(owner, noted!.id, { quantity: 250, unit: 'g' });
    expect(weighed).toMatchObject({ quantity: 250, unit: 'g', amounts: { calories: 250_123 } });
    expect((await diary.change(owner, noted!.id, { quantity: 500 })).amounts.calories).toBe(500_246);
  });

  test('an entry can use a serving that its food has got since, with the food’s values at the time of eating', async () => {
    const owner = newOwner();
    const [entry] = await diary.create(owner, [
      { date: DATE, mealType: 'snacks', foodId: bread.id, quantity: 100, unit: 'g' },
    ]);
    const change = { quantity: 2, unit: 'sandwich' };
    await expect(diary.change(owner, entry!.id, change)).rejects.toMatchObject({
      details: { fields: ['unit'] },
    });
    const sandwich = { value: 1, unit: 'sandwich', basisAmount: 150 };
    foods.splice(0, 1, {
      ...bread,
      per100: { ...bread.per100, energy: 1 },
      servings: [...bread.servings, sandwich],
    });
    try {
      const changed = await diary.change(owner, entry!.id, change);
      expect(changed.amounts.calories).toBe(777_000);
      expect((await diary.change(owner, entry!.id, { quantity: 100, unit: 'g' })).amounts.calories).toBe(
        259_000,
      );
    } finally {
      foods.splice(0, 1, bread);
    }
  });

  test('amounts become known and unknown', async () => {
    const owner = newOwner();
    const { protein: _, carbs: __, fat: ___, ...energyAlone } = soup;
    const [entry] = await diary.create(owner, [energyAlone]);
    expect(entry!.amounts).toEqual({ calories: 250_123 });
    expect((await diary.get(owner, entry!.id)).amounts).toEqual({ calories: 250_123 });
    expect((await diary.change(owner, entry!.id, { protein: 5 })).amounts).toEqual({
      calories: 250_123,
      protein: 5_000,
    });
    await diary.change(owner, entry!.id, { protein: null, fat: 0 });
    expect((await diary.get(owner, entry!.id)).amounts).toEqual({ calories: 250_123, fat: 0 });
    const doubled = await diary.change(owner, entry!.id, { quantity: 2 });
    expect(doubled.amounts).toEqual({ calories: 500_246, fat: 0 });
  });

  test('of two changes to the same version the second is rejected', async () => {
    const owner = newOwner();
    const [entry] = await diary.create(owner, [soup]);
    await diary.change(owner, entry!.id, { foodName: 'Stew' }, 1);
    await expect(diary.change(owner, entry!.id, { foodName: 'Broth' }, 1)).rejects.toMatchObject({
      code: 'version_conflict',
    });
    await expect(diary.remove(owner, entry!.id, 1)).rejects.toMatchObject({ code: 'version_conflict' });
    await diary.remove(owner, entry!.id, 2);
    await expect(diary.get(owner, entry!.id)).rejects.toMatchObject({ code: 'diary_entry_not_found' });
  });

  test('100 concurrent changes of different fields without a version all take effect', async () => {
    const owner = newOwner();
    const [entry] = await diary.create(owner, [soup]);
    const changes = Array.from({ length: 100 }, (_, index) =>
      index % 2 === 0 ? { fat: index } : { protein: index },
    );
    await Promise.all(changes.map((change) => diary.change(owner, entry!.id, change)));
    expect((await diary.get(owner, entry!.id)).version).toBe(101);
  });

  test('an empty change leaves the entry and its version unchanged', async () => {
    const owner = newOwner();
    const [entry] = await diary.create(owner, [soup]);
    expect(await diary.change(owner, entry!.id, {})).toEqual(entry);
  });

  test('the first unit of a typed entry changes no amounts, and its quantity scales them', async () => {
    const owner = newOwner();
    const [entry] = await diary.create(owner, [{ ...soup, calories: 100, quantity: 2 }]);
    const bowls = await diary.change(owner, entry!.id, { unit: 'bowls' });
    expect(bowls).toMatchObject({ quantity: 2, unit: 'bowls', amounts: { calories: 100_000 } });
    expect(await diary.change(owner, entry!.id, { quantity: 3 })).toMatchObject({
      unit: 'bowls',
      amounts: { calories: 150_000 },
    });
    await expect(diary.change(owner, entry!.id, { unit: 'g' })).rejects.toMatchObject({
      details: { fields: ['unit'], possible: ['bowls'] },
    });
  });

  test('null makes fiber unknown again', async () => {
    const owner = newOwner();
    const [entry] = await diary.create(owner, [{ ...soup, fiber: 4 }]);
    expect((await diary.change(owner, entry!.id, { fiber: null })).amounts).not.toHaveProperty('fiber');
  });
});
