import { signal } from '@preact/signals';
import { type Recipe, type RecipeInput, versionOf } from 'larder-client';
import { person, viewedPerson } from '../account/session.ts';
import { larder } from '../larder.ts';
import { problemOf } from '../parts/problem.ts';
import { tell } from '../parts/toast.tsx';
import { texts } from '../texts/texts.ts';

/** Recipes of the person who is viewed, latest first; undefined until they are read. */
export const recipes = signal<readonly Recipe[] | undefined>(undefined);
export const problem = signal('');

/** Recipes that are read at most. */
const MAX_LISTED = 1_000;

export async function loadRecipes(): Promise<void> {
  try {
    const read: Recipe[] = [];
    const viewed = larder.user(viewedPerson.peek()!.id).recipes;
    for await (const page of viewed.list({ limit: 100 }).pages()) {
      read.push(...page);
      if (read.length >= MAX_LISTED) break;
    }
    recipes.value = read.toReversed();
    problem.value = '';
  } catch (error) {
    problem.value = problemOf(error);
  }
}

/** Writes a recipe, or changes one; lines that cannot be read are left out. */
export async function writeRecipe(input: RecipeInput, recipe?: Recipe): Promise<Recipe> {
  const written =
    recipe === undefined
      ? await own().add({ ...input, partial: true })
      : await own().change(
          recipe.id,
          { ...input, yieldGrams: input.yieldGrams ?? null, partial: true },
          { ifMatch: versionOf(recipe) },
        );
  await loadRecipes();
  return written;
}

/** Adds a recipe of somebody else to the own ones, with the values that it has. */
export async function copyRecipe({ name, servings, yieldGrams, ingredients }: Recipe): Promise<void> {
  await own().add({ name, servings, ...(yieldGrams !== undefined && { yieldGrams }), ingredients });
  tell(texts.peek().added(name));
}

/** Deletes a recipe; "Undo" writes it again. */
export async function removeRecipe(recipe: Recipe): Promise<void> {
  await own().remove(recipe.id, { ifMatch: versionOf(recipe) });
  recipes.value = recipes.peek()?.filter(({ id }) => id !== recipe.id);
  tell(texts.peek().deleted(recipe.name), async () => {
    const { name, servings, yieldGrams, ingredients } = recipe;
    try {
      await own().add({ name, servings, ...(yieldGrams !== undefined && { yieldGrams }), ingredients });
      await loadRecipes();
    } catch (error) {
      tell(problemOf(error));
    }
  });
}

function own() {
  return larder.user(person.peek()!.id).recipes;
}
