import { afterEach, expect, test, vi } from 'vitest';
import { manualFood } from '../../../test/support/manual-food.ts';
import { BackgroundWork } from '../../background-work.ts';
import type { Steps } from '../search/index/steps.ts';
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
