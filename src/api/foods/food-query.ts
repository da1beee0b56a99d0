import { z } from 'zod';
import type { FoodDirectory } from '../../foods/visible-foods.ts';

// Parameters that several operations on foods read.

export interface FoodsPort {
  readonly foods: FoodDirectory;
}

/** Size of each response cache for foods on each thread: room for tens of thousands of look-ups. */
export const MAX_CACHE_BYTES = 8 * 2 ** 20;

/** Asks for more of each food than answers usually have. */
export const includeQuery = z.object({
  include: z
    .literal('servings', '"include" can only be "servings".')
    .optional()
    .describe('`servings`: each food with all its servings and its nutrients per 100 g or ml.'),
});
