import { afterAll, beforeAll, expect, test } from 'vitest';
import { BANANA, SPREAD } from '../support/foods.ts';
import { type Member, type OpenHousehold, openHousehold } from '../support/household.ts';

const DAY = { date: '2030-02-01', mealType: 'lunch' };
/** Read as a banana where the recipe is not found. */
const SHAKE = {
  name: 'Grandma banana',
  servings: 2,
  ingredients: [
    { foodId: BANANA.id, quantity: 200, unit: 'g' },
    { foodName: 'Oat drink', calories: 100, protein: 2 },
  ],
};
/** Energy of one serving. */
const KCAL = BANANA.per100.energy + 50;

let nowMs = Date.now();
let household: OpenHousehold;
let ann: Member;
let bob: Member;
let recipeId: string;

beforeAll(async () => {
  household = await openHousehold({ nowMs: () => nowMs });
  ({ ann } = household);
  bob = await household.invite('Bob');
  await share('none');
  recipeId = (await ann.ask('POST', `/v1/users/${ann.id}/recipes`, SHAKE)).json().id;
});
afterAll(() => household[Symbol.asyncDispose]());

async function share(access: string): Promise<void> {
  await ann.ask('PUT', '/v1/people/me/sharing', { default: access, people: {} });
  // Rights are cached for half a second.
  nowMs += 1_000;
}

const search = async (member: Member, q = 'grandma bananna', rest = '') =>
  (await member.ask('GET', `/v1/foods/search?q=${encodeURIComponent(q)}${rest}`)).json();
const ids = (foods: readonly { id: string }[]) => foods.map(({ id }) => id);
const parse = async (member: Member, text: string) =>
  (await member.ask('POST', '/v1/foods/parse', { text })).json();
const logText = (member: Member, text: string, of = member) =>
  member.ask('POST', `/v1/users/${of.id}/diary/text`, { ...DAY, text });
const logFood = (member: Member, more: object) =>
  member.ask('POST', `/v1/users/${member.id}/diary`, { ...DAY, quantity: 1, unit: 'serving', ...more });

test('an own recipe is found as a food counted in servings, whose weight is unknown and not 0', async () => {
  const [first] = await search(ann, 'grandma banana', '&include=servings');
  expect(first).toMatchObject({
    id: `recipe:${recipeId}`,
    recipeId,
    name: SHAKE.name,
    servingSize: { value: 1, unit: 'serving' },
    servings: [{ value: 1, unit: 'serving' }],
    macros: { energy: KCAL },
    unknown: ['fat', 'carbohydrates'],
    userId: ann.id,
  });
  expect(first.nutrients).not.toHaveProperty('fat');
  expect(first).not.toHaveProperty('per100');
  expect(first.servings[0]).not.toHaveProperty('grams');
  expect((await ann.ask('GET', `/v1/foods/recipe:${recipeId}`)).json().recipeId).toBe(recipeId);
  const batch = (
    await ann.ask('GET', `/v1/foods/batch?ids=recipe:${recipeId},${BANANA.id},recipe:no`)
  ).json();
  expect([ids(batch.foods), batch.missing]).toEqual([[`recipe:${recipeId}`, BANANA.id], ['recipe:no']]);
});

test('a recipe is logged by the id of its food, and eaten recipes come first', async () => {
  const logged = (await logFood(ann, { foodId: `recipe:${recipeId}`, quantity: 0.5 })).json();
  expect(logged).toMatchObject({ recipeId, foodName: SHAKE.name, addedMethod: 'recipe', calories: KCAL / 2 });
  expect(logged).not.toHaveProperty('foodId');
  expect((await logFood(ann, { foodId: 'recipe:no' })).statusCode).toBe(404);
  const found = await search(ann, 'banana', `&userId=${ann.id}`);
  expect(found[0].recipeId).toBe(recipeId);
});

test('a text names an own recipe, in servings and not in grams', async () => {
  const { items, totals } = await parse(ann, '2 servings of grandma banana');
  expect(items[0]).toMatchObject({
    quantity: 2,
    food: { recipeId, servingSize: { value: 2, unit: 'serving' }, macros: { energy: 2 * KCAL } },
  });
  expect(items[0]).not.toHaveProperty('grams');
  expect([items[0].unresolved, totals.calories]).toEqual([undefined, 2 * KCAL]);
  expect((await parse(ann, '200 g grandma banana')).items[0]).toMatchObject({
    unresolved: 'amount',
    food: { recipeId },
  });
  const written = (await logText(ann, 'a serving of grandma banana and 50 g banana')).json();
  expect(written.entries).toMatchObject([
    { recipeId, quantity: 1, unit: 'serving', calories: KCAL, addedMethod: 'recipe' },
    { foodId: BANANA.id, quantity: 50, unit: 'g' },
  ]);
  expect(written.understood[0]).not.toHaveProperty('grams');
});

