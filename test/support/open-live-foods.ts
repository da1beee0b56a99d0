import { BackgroundWork } from '../../src/background-work.ts';
import { LiveFoods, type LiveFoodsPorts } from '../../src/catalogue/tenant-foods/tenant-food-cache.ts';

/** Live foods of one thread, with room for all. */
export function openLiveFoods(ports: Pick<LiveFoodsPorts, 'store' | 'cell'> & Partial<LiveFoodsPorts>) {
  return new LiveFoods({
    work: new BackgroundWork({ nowMs: () => performance.now() }),
    maxBytes: Number.POSITIVE_INFINITY,
    onError: (cause) => {
      throw cause;
    },
    ...ports,
  });
}
