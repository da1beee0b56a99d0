import { BackgroundWork } from '../../src/base/background-work.ts';
import { TenantFoodCache, type TenantFoodCachePorts } from '../../src/foods/own/tenant-food-cache.ts';

/** Tenant foods of one thread, with room for all. */
export function openTenantFoods(
  ports: Pick<TenantFoodCachePorts, 'store' | 'cell'> & Partial<TenantFoodCachePorts>,
) {
  return new TenantFoodCache({
    work: new BackgroundWork({ nowMs: () => performance.now() }),
    maxBytes: Number.POSITIVE_INFINITY,
    onError: (cause) => {
      throw cause;
    },
    ...ports,
  });
}
