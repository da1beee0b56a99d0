import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FoodOwners, idsIn, newFood, openFoodOwners } from '../support/food-owners.ts';
import { BANANA, SPREAD } from '../support/foods.ts';
import { VARIANTS } from './variants.ts';

let owners: FoodOwners;
let ask: FoodOwners['ask'];
/** The foods of the tenant in the order of the list, each with its user. */
let created: { readonly id: string; readonly userId?: string }[] = [];
beforeAll(async () => {
  owners = await openFoodOwners();
  ({ ask } = owners);
  for (const more of [{}, { userId: 'ann' }, {}, { userId: 'bob' }, {}]) {
    created.push((await ask('key', 'POST', '/foods', newFood(more))).body);
  }
  // Foods of the same millisecond have no defined order.
  created = created.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  await ask('otherKey', 'POST', '/foods', newFood());
});
afterAll(() => owners[Symbol.asyncDispose]());

const ALL = ['ann', 'bob'];
const seenBy = (...users: string[]) =>
  created.filter(({ userId }) => userId === undefined || users.includes(userId)).map(({ id }) => id);
const idOf = (user: string) => created.find(({ userId }) => userId === user)!.id;
const addressOf = (link: unknown) => /^<([^>]+)>; rel="next"$/.exec(String(link))?.[1];

it.each(VARIANTS)(
  '$name: a key reads all foods of its tenant page by page',
  async ({ prefix, credential }) => {
    const pages: string[][] = [];
    for (let url: string | undefined = `${prefix}/foods?limit=2`; url !== undefined; ) {
      const answer = await owners.fixture.ask({ url, headers: credential(owners.as.key) });
      expect(answer.statusCode).toBe(200);
      pages.push(answer.json().map(({ id }: { id: string }) => id));
      url = addressOf(answer.headers['link']);
    }
    const ids = seenBy(...ALL);
    expect(pages).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
  },
);

it.each(VARIANTS)('$name: an exactly full page is the last one', async ({ prefix, credential }) => {
  const answer = await owners.fixture.ask({
    url: `${prefix}/foods?limit=5`,
    headers: credential(owners.as.key),
  });
  expect(answer.json()).toHaveLength(5);
  expect(answer.headers).not.toHaveProperty('link');
});

it.each(VARIANTS)('$name: a wrong cursor is rejected', async ({ prefix, credential }) => {
  for (const after of ['x', 'off:1', 'manual:', 'manual:%00', '2']) {
    const answer = await owners.fixture.ask({
      url: `${prefix}/foods?after=${after}`,
      headers: credential(owners.as.key),
    });
    expect([answer.statusCode, answer.json().error]).toEqual([
      400,
      expect.objectContaining({ code: 'invalid_query', details: { parameter: 'after' } }),
    ]);
  }
});

it('a user lists shared foods and the user’s own, and so does a key that names the user', async () => {
  expect(idsIn(await ask('ann', 'GET', '/foods'))).toEqual(seenBy('ann'));
  expect(idsIn(await ask('key', 'GET', '/foods?userId=bob'))).toEqual(seenBy('bob'));
  expect(idsIn(await ask('key', 'GET', '/foods?userId=nobody'))).toEqual(seenBy());
  expect(idsIn(await ask('otherAnn', 'GET', '/foods'))).toHaveLength(1);
  expect((await ask('ann', 'GET', '/foods?userId=bob')).status).toBe(403);
});

it('the next page repeats the other parameters', async () => {
  const first = await ask('key', 'GET', '/foods?userId=bob&limit=3');
  const second = await ask('key', 'GET', addressOf(first.link)!.replace('/v1', ''));
  expect([idsIn(first), idsIn(second)]).toEqual([seenBy('bob').slice(0, 3), seenBy('bob').slice(3)]);
});

it('a listed food equals the food at its address', async () => {
  const [first] = (await ask('key', 'GET', '/foods?limit=1')).body;
  expect((await ask('key', 'GET', `/foods/${first.id}`)).body).toEqual(first);
});

it('foods are read by several ids, and missing ids are listed', async () => {
  const [ofAnn, ofBob] = [idOf('ann'), idOf('bob')];
  const ids = [SPREAD.id, ofBob, 'off:1', ofAnn, 'manual:none', 'x', SPREAD.id, BANANA.id];
  const both = async (who: 'key' | 'ann') => {
    const { body } = await ask(who, 'GET', `/foods/batch?ids=${ids.join(',')}`);
    return [body.foods.map(({ id }: { id: string }) => id), body.missing];
  };
  expect(await both('key')).toEqual([
    [SPREAD.id, ofBob, ofAnn, BANANA.id],
    ['off:1', 'manual:none', 'x'],
  ]);
  expect(await both('ann')).toEqual([
    [SPREAD.id, ofAnn, BANANA.id],
    [ofBob, 'off:1', 'manual:none', 'x'],
  ]);
  const { body } = await ask('key', 'GET', `/foods/batch?ids=${ofBob}`);
  expect(body).toEqual({ foods: [(await ask('key', 'GET', `/foods/${ofBob}`)).body], missing: [] });
});

it('up to 100 ids are accepted; more, none and empty ids are rejected', async () => {
  const ids = Array.from({ length: 101 }, (_, n) => `off:${n}`);
  const { body } = await ask('key', 'GET', `/foods/batch?ids=${ids.slice(1).join(',')}`);
  expect(body).toEqual({ foods: [], missing: ids.slice(1) });
  for (const query of [`?ids=${ids.join(',')}`, '', '?ids=', '?ids=off:1,,off:2', '?ids=off:1&ids=off:2']) {
    const answer = await ask('key', 'GET', `/foods/batch${query}`);
    expect([answer.status, answer.body.error]).toEqual([
      400,
      expect.objectContaining({ code: 'invalid_query', details: { parameter: 'ids' } }),
    ]);
  }
});
