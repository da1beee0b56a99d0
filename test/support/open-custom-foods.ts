import { BackgroundWork } from '../../src/base/background-work.ts';
import { CustomFoodCache, type CustomFoodCacheOptions } from '../../src/foods/custom/custom-food-cache.ts';

/** Custom foods of one thread, with room for all. */
export function openCustomFoods(
  options: Pick<CustomFoodCacheOptions, 'store' | 'cell'> & Partial<CustomFoodCacheOptions>,
) {
  return new CustomFoodCache({
    work: new BackgroundWork({ nowMs: () => performance.now() }),
    maxBytes: Number.POSITIVE_INFINITY,
    onError: (cause) => {
      throw cause;
    },
    ...options,
  });
}
