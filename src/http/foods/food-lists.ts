import type { z } from 'zod';
import type { Food } from '../../catalogue/food/food.ts';
import type { FoodViewer } from '../../catalogue/tenant-foods/food-owner.ts';
import type { TenantFoodWriter } from '../../catalogue/tenant-foods/tenant-food-writer.ts';
import { pageQueryOf } from '../openapi/list-queries.ts';
import { jsonList } from '../server/body/json-list.ts';
import { pageReply } from '../server/next-page.ts';
import type { Reply } from '../server/operation.ts';

export const ownFoodsQuery = pageQueryOf('manual:[A-Za-z0-9._-]{1,60}');

/** Answers a page of the foods that were entered and that the viewer sees. */
export function listOwnFoods(
  ownFoods: TenantFoodWriter,
  path: string,
  viewer: FoodViewer,
  query: z.output<typeof ownFoodsQuery> & { readonly userId?: string | undefined },
  toJson: (food: Food) => string,
): Promise<Reply> {
  return pageReply(
    path,
    query,
    (page) => ownFoods.list(viewer, page),
    (foods) => jsonList(foods, toJson),
  );
}
