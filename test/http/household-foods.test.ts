import { afterAll, beforeAll, expect, test } from 'vitest';
import { BANANA } from '../support/foods.ts';
import { type Member, type OpenHousehold, openHousehold } from '../support/household.ts';

const DATE = '2030-01-01';
const SOUP = {
  date: DATE,
  mealType: 'lunch',
  foodName: 'Soup',
  calories: 100,
  protein: 5,
  note: 'too salty',
};
const JAM = {
  name: 'Plum jam of the house',
  servingSize: { value: 20, unit: 'g' },
  macros: { energy: 48, protein: 0.1, fat: 0, carbohydrates: 12 },
};
let nowMs = Date.now();
let household: OpenHousehold;
let ann: Member;
let bob: Member;

beforeAll(async () => {
  household = await openHousehold({ nowMs: () => nowMs });
  ({ ann } = household);
  bob = await household.invite('Bob');
});
afterAll(() => household[Symbol.asyncDispose]());

async function share(member: Member, access: string): Promise<void> {
  await member.ask('PUT', '/v1/people/me/sharing', { default: access, people: {} });
  // Rights are cached for half a second.
  nowMs += 1_000;
}
const search = async (member: Member) =>
  (await member.ask('GET', '/v1/foods/search?q=plum%20jam%20of%20the%20house'))
    .json()
    .map(({ id }: { id: string }) => id);

test('a food that a member enters is shared, and every member may change and delete it', async () => {
  const made = await ann.ask('POST', '/v1/foods', JAM);
  expect([made.statusCode, made.json().shared]).toEqual([201, true]);
  const { id } = made.json();
  expect(await search(bob)).toEqual([id]);
  const changed = await bob.ask('PATCH', `/v1/foods/${id}`, { name: 'Plum jam of the house, less sweet' });
  expect([changed.statusCode, changed.json().shared]).toEqual([200, true]);
  expect((await ann.ask('GET', `/v1/foods/${id}`)).json().name).toBe('Plum jam of the house, less sweet');
  expect((await bob.ask('DELETE', `/v1/foods/${id}`)).statusCode).toBe(204);
  expect(await search(ann)).toEqual([]);
});

test('a food that a member keeps private is found by that member only, and can be shared later', async () => {
  const made = await ann.ask('POST', '/v1/foods', { ...JAM, shared: false });
  expect(made.json()).toMatchObject({ shared: false, userId: ann.id });
  const { id } = made.json();
  expect([await search(ann), await search(bob)]).toEqual([[id], []]);
  expect((await bob.ask('PATCH', `/v1/foods/${id}`, { name: 'x' })).statusCode).toBe(404);
  const renamed = await ann.ask('PATCH', `/v1/foods/${id}`, { name: JAM.name });
  expect(renamed.json()).toMatchObject({ shared: false, userId: ann.id });
  expect((await ann.ask('PATCH', `/v1/foods/${id}`, { shared: true })).json().shared).toBe(true);
  expect(await search(bob)).toEqual([id]);
  const forOther = await ann.ask('POST', '/v1/foods', { ...JAM, userId: bob.id });
  expect(forOther.statusCode).toBe(403);
  await ann.ask('DELETE', `/v1/foods/${id}`);
});

test('a food that is not shared is read by id and logged by those who may read the diary', async () => {
  const cem = await household.invite('Cem');
  await ann.ask('PUT', '/v1/people/me/sharing', { default: 'read', people: { [cem.id]: 'none' } });
  nowMs += 1_000;
  const { id } = (await ann.ask('POST', '/v1/foods', { ...JAM, shared: false })).json();
  const eaten = { date: DATE, mealType: 'breakfast', foodId: id, quantity: 20, unit: 'g' };
  const outcomes = async (member: Member) => {
    const diary = `/v1/users/${member.id}/diary`;
    const batch = (await member.ask('GET', `/v1/foods/batch?ids=${id},${BANANA.id}`)).json();
    const answers = [
      await member.ask('GET', `/v1/foods/${id}`),
      await member.ask('POST', diary, eaten),
      await member.ask('POST', `${diary}/batch`, [eaten] as unknown as object),
    ];
    return [...answers.map(({ statusCode }) => statusCode), batch.missing];
  };
  const found = [200, 201, 201, []];
  const missing = [404, 404, 404, [id]];
  expect([await outcomes(ann), await outcomes(bob), await outcomes(cem)]).toEqual([found, found, missing]);

  const logged = await bob.ask('POST', `/v1/users/${bob.id}/diary`, eaten);
  expect(logged.json()).toMatchObject({ userId: bob.id, foodId: id, foodName: JAM.name, calories: 48 });
  expect((await bob.ask('PATCH', `/v1/foods/${id}`, { name: 'x' })).statusCode).toBe(404);
  expect((await bob.ask('DELETE', `/v1/foods/${id}`)).statusCode).toBe(404);
  const unknown = await cem.ask('GET', '/v1/foods/manual:nothing');
  expect((await cem.ask('GET', `/v1/foods/${id}`)).json().error.message).toBe(unknown.json().error.message);

  await share(ann, 'none');
  expect(await outcomes(bob)).toEqual(missing);
  await share(ann, 'read');
  expect((await ann.ask('DELETE', `/v1/foods/${id}`)).statusCode).toBe(204);
  expect((await cem.ask('DELETE', `/v1/people/${cem.id}`)).statusCode).toBe(204);
});

