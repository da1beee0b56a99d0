import { z } from 'zod';
import type { Check } from '../check.ts';
import { CheckFailure } from '../checked-response.ts';
import { COMMON_WORDS } from '../products.ts';
import type { Session } from '../session.ts';
import { unversionedFood, v1Food } from '../shapes.ts';

const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 20;
/** A text far from every word, also for a search that tolerates typing errors. */
export const NONSENSE = 'qzxvkwjqxzv';
const TOO_LONG = 'a'.repeat(201);

const VARIANTS = [
  { as: 'v1', prefix: '/v1', food: v1Food },
  { as: 'unversioned', prefix: '', food: unversionedFood },
] as const;

export const searchChecks: readonly Check[] = [
  ...VARIANTS.map(
    ({ as, prefix, food }): Check => ({
      name: `search (${as})`,
      scopes: ['foods:read'],
      async run(session) {
        const foods = z.array(food as z.ZodType<{ id: string }>);
        const search = (query: string) => session.ask('GET', `${prefix}/foods/search?${query}`, { as });
        const word = await findWord(session);

        for (const [query, most] of [
          [`q=${word}&limit=1`, 1],
          [`q=${word}`, DEFAULT_LIMIT],
          [`q=${word}&limit=${MAX_LIMIT + 1}`, MAX_LIMIT],
        ] as const) {
          const answer = (await search(query)).expect(200);
          const { length } = answer.read(foods);
          if (length < 1 || length > most) answer.fail(`answered ${length} foods, not 1 to ${most}`);
        }
        for (const query of ['q=m', 'limit=5', `q=${NONSENSE}`]) {
          const answer = (await search(query)).expect(200);
          answer.expectSame('foods', answer.read(z.array(z.unknown())), []);
        }
        for (const query of [`q=${word}&limit=0`, `q=${word}&limit=many`, `q=${TOO_LONG}`]) {
          (await search(query)).expectError(400, 'invalid_query');
        }
      },
    }),
  ),
  {
    name: 'both variants find the same foods',
    scopes: ['foods:read'],
    async run(session) {
      const path = `/foods/search?q=${await findWord(session)}&limit=10`;
      const first = (await session.ask('GET', `/v1${path}`)).expect(200).read(z.array(v1Food));
      const answer = (await session.ask('GET', path, { as: 'unversioned' })).expect(200);
      const second = answer.read(z.array(unversionedFood));
      const idsOf = (foods: readonly { id: string }[]) => foods.map(({ id }) => id);
      answer.expectSame('ids', idsOf(second), idsOf(first));
      const energies = first.map(({ macros }) => macros.energy);
      answer.expectSame(
        'calories',
        second.map(({ macros }) => macros.calories),
        energies,
      );
    },
  },
  {
    name: 'requests are counted',
    scopes: ['foods:read'],
    async run(session) {
      // A window may end between two requests, but not twice within so few of them.
      for (let attempt = 1; ; attempt++) {
        const [before, after] = [await countOf(session), await countOf(session)];
        if (before.reset !== after.reset && attempt < 3) continue;
        if (after.remaining < before.remaining) return;
        throw new CheckFailure(
          `Two searches left ${before.remaining} and then ${after.remaining} of the limit; the second should leave less.`,
        );
      }
    },
  },
];

export async function findWord(session: Session): Promise<string> {
  for (const word of COMMON_WORDS) {
    const answer = await session.ask('GET', `/v1/foods/search?q=${word}&limit=1`);
    if (answer.expect(200).read(z.array(v1Food)).length > 0) return word;
  }
  throw new CheckFailure(`Search finds no food for any of ${COMMON_WORDS.join(', ')}.`);
}

async function countOf(session: Session): Promise<{ remaining: number; reset: string | null }> {
  const { headers } = (await session.ask('GET', '/v1/foods/search?q=m')).expect(200);
  return {
    remaining: Number(headers.get('x-ratelimit-remaining')),
    reset: headers.get('x-ratelimit-reset'),
  };
}
