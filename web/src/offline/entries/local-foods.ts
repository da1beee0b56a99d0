import type { Food } from 'larder-client';
import { local } from '../device.ts';
import type { KnownFoods } from './previews.ts';

/** What this device knows of the food of an entry. */
export async function knownFoods(input: object, food?: Food): Promise<KnownFoods> {
  const { foodId, date } = input as { foodId?: string; date?: string };
  const { copy } = local();
  try {
    const [own, recents = [], entries] = await Promise.all([
      foodId === undefined ? undefined : copy.find<Food>('food', foodId),
      copy.note('recents'),
      date === undefined ? [] : copy.entriesOf(date),
    ]);
    return { food: food ?? own, eaten: [...recents, ...entries] };
  } catch {
    return { food, eaten: [] };
  }
}

/** Own foods whose names have all of these words, for when the service cannot be asked. */
export async function findOwnFoods(
  words: readonly string[],
  fold: (text: string) => string,
): Promise<Food[]> {
  const own = await local()
    .copy.all('food')
    .catch(() => []);
  return own.filter(({ name, brand = '' }) => {
    const text = ` ${fold(`${name} ${brand}`)}`;
    return words.every((word) => text.includes(` ${word}`));
  });
}
