import type { Steps } from '@larder/search/index/steps.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { manualFood } from '../../../test/support/manual-food.ts';
import { BackgroundWork } from '../../background-work.ts';
import { IndexedFoods } from './tenant-food-index.ts';

class CountedWork extends BackgroundWork {
  begun = 0;

  override runLater(steps: Steps<void>): Promise<void> {
    this.begun++;
    return super.runLater(steps);
  }
}

afterEach(() => vi.useRealTimers());

test('many foods written one by one are merged together', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const work = new CountedWork({ nowMs: () => 0 });
  const onError = vi.fn();
  const indexed = new IndexedFoods({ work, onError });
  for (let revision = 1; revision <= 12; revision++) {
    const food = manualFood({ key: `soup-${revision}`, name: `Soup ${revision}` });
    indexed.foods.apply([{ id: food.id, food, revision }]);
    await indexed.index();
    expect(indexed.foods.search(`soup ${revision}`, 1)[0]!.food.id).toBe(food.id);
  }
  expect(work.begun).toBe(0);
  vi.runAllTimers();
  expect(work.begun).toBe(1);
  expect(onError).not.toHaveBeenCalled();
});

test('of foods with one name the one written last is found, until it is deleted or renamed', () => {
  const { foods } = new IndexedFoods({ work: new CountedWork({ nowMs: () => 0 }), onError: vi.fn() });
  const one = manualFood({ key: 'a', name: 'Crème  brûlée' });
  const other = manualFood({ key: 'b', name: 'Crème brûlée' });
  foods.apply([
    { id: one.id, food: one, revision: 1 },
    { id: other.id, food: other, revision: 2 },
  ]);
  expect(foods.findByName('creme brulee')?.id).toBe(other.id);
  foods.apply([{ id: other.id, food: { ...other, name: 'Flan' }, revision: 3 }]);
  expect([foods.findByName('CRÈME BRÛLÉE')?.id, foods.findByName('flan')?.id]).toEqual([one.id, other.id]);
  foods.apply([{ id: one.id, revision: 4 }]);
  expect(foods.findByName('Crème brûlée')).toBeUndefined();
});
