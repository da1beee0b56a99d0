import { signal } from '@preact/signals';
import type { Recipe, RecipeInput } from 'larder-client';
import { person, viewedPerson } from '../account/session.ts';
import { larder } from '../larder.ts';
import { newId } from '../offline/ids.ts';
import { allOwn, firstOf } from '../offline/own-lists.ts';
import { recipeAgain } from '../offline/queue/addition-again.ts';
import { isEqual } from '../offline/queue/merge.ts';
import { refusedWrite, removeOne, writeOne } from '../offline/queue/write-one.ts';
import { baseOf, type Shown } from '../offline/queue/writes.ts';
import { problemOf } from '../parts/problem.ts';
import { tell } from '../parts/toast.tsx';
import { texts } from '../texts/texts.ts';
import type { RecipeLine } from './lines.ts';
import { previewOf } from './preview.ts';

/** Recipes of the person who is viewed, latest first; undefined until they are read. */
export const recipes = signal<readonly Shown<Recipe>[] | undefined>(undefined);
export const problem = signal('');

/** The person whose recipes are shown or being read. */
let shownId: string | undefined;
/** Reads from before a later one are dropped. */
let latest = 0;

/**
 * Reads the recipes of the person who is viewed: the own ones from this device, where it has them. Those of another person are never
 * shown meanwhile.
 */
export async function loadRecipes(): Promise<void> {
  const read = ++latest;
  const { id } = viewedPerson.peek()!;
  if (id !== shownId) recipes.value = undefined;
  shownId = id;
  const list = larder.user(id).recipes.list({ limit: 100 });
  try {
    const all = id === person.peek()?.id ? await allOwn('recipe', list) : await firstOf(list);
    if (read !== latest) return;
    recipes.value = all.toReversed();
    problem.value = '';
  } catch (error) {
    if (read === latest) problem.value = problemOf(error);
  }
}

/**
 * Writes a recipe, or changes one. Lines of text are read by the service; with `partial` it leaves out what it cannot read, and
 * otherwise it refuses such a recipe.
 */
export async function writeRecipe(
  input: RecipeInput,
  lines: readonly RecipeLine[],
  shown?: Shown<Recipe>,
): Promise<Shown<Recipe>> {
  const refused = shown && refusedWrite('recipe', shown.id);
  if (shown === undefined || refused?.op === 'add') {
    const id = shown?.id ?? newId();
    const preview = previewOf(input, lines, { id, userId: person.peek()!.id });
    return await writeOne('recipe', { kind: 'recipe', id, op: 'add', body: { ...input, id }, preview });
  }
  const before = (refused?.base as Recipe | undefined) ?? shown;
  const { partial, ...fields } = { ...input, yieldGrams: input.yieldGrams ?? null };
  const changes = Object.entries(fields).filter(([key, value]) => !isEqual(value, before[key as 'name']));
  if (changes.length === 0) return shown;
  const body = { ...Object.fromEntries(changes), ...(partial !== undefined && { partial }) };
  const preview = previewOf(input, lines, before);
  return await writeOne('recipe', {
    ...{ kind: 'recipe', id: before.id, op: 'change', body, preview },
    base: baseOf(before),
  });
}

/** Adds a recipe of somebody else to the own ones, with the values that it has. */
export async function copyRecipe(recipe: Recipe): Promise<void> {
  await writeOne('recipe', recipeAgain({ ...recipe, userId: person.peek()!.id }));
  tell(texts.peek().added(recipe.name));
}

/** Deletes a recipe; "Undo" writes it again. */
export async function removeRecipe(recipe: Shown<Recipe>): Promise<void> {
  const { id, name } = recipe;
  await removeOne({ kind: 'recipe', id, op: 'remove', base: baseOf(recipe) }, name, () =>
    recipeAgain(recipe),
  );
}
