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

/** Maximum recipes that are read. */
const MAX_LISTED = 1_000;

/** The person whose recipes are shown or being read. */
let shownId: string | undefined;

/** Reads the recipes of the person who is viewed; those of another person are never shown meanwhile. */
export async function loadRecipes(): Promise<void> {
  const { id } = viewedPerson.peek()!;
  if (id !== shownId) recipes.value = undefined;
  shownId = id;
  const read: Recipe[] = [];
  let failure = '';
  try {
    for await (const page of larder.user(id).recipes.list({ limit: 100 }).pages()) {
      read.push(...page);
      if (read.length >= MAX_LISTED) break;
    }
  } catch (error) {
    failure = problemOf(error);
  }
  if (id !== shownId) return;
  problem.value = failure;
  if (failure === '') recipes.value = read.toReversed();
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
