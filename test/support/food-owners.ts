import { expect } from 'vitest';
import type { Scope } from '../../src/access/api-key.ts';
import { EXAMPLE_NEW_FOOD } from '../../src/api/foods/food-input.ts';
import { openTestServer } from './test-server.ts';

const ALL: readonly Scope[] = [
  'foods:read',
  'foods:write',
  'scan',
  'diary:read',
  'diary:write',
  'diary:erase',
];
export const SPOON = { quantity: 20, unit: 'g' };
export const DAY = { date: '2026-03-29', mealType: 'lunch' };

/**
 * Callers: the key of one tenant and tokens of two users; the key of another tenant and a token of a user
 * with the same name.
 */
export type Who = 'key' | 'ann' | 'bob' | 'otherKey' | 'otherAnn';
export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Ways in which a caller can find a food, each with the status of a caller who finds it. */
export const SEEN = {
  id: 200,
  batch: 200,
  barcode: 200,
  search: 200,
  text: 200,
  entryById: 201,
  entryByBarcode: 201,
  entryByText: 201,
  recipe: 201,
  recipeLine: 201,
};
export const UNSEEN = Object.fromEntries(Object.keys(SEEN).map((way) => [way, 404])) as typeof SEEN;

export const idsIn = ({ body }: { body: unknown }) => (body as { id: string }[]).map(({ id }) => id);

let made = 0;
/** Unique names and barcodes for each food, of letters that search does not confuse. */
export function newFood(more: object = {}) {
  const at = made++;
  const word = String.fromCharCode(97 + (at % 26), 97 + ((at * 7 + Math.floor(at / 26)) % 26)).repeat(4);
  return { ...EXAMPLE_NEW_FOOD, aliases: [], name: `Jam ${word}`, barcode: `${60_000_000 + at}`, ...more };
}

/** A server with several callers. */
export async function openFoodOwners() {
  const fixture = await openTestServer();
  const base = `http://127.0.0.1:${fixture.port}`;
  const key = await fixture.createKey(ALL, undefined, 'acme');
  const otherKey = await fixture.createKey(ALL, undefined, 'other');
  const post = async (path: string, body: object) =>
    (await fetch(`${base}/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).then((answer) => answer.json())) as { access_token: string; scope: string };
  const tokenOf = async (secret: string, user: string, scope: string | undefined = ALL.join(' ')) =>
    (await post('/auth/token', { client_secret: secret, user_id: user, scope })).access_token;
  const as: Readonly<Record<Who, string>> = {
    key,
    otherKey,
    ann: await tokenOf(key, 'ann'),
    bob: await tokenOf(key, 'bob'),
    otherAnn: await tokenOf(otherKey, 'ann'),
  };

  async function ask(
    who: Who,
    method: Method,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) {
    const answer = await fetch(`${base}/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${as[who]}`,
        'x-request-id': 'same',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      etag: answer.headers.get('etag') ?? '',
      replayed: answer.headers.get('idempotency-replayed'),
      link: answer.headers.get('link') ?? '',
      text,
      // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape that it asks for
      body: (text === '' ? undefined : JSON.parse(text)) as any,
    };
  }

  async function create(who: Who, more: object = {}) {
    const food = newFood(more);
    const { status, body, etag } = await ask(who, 'POST', '/foods', food);
    expect(status).toBe(201);
    return { ...food, id: body.id as string, etag, body };
  }
  type Made = Awaited<ReturnType<typeof create>>;

  const usersOf = (who: Who) => (who === 'bob' ? ['bob'] : who === 'key' ? ['ann', 'bob'] : ['ann']);
  /** Entries wait for the database, while look-ups wait only briefly: after this, look-ups see everything written. */
  async function settle(who: Who): Promise<void> {
    for (const user of usersOf(who)) {
      await ask(who, 'POST', `/users/${user}/diary`, { ...DAY, ...SPOON, foodId: 'manual:none' });
    }
  }
  async function find(who: Who, { name }: Pick<Made, 'name'>, query = '') {
    await settle(who);
    return idsIn(await ask(who, 'GET', `/foods/search?q=${encodeURIComponent(name)}${query}`));
  }
  async function byBarcode(who: Who, { barcode }: Pick<Made, 'barcode'>, query = '') {
    await settle(who);
    return ask(who, 'GET', `/foods/barcode/${barcode}${query}`);
  }

  return {
    fixture,
    base,
    key,
    as,
    ask,
    create,
    find,
    byBarcode,
    post,
    /** All ways in which a caller can find a food, each with whether it was found. */
    async waysTo(who: Who, food: Made, user = usersOf(who)[0]) {
      const eat = async (what: object) =>
        (await ask(who, 'POST', `/users/${user}/diary`, { ...DAY, ...SPOON, ...what })).status;
      const cook = async (ingredient: unknown) =>
        ask(who, 'POST', `/users/${user}/recipes`, {
          name: 'Toast',
          servings: 1,
          ingredients: [ingredient, { foodName: 'Bread', calories: 1, protein: 1, carbs: 1, fat: 1 }],
          partial: true,
        });
      const line = `20 g ${food.name}`;
      const named = async (answer: ReturnType<typeof ask>, status: number) =>
        (await answer).text.includes(food.id) ? status : 404;
      return {
        entryById: await eat({ foodId: food.id }),
        entryByBarcode: await eat({ barcode: food.barcode }),
        recipe: (await cook({ foodId: food.id, ...SPOON })).status,
        recipeLine: await named(cook(line), 201),
        entryByText: await named(
          ask(who, 'POST', `/users/${user}/diary/text`, { ...DAY, text: line, partial: true }),
          201,
        ),
        text: await named(ask(who, 'POST', '/foods/parse', { text: line }), 200),
        batch: idsIn({
          body: (await ask(who, 'GET', `/foods/batch?ids=${food.id},${food.id.toLowerCase()}`)).body.foods,
        }).includes(food.id)
          ? 200
          : 404,
        id: (await ask(who, 'GET', `/foods/${food.id}`)).status,
        barcode: (await byBarcode(who, food)).status,
        search: (await find(who, food)).includes(food.id) ? 200 : 404,
      };
    },
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

export type FoodOwners = Awaited<ReturnType<typeof openFoodOwners>>;
