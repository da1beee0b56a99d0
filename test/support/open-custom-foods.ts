import { BackgroundWork } from '../../src/base/background-work.ts';
import { ChangeHints } from '../../src/db/change-hints.ts';
import type { CustomFoodCacheOptions } from '../../src/foods/custom/custom-food-cache.ts';
import { CustomFoodCache } from '../../src/foods/custom/custom-food-cache.ts';

/** Custom foods of one thread, with room for all. */
export function openCustomFoods(
  options: Pick<CustomFoodCacheOptions, 'store'> & Partial<CustomFoodCacheOptions>,
) {
  return new CustomFoodCache({
    hints: new ChangeHints({ memory: ChangeHints.createMemory() }),
    work: new BackgroundWork({ nowMs: () => performance.now() }),
    maxBytes: Number.POSITIVE_INFINITY,
    onError: (cause) => {
      throw cause;
    },
    ...options,
  });
}
