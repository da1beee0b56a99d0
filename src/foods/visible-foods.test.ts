import { parseBarcode } from '@larder/core/codes/scanned-code.ts';
import { OutageError } from '@larder/core/errors.ts';
import { expect, test } from 'vitest';
import { customFood } from '../../test/support/custom-food.ts';
import { listedFoods } from '../../test/support/listed-foods.ts';
import { CustomFoods } from './custom/custom-foods.ts';
import type { FoodDirectoryOptions } from './visible-foods.ts';

const ACME = { tenant: 'acme' };
const CODE = '4006381333931';
const jam = customFood({ key: 'jam', name: 'Plum jam', barcode: CODE });
const NONE = {
  isReady: false,
  ofUser: new CustomFoods(),
  ofTenant: new CustomFoods(),
  external: new CustomFoods(),
};

function customFoods(whenReady: () => Promise<void>): NonNullable<FoodDirectoryOptions['customFoods']> {
  return { whenReady, follow: async () => {}, of: () => NONE, findOfSharers: () => undefined };
}

test('every look-up is synchronous while memory is current', async () => {
  const foods = listedFoods([jam], {
    customFoods: { ...customFoods(async () => {}), of: () => ({ ...NONE, isReady: true }) },
  });
  expect(await foods.search(ACME, 'jam', 5)).toEqual([jam]);
  expect(await foods.findById(ACME, jam.id)).toBe(jam);
  expect(await foods.getById(ACME, jam.id)).toBe(jam);
  expect(await foods.findByBarcode(ACME, parseBarcode(CODE))).toEqual({ food: jam });
  expect(await foods.getByBarcode(ACME, ` ${CODE} `)).toBe(jam);
  expect(await foods.findByBarcode(ACME, parseBarcode('96385074'))).toBeUndefined();
});

test('while the store is unavailable or slow it answers from memory, if patience is limited', async () => {
  const away = customFoods(() => Promise.reject(new OutageError('away')));
  const silent = customFoods(() => new Promise(() => {}));
  const favourites = { of: () => new Promise<never>(() => {}) };
  for (const customFoods of [away, silent]) {
    const impatient = listedFoods([jam], { customFoods, favourites, patienceMs: 1 });
    expect(await impatient.findById(ACME, jam.id)).toBe(jam);
    expect(await impatient.search(ACME, 'jam', 5, { eater: 'ann' })).toEqual([jam]);
  }
  await expect(listedFoods([jam], { customFoods: away }).findById(ACME, jam.id)).rejects.toThrow('away');
  const broken = customFoods(() => Promise.reject(new Error('broken')));
  await expect(
    listedFoods([jam], { customFoods: broken, patienceMs: 600_000 }).findById(ACME, jam.id),
  ).rejects.toThrow('broken');
});

test('external services are asked only for foods that are unknown here', async () => {
  const asked: string[] = [];
  const externalLookup = {
    find: async (tenant: string, gtins: readonly string[]) => {
      expect(tenant).toBe(ACME.tenant);
      asked.push(...gtins);
      return gtins.includes('00000096385074') ? jam : undefined;
    },
  };
  const foods = listedFoods([jam], { externalLookup });
  expect(await foods.getByBarcode(ACME, CODE)).toBe(jam);
  expect(asked).toEqual([]);
  expect(await foods.getByBarcode(ACME, '96385074')).toBe(jam);
  await expect(foods.getByBarcode(ACME, '5901234123457')).rejects.toMatchObject({
    code: 'barcode_not_found',
    details: { candidates: expect.arrayContaining(['05901234123457']) },
  });
});

test('an unknown barcode is reported as mistyped if none of its interpretations has a valid check digit', async () => {
  const foods = listedFoods([jam]);
  const messageOf = async (typed: string) =>
    (
      await Promise.resolve()
        .then(() => foods.getByBarcode(ACME, typed))
        .catch((error) => error)
    ).message;
  expect(await messageOf('5901234123457')).toBe('No food has this barcode.');
  expect(await messageOf('123456')).toBe('No food has this barcode.');
  expect(await messageOf('5901234123458')).toMatch(/^No food has this barcode\. Its check digit is wrong/);
});

test('a search for an eater uses the foods that this user of this tenant eats', async () => {
  const asked: unknown[] = [];
  const favourites = {
    of: async (tenant: string, userId: string) => {
      asked.push([tenant, userId]);
      return [{ id: jam.id, timesEaten: 3 }];
    },
  };
  expect(await listedFoods([jam], { favourites }).search(ACME, 'jam', 5, { eater: 'ann' })).toEqual([jam]);
  expect(asked).toEqual([['acme', 'ann']]);
});