test('a recipe of known weight is also weighed', async () => {
  const recipes = `/v1/users/${ann.id}/recipes`;
  const made = await ann.ask('POST', recipes, { ...SHAKE, name: 'Weighed porridge', yieldGrams: 500 });
  const [found] = await search(ann, 'weighed porridge', '&include=servings');
  expect(found.servings).toEqual([{ value: 1, unit: 'serving', grams: 250 }]);
  expect(found.per100.energy).toBeCloseTo((2 * KCAL) / 5, 6);
  const logged = async (text: string) => (await logText(ann, text)).json().entries;
  const { id } = made.json();
  expect(await logged('100 g weighed porridge')).toMatchObject([
    { recipeId: id, quantity: 100, unit: 'g', calories: (2 * KCAL) / 5 },
  ]);
  expect(await logged('3 servings of weighed porridge')).toMatchObject([
    { recipeId: id, quantity: 3, unit: 'serving', calories: 3 * KCAL },
  ]);
});

test('changed, new and deleted recipes are found as they are', async () => {
  const recipes = `/v1/users/${ann.id}/recipes`;
  const { id } = (await ann.ask('POST', recipes, { ...SHAKE, name: 'Zander casserole' })).json();
  expect(ids(await search(ann, 'zander casserole'))).toEqual([`recipe:${id}`]);
  await ann.ask('PATCH', `${recipes}/${id}`, { name: 'Walleye casserole', servings: 1 });
  expect(ids(await search(ann, 'zander'))).toEqual([]);
  expect((await search(ann, 'walleye casserole'))[0].macros.energy).toBe(2 * KCAL);
  await ann.ask('DELETE', `${recipes}/${id}`);
  expect(ids(await search(ann, 'walleye casserole'))).toEqual([]);
});

test('recipes of others are found only while they share their diary', async () => {
  const seen = async () => [
    ids(await search(bob)).includes(`recipe:${recipeId}`),
    (await bob.ask('GET', `/v1/foods/recipe:${recipeId}`)).statusCode,
    (await parse(bob, 'a serving of grandma banana')).items[0].food?.recipeId,
    (await logText(bob, 'a serving of grandma banana')).json().entries?.[0].recipeId,
    (await logFood(bob, { foodId: `recipe:${recipeId}` })).statusCode,
  ];
  const unseen = [false, 404, undefined, undefined, 404];
  expect(await seen()).toEqual(unseen);
  await share('read');
  expect(await seen()).toEqual([true, 200, recipeId, recipeId, 201]);
  await share('none');
  expect(await seen()).toEqual(unseen);
});

test('keys find recipes of their person, or of the user that they name, if they may read the diary', async () => {
  const { fixture } = household;
  await ann.confirm();
  const own = async (scopes: string[]) =>
    (await ann.ask('POST', '/v1/people/me/keys', { scopes })).json().key;
  const asKey = async (key: string, url: string) => {
    const headers = url.startsWith('/v1') ? { authorization: `Bearer ${key}` } : { 'x-api-key': key };
    const foods = (await fixture.ask({ method: 'GET', url, headers })).json();
    return foods.map((food: { recipeId?: string }) => food.recipeId).includes(recipeId);
  };
  const [reader, foodsOnly] = [await own(['foods:read', 'diary:read']), await own(['foods:read'])];
  for (const url of ['/v1/foods/search?q=grandma%20banana', '/foods/search?q=grandma%20banana'])
    expect([await asKey(reader, url), await asKey(foodsOnly, url)]).toEqual([true, false]);

  const tenant = await fixture.createKey(['foods:read', 'diary:read', 'diary:write']);
  const headers = { authorization: `Bearer ${tenant}` };
  const made = await fixture.ask({ method: 'POST', url: '/v1/users/cleo/recipes', headers, payload: SHAKE });
  const found = async (of: string) => {
    const url = `/v1/foods/search?q=grandma%20banana${of}`;
    const foods = (await fixture.ask({ method: 'GET', url, headers })).json();
    return foods.some((food: { recipeId?: string }) => food.recipeId === made.json().id);
  };
  expect([await found('&userId=cleo'), await found('&userId=dan'), await found('')]).toEqual([
    true,
    false,
    false,
  ]);
});

test('an ingredient may be a recipe, with the amounts that it has now', async () => {
  const made = await ann.ask('POST', `/v1/users/${ann.id}/recipes`, {
    name: 'Two shakes',
    servings: 1,
    ingredients: [
      { foodId: `recipe:${recipeId}`, quantity: 2, unit: 'serving' },
      { foodId: SPREAD.id, quantity: 10, unit: 'g' },
    ],
  });
  const { ingredients, perServing } = made.json();
  expect(ingredients[0]).toMatchObject({ name: SHAKE.name, foodId: `recipe:${recipeId}` });
  expect(perServing.calories).toBeCloseTo(2 * KCAL + SPREAD.per100.energy / 10, 3);
});
