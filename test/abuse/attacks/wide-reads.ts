import type { Random } from '../../../bench/support/search-random.ts';
import type { Attack } from '../attack.ts';
import { inParallel } from '../attacker/in-parallel.ts';

const WIDTH = 2;
/** As many ids as one request may name. */
const IDS = 100;
const WORDS = 'rice milk egg bread butter cheese apple tomato potato chicken soup salad sauce'.split(' ');
const ID_CHARACTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** No request makes an answer longer than this. */
const MAX_ANSWER_CHARACTERS = 2 * 1024 * 1024;

type Path = (random: Random, foods: readonly string[]) => string;

/** Reads of many foods by one request, and lists that go on where no page ended. */
const PATHS: readonly Path[] = [
  (random, foods) => `/v1/foods/batch?ids=${many(() => random.pick(foods))}`,
  (random) => `/v1/foods/batch?ids=${many(() => `manual:${forgedId(random)}`)}`,
  (random) => `/v1/foods/search?q=${words(random)}&include=servings&limit=100&offset=100`,
  (random) =>
    `/v1/foods/search?q=${words(random)}&include=servings&limit=100&offset=${random.below(200)}&userId=eve`,
  (random) => `/foods/search?q=${words(random)}&include=servings&limit=100&offset=${random.below(200)}`,
  (random) => `/v1/foods?limit=100&after=manual:${forgedId(random)}`,
  (random) => `/v1/users/eve/recipes?limit=100&after=${forgedId(random)}`,
  (random) => `/v1/users/eve/measurements?limit=100&after=2026-01-31.0.${forgedId(random)}`,
  (random) =>
    `/v1/users/eve/diary/entries?from=2030-01-01&to=2030-12-31&limit=100&after=2030-06-01.${forgedId(random)}`,
  (random) => `/v1/keys?limit=100&after=${forgedId(random).slice(0, 12)}`,
];

export const wideReads: Attack = {
  name: 'wide reads',
  async run({ client, key, random, count, endsAtMs }) {
    const headers = { authorization: `Bearer ${key}`, 'x-api-key': key };
    const found = await Promise.all(
      WORDS.map((word) => client.send(`/v1/foods/search?limit=100&q=${word}`, { headers })),
    );
    const foods = found.flatMap(({ body }) => JSON.parse(body).map(({ id }: { id: string }) => id));
    const long = new Set<string>();
    const sent = await inParallel({ count: count(50_000, 3_000), width: WIDTH, endsAtMs }, async (at) => {
      const path = PATHS[at % PATHS.length]!(random, foods);
      const { body } = await client.send(path, { headers });
      if (body.length > MAX_ANSWER_CHARACTERS)
        long.add(`${path.slice(0, 40)} answered with ${body.length} characters`);
    });
    return { sent: `${sent} reads of ${PATHS.length} kinds`, breaches: [...long] };
  },
};

function many(id: () => string): string {
  return Array.from({ length: IDS }, () => encodeURIComponent(id())).join(',');
}

/** Makes a well-formed id with the time of a possible entry. */
function forgedId(random: Random): string {
  return `01K${Array.from({ length: 23 }, () => random.pick([...ID_CHARACTERS])).join('')}`;
}

function words(random: Random): string {
  return Array.from({ length: 1 + random.below(3) }, () => random.pick(WORDS)).join('%20');
}
