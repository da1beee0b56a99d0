import type { RecipeBook } from '../diary/user-recipes.ts';

/** What operations stand on. */
export interface Ports {
  readonly recipes: RecipeBook;
}
