import type { TenantFoodWriter } from '../catalogue/tenant-foods/tenant-food-writer.ts';
import type { FoodDirectory } from '../catalogue/visible-foods.ts';
import type { RecipeBook } from '../diary/user-recipes.ts';

/** What operations stand on. */
export interface Ports {
  readonly foods: FoodDirectory;
  readonly ownFoods: TenantFoodWriter;
  readonly recipes: RecipeBook;
}
