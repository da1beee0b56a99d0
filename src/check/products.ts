import { z } from 'zod';
import type { Session } from './session.ts';
import { type V1Food, v1Food } from './shapes.ts';

/** Every collection of foods contains at least one of them, in the most common languages of collections. */
export const COMMON_WORDS = [
  'chocolate',
  'milk',
  'chocolat',
  'lait',
  'schokolade',
  'milch',
  'leche',
  'latte',
];

/** Searches common words until it finds a food that `isWanted` accepts. */
export async function findCommonFood(
  session: Session,
  isWanted: (food: V1Food) => boolean,
): Promise<V1Food | undefined> {
  for (const word of COMMON_WORDS) {
    const answer = await session.ask('GET', `/v1/foods/search?q=${word}&limit=100`);
    const food = answer.expect(200).read(z.array(v1Food)).find(isWanted);
    if (food !== undefined) return food;
  }
  return undefined;
}
