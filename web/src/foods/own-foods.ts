import { signal } from '@preact/signals';
import { type Food, type FoodInput, versionOf } from 'larder-client';
import { person } from '../account/session.ts';
import { larder } from '../larder.ts';
import { problemOf } from '../parts/problem.ts';
import { tell } from '../parts/toast.tsx';
import { texts } from '../texts/texts.ts';

/** Foods that are read at most; of more, search in the diary finds the rest. */
export const MAX_LISTED = 1_000;

/** Own foods and those of the household, latest first; undefined until they are read. */
export const ownFoods = signal<readonly Food[] | undefined>(undefined);
export const problem = signal('');

export async function loadFoods(): Promise<void> {
  try {
    const read: Food[] = [];
    for await (const page of larder.foods.list({ userId: person.peek()!.id, limit: 100 }).pages()) {
      read.push(...page);
      if (read.length >= MAX_LISTED) break;
    }
    ownFoods.value = read.toReversed();
    problem.value = '';
  } catch (error) {
    problem.value = problemOf(error);
  }
}

/** Deletes a food; "Undo" enters it again. */
export async function removeFood(food: Food): Promise<void> {
  await larder.foods.remove(food.id, { ifMatch: versionOf(food) });
  ownFoods.value = ownFoods.peek()?.filter(({ id }) => id !== food.id);
  tell(texts.peek().deleted(food.name), async () => {
    try {
      await larder.foods.add(inputOf(food));
      await loadFoods();
    } catch (error) {
      tell(problemOf(error));
    }
  });
}

/** The food as it was entered. */
function inputOf({
  name,
  brand,
  barcode,
  aliases,
  servingSize,
  macros,
  unknown = [],
  shared,
}: Food): FoodInput {
  const known = Object.entries(macros).filter(([key]) => !(unknown as string[]).includes(key));
  return {
    name,
    ...(brand !== undefined && { brand }),
    ...(barcode !== undefined && { barcode }),
    ...(aliases !== undefined && aliases.length > 0 && { aliases }),
    servingSize,
    ...(shared !== undefined && { shared }),
    macros: Object.fromEntries(known) as FoodInput['macros'],
  };
}
