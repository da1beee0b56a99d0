import { BackgroundWork } from '../../src/base/background-work.ts';
import { CustomFoodCache, type CustomFoodCachePorts } from '../../src/foods/custom/custom-food-cache.ts';

/** Custom foods of one thread, with room for all. */
export function openCustomFoods(
  ports: Pick<CustomFoodCachePorts, 'store' | 'cell'> & Partial<CustomFoodCachePorts>,
) {
  return new CustomFoodCache({
    work: new BackgroundWork({ nowMs: () => performance.now() }),
    maxBytes: Number.POSITIVE_INFINITY,
    onError: (cause) => {
      throw cause;
    },
    ...ports,
  });
}
