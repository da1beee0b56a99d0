import { expect, test, vi } from 'vitest';
import { customFood } from '../../../test/support/custom-food.ts';
import { BackgroundWork } from '../../base/background-work.ts';
import { CustomFoods } from './custom-foods.ts';

test('a food is found by text after it is indexed, and so is each of many consecutive writes', async () => {
  const ports = { work: new BackgroundWork({ nowMs: () => performance.now() }), onError: vi.fn() };
  const foods = new CustomFoods();
  for (let revision = 1; revision <= 40; revision++) {
    const food = customFood({ key: `soup-${revision}`, name: `Soup ${revision}` });
    foods.put(food, revision);
    expect(foods.isIndexed).toBe(false);
    await foods.whenIndexed(ports);
    expect(foods.isIndexed).toBe(true);
    expect(foods.search(`soup ${revision}`, 1)[0]!.food).toBe(food);
  }
  foods.dropIndex();
  expect([foods.isIndexed, foods.search('soup', 5)]).toEqual([false, []]);
  await foods.whenIndexed(ports);
  expect(foods.search('soup', 100)).toHaveLength(40);
  expect(ports.onError).not.toHaveBeenCalled();
});

test('of foods with one name the latest one is found, until it is deleted or renamed', () => {
  const foods = new CustomFoods();
  const one = customFood({ key: 'a', name: 'Crème  brûlée' });
  const other = customFood({ key: 'b', name: 'Crème brûlée' });
  foods.put(one, 1);
  foods.put(other, 2);
  expect(foods.findByName('creme brulee')?.id).toBe(other.id);
  foods.put({ ...other, name: 'Flan' }, 3);
  expect([foods.findByName('CRÈME BRÛLÉE')?.id, foods.findByName('flan')?.id]).toEqual([one.id, other.id]);
  foods.remove(one.id);
  expect(foods.findByName('Crème brûlée')).toBeUndefined();
});