test('an imported table of foods is shared', async () => {
  const csv = 'Name,kcal,Protein (g)\nPlum jam of the house,240,0.5\n';
  const imported = await household.fixture.ask({
    method: 'POST',
    url: '/v1/foods/import',
    headers: { cookie: ann.cookie, origin: household.origin, 'content-type': 'text/csv' },
    payload: csv,
  });
  expect(imported.statusCode).toBe(200);
  expect(await search(bob)).toHaveLength(1);
});

test('a meal of another person is copied in one call with a different portion', async () => {
  const eaten = { date: DATE, mealType: 'lunch', foodId: BANANA.id, quantity: 120, unit: 'g' };
  await ann.ask('POST', `/v1/users/${ann.id}/diary`, SOUP);
  const banana = (await ann.ask('POST', `/v1/users/${ann.id}/diary`, eaten)).json();
  await ann.ask('POST', `/v1/users/${ann.id}/diary`, { ...SOUP, mealType: 'dinner' });
  const order = { from: DATE, to: '2030-01-02', mealType: 'lunch', userId: ann.id, portion: 0.5 };
  const copied = await bob.ask('POST', `/v1/users/${bob.id}/diary/copy`, order);
  expect(copied.statusCode).toBe(201);
  const [soup, half, ...others] = copied.json();
  expect(others).toEqual([]);
  expect(soup).toMatchObject({
    userId: bob.id,
    date: '2030-01-02',
    calories: 50,
    protein: 2.5,
    quantity: 0.5,
  });
  expect([soup.note, soup.unknown]).toEqual([undefined, ['carbs', 'fat']]);
  expect(half).toMatchObject({ foodId: BANANA.id, quantity: 60, unit: 'g', calories: banana.calories / 2 });
  // The copy follows changes of its amount like any entry.
  const whole = await bob.ask('PATCH', `/v1/users/${bob.id}/diary/${half.id}`, { quantity: 120 });
  expect(whole.json().calories).toBe(banana.calories);

  await share(ann, 'none');
  expect((await bob.ask('POST', `/v1/users/${bob.id}/diary/copy`, order)).statusCode).toBe(403);
  await share(ann, 'read');
});

test('copies of the own diary keep notes, and take a portion, too', async () => {
  const order = { from: DATE, to: '2030-01-03', mealType: 'dinner', portion: 3 };
  const [soup] = (await ann.ask('POST', `/v1/users/${ann.id}/diary/copy`, order)).json();
  expect(soup).toMatchObject({ calories: 300, quantity: 3, note: 'too salty' });
  for (const portion of [0, -1, 1_000])
    expect((await ann.ask('POST', `/v1/users/${ann.id}/diary/copy`, { ...order, portion })).statusCode).toBe(
      400,
    );
});

test('a key copies between users of its tenant whose diaries it may read, a token does not', async () => {
  const order = { from: DATE, to: DATE, userId: ann.id };
  const copy = async (authorization: string) =>
    (
      await household.fixture.ask({
        method: 'POST',
        url: '/v1/users/carl/diary/copy',
        headers: { authorization: `Bearer ${authorization}` },
        payload: order,
      })
    ).statusCode;
  expect(await copy(await household.fixture.createKey(['diary:write']))).toBe(403);
  const key = await household.fixture.createKey(['diary:read', 'diary:write']);
  expect(await copy(key)).toBe(201);
  const token = await household.post('/v1/auth/token', { client_secret: key, user_id: 'carl' });
  expect(await copy(token.json().access_token)).toBe(403);
});

test('a person who may read the diary may read and log its recipes', async () => {
  const recipe = {
    name: 'Banana bread',
    servings: 2,
    ingredients: [{ foodId: BANANA.id, quantity: 200, unit: 'g' }],
  };
  const made = (await ann.ask('POST', `/v1/users/${ann.id}/recipes`, recipe)).json();
  expect((await bob.ask('GET', `/v1/users/${ann.id}/recipes/${made.id}`)).json().name).toBe('Banana bread');
  const serving = { date: DATE, mealType: 'snacks', recipeId: made.id, quantity: 1, unit: 'serving' };
  const log = () => bob.ask('POST', `/v1/users/${bob.id}/diary`, serving);
  expect((await log()).json()).toMatchObject({ recipeId: made.id, calories: made.perServing.calories });
  expect((await bob.ask('DELETE', `/v1/users/${ann.id}/recipes/${made.id}`)).statusCode).toBe(403);
  await share(ann, 'none');
  expect((await log()).statusCode).toBe(404);
  await share(ann, 'read');

  // A person who writes in another's diary uses their own recipes.
  await share(bob, 'write');
  const forBob = await ann.ask('POST', `/v1/users/${bob.id}/diary/batch`, [serving] as unknown as object);
  expect([forBob.statusCode, forBob.json()[0].userId]).toEqual([201, bob.id]);
});
