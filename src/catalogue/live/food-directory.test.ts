import { expect, test } from 'vitest';
import { listedFoods } from '../../../test/support/listed-foods.ts';
import { manualFood } from '../../../test/support/manual-food.ts';
import { OutageError } from '../../errors.ts';
import type { FoodDirectoryPorts } from './food-directory.ts';
import { TenantFoods } from './tenant-foods.ts';

const ACME = { tenant: 'acme' };
const CODE = '4006381333931';
const jam = manualFood({ key: 'jam', name: 'Plum jam', barcode: CODE });
const NONE = { own: new TenantFoods(), shared: new TenantFoods() };

function liveFoods(catchUp: () => Promise<void>): NonNullable<FoodDirectoryPorts['live']> {
  return { isCurrent: false, catchUp, of: () => NONE };
}

test('every look-up answers at once while memory is up to date', () => {
  const foods = listedFoods([jam], { live: { ...liveFoods(async () => {}), isCurrent: true } });
  expect(foods.search(ACME, 'jam', 5)).toEqual([jam]);
  expect(foods.findById(ACME, jam.id)).toBe(jam);
  expect(foods.getById(ACME, jam.id)).toBe(jam);
  expect(foods.findByBarcode(ACME, CODE)).toEqual({ food: jam });
  expect(foods.getByBarcode(ACME, ` ${CODE} `)).toBe(jam);
  expect(foods.findByBarcode(ACME, '96385074')).toBeUndefined();
});

test('while the store is away it answers with what was read before', async () => {
  const away = liveFoods(() => Promise.reject(new OutageError('away')));
  expect(await listedFoods([jam], { live: away }).findById(ACME, jam.id)).toBe(jam);
  const broken = liveFoods(() => Promise.reject(new Error('broken')));
  await expect(listedFoods([jam], { live: broken }).findById(ACME, jam.id)).rejects.toThrow('broken');
});

test('outside services are asked only for what nobody here has', async () => {
  const asked: string[] = [];
  const outside = {
    find: async (gtins: readonly string[]) => {
      asked.push(...gtins);
      return gtins.includes('00000096385074') ? jam : undefined;
    },
  };
  const foods = listedFoods([jam], { outside });
  expect(foods.getByBarcode(ACME, CODE)).toBe(jam);
  expect(asked).toEqual([]);
  expect(await foods.getByBarcode(ACME, '96385074')).toBe(jam);
  await expect(foods.getByBarcode(ACME, '5901234123457')).rejects.toMatchObject({
    code: 'barcode_not_found',
    details: { candidates: expect.arrayContaining(['05901234123457']) },
  });
});

test('a search for an eater is given what that user eats, of that tenant', async () => {
  const asked: unknown[] = [];
  const favourites = {
    of: (tenant: string, userId: string) => {
      asked.push([tenant, userId]);
      return [{ id: jam.id, timesEaten: 3 }];
    },
  };
  expect(await listedFoods([jam], { favourites }).search(ACME, 'jam', 5, 'ann')).toEqual([jam]);
  expect(asked).toEqual([['acme', 'ann']]);
});
