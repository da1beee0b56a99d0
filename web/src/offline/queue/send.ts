import type {
  DiaryEntryInput,
  FoodInput,
  FoodPatch,
  GoalsInput,
  Larder,
  RecipeInput,
  RecipePatch,
} from 'larder-client';
import type { Value, Write } from './writes.ts';

/** Sends a write once; returns the object as it is then, undefined after a deletion. */
export async function send(larder: Larder, userId: string, write: Write): Promise<Value | undefined> {
  const { kind, op, id, body, base } = write;
  const user = larder.user(userId);
  // The queue repeats what fails, and knows when.
  const options = { maxRetries: 0 };
  const ifMatch = base?.version === undefined || base.version === 0 ? undefined : `"${base.version}"`;
  if (kind === 'goals') return (await user.goals.set(body as GoalsInput, options)) as Value;
  const things = kind === 'entry' ? user.diary : kind === 'recipe' ? user.recipes : larder.foods;
  if (op === 'remove') return things.remove(id, { ...options, ifMatch }) as Promise<undefined>;
  if (op === 'change') return things.change(id, body as RecipePatch & FoodPatch, { ...options, ifMatch });
  if (kind === 'entry') return user.diary.add(body as DiaryEntryInput, options);
  if (kind === 'recipe') return user.recipes.add(body as RecipeInput, options);
  return larder.foods.add(body as FoodInput, options);
}
