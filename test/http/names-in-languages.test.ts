import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { starterCatalogue } from '../support/compiled-foods.ts';
import { type Member, type OpenHousehold, openHousehold } from '../support/household.ts';
import { VARIANTS } from './variants.ts';

let household: OpenHousehold;
let ann: Member;
beforeAll(async () => {
  household = await openHousehold({ catalogue: await starterCatalogue() });
  ({ ann } = household);
});
afterAll(() => household[Symbol.asyncDispose]());

describe.each(VARIANTS)('$name', ({ prefix, credential }) => {
  const get = (path: string) =>
    household.fixture.ask({ url: `${prefix}${path}`, headers: credential(household.fixture.key) });
  const first = async (query: string) => (await get(`/foods/search?${query}&limit=1`)).json()[0];

  it('a search in a language finds by its names and answers them, with the language', async () => {
    expect(await first('lang=pl&q=mas%C5%82o')).toMatchObject({
      id: 'starter:butter',
      name: 'Masło',
      lang: 'pl',
    });
    expect(await first('lang=xx,ja,de&q=butter')).toMatchObject({ name: 'バター', lang: 'ja' });
  });

  it('without a language foods are named as before', async () => {
    const food = await first('q=mas%C5%82o');
    expect(food).toMatchObject({ id: 'starter:butter', name: 'Butter' });
    expect(food).not.toHaveProperty('lang');
  });

  it('a barcode look-up and a read text answer in the language', async () => {
    const food = (await get('/foods/barcode/747599322198?lang=de,en')).json();
    expect(food.lang).toBe('en');
    const read = await household.fixture.ask({
      method: 'POST',
      url: `${prefix}/foods/parse?lang=sv`,
      headers: credential(household.fixture.key),
      payload: { text: '10 g butter' },
    });
    expect(read.json().items[0].food).toMatchObject({ name: 'Smör', lang: 'sv' });
  });

  it.each(['', 'd3', 'de;en', 'a,'.repeat(20)])('the languages "%s" are refused', async (lang) => {
    const answer = await get(`/foods/search?q=milk&lang=${encodeURIComponent(lang)}`);
    expect([answer.statusCode, answer.json().error.code]).toEqual([400, 'invalid_query']);
    expect(answer.json().error.details.parameter).toBe('lang');
  });
});

test('foods by id and the pages of a search keep the language', async () => {
  const get = (url: string) =>
    household.fixture.ask({ url, headers: { authorization: `Bearer ${household.fixture.key}` } });
  expect((await get('/v1/foods/starter:butter?lang=cs')).json()).toMatchObject({ name: 'Máslo', lang: 'cs' });
  const bread = (await get('/v1/foods/starter:white-bread?lang=de')).json();
  expect(bread.servings.map(({ unit, label }: Record<string, string>) => [unit, label])).toContainEqual([
    'slice',
    '1 Scheibe (28 g)',
  ]);
  const batch = (await get('/v1/foods/batch?ids=starter:butter,starter:milk&lang=tr')).json();
  expect(batch.foods.map(({ name }: { name: string }) => name)).toEqual(['Tereyağı', 'Süt']);
  const page = await get('/v1/foods/search?q=mleko&lang=pl&limit=1&offset=0');
  const next = /^<(.*)>; rel="next"$/.exec(String(page.headers['link']))![1]!;
  expect(next).toContain('lang=pl');
  expect((await get(next)).json()[0].lang).toBe('pl');
});

test('a session asks for the languages of its browser, a key does not', async () => {
  const headers = { 'accept-language': 'fi;q=0.5, hu' };
  const asked = await ann.ask('GET', '/v1/foods/starter:butter', undefined, headers);
  expect(asked.json()).toMatchObject({ name: 'Vaj', lang: 'hu' });
  const named = await ann.ask('GET', '/v1/foods/starter:butter?lang=fi', undefined, headers);
  expect(named.json()).toMatchObject({ name: 'Voi', lang: 'fi' });
  const byKey = await household.fixture.ask({
    url: '/v1/foods/starter:butter',
    headers: { ...headers, authorization: `Bearer ${household.fixture.key}` },
  });
  expect(byKey.json().name).toBe('Butter');
});

test('a diary shows shipped foods in the language and keeps the words of the user', async () => {
  const entry = { date: '2030-01-01', mealType: 'lunch', foodId: 'starter:butter', quantity: 10, unit: 'g' };
  const diary = `/v1/users/${ann.id}/diary`;
  const plain = await ann.ask('POST', diary, entry);
  const own = await ann.ask('POST', diary, { ...entry, foodId: 'starter:cheese' });
  expect([plain.statusCode, own.statusCode]).toEqual([201, 201]);
  await ann.ask('PATCH', `${diary}/${own.json().id}`, { foodName: 'Cheese of my aunt' });
  const rows = await ann.ask('GET', `${diary}?date=2030-01-01&lang=nl`);
  expect(rows.json().map(({ foodName, lang }: Record<string, string>) => [foodName, lang])).toEqual([
    ['Boter', 'nl'],
    ['Cheese of my aunt', undefined],
  ]);
  const one = await ann.ask('GET', `${diary}/${plain.json().id}?lang=ko`);
  expect(one.json()).toMatchObject({ foodName: '버터', lang: 'ko' });
  const recent = await ann.ask('GET', `/v1/users/${ann.id}/foods/recent?lang=el`);
  expect(recent.json().map(({ foodName }: { foodName: string }) => foodName)).toEqual(
    expect.arrayContaining(['Βούτυρο', 'Cheese of my aunt']),
  );
  const changes = await ann.ask('GET', `/v1/users/${ann.id}/changes?lang=da`);
  const names = changes.json().changes.map(({ value }: { value?: { foodName?: string } }) => value?.foodName);
  expect(names).toEqual(expect.arrayContaining(['Smør', 'Cheese of my aunt']));
  const stored = await ann.ask('GET', `${diary}/${plain.json().id}`);
  expect(stored.json().foodName).toBe('Butter');
  const back = await ann.ask('PATCH', `${diary}/${plain.json().id}`, { ...one.json(), note: 'on bread' });
  expect(back.json()).toMatchObject({ foodName: 'Butter', note: 'on bread' });
  const wrong = await ann.ask('PATCH', `${diary}/${plain.json().id}`, { lang: 'xx' });
  expect([wrong.statusCode, wrong.json().error.details.fields]).toEqual([400, ['lang']]);
});

test('ingredients of recipes are named in the language, and a recipe can be sent back so', async () => {
  const recipes = `/v1/users/${ann.id}/recipes`;
  const made = await ann.ask('POST', recipes, {
    name: 'Bread and butter',
    servings: 2,
    ingredients: [
      { foodId: 'starter:butter', quantity: 10, unit: 'g' },
      { foodName: 'Bread of my aunt', calories: 200 },
    ],
  });
  const path = `${recipes}/${made.json().id}`;
  const namesIn = (recipe: { ingredients: { name: string }[] }) => recipe.ingredients.map(({ name }) => name);
  const dutch = (await ann.ask('GET', `${path}?lang=nl`)).json();
  expect(namesIn(dutch)).toEqual(['Boter', 'Bread of my aunt']);
  expect((await ann.ask('GET', `${recipes}?lang=da`)).json().map(namesIn)).toContainEqual([
    'Smør',
    'Bread of my aunt',
  ]);
  const { changes } = (await ann.ask('GET', `/v1/users/${ann.id}/changes?lang=ko`)).json();
  const told = changes.filter(({ kind }: { kind: string }) => kind === 'recipe');
  expect(told.map(({ value }: { value: typeof dutch }) => namesIn(value))).toContainEqual([
    '버터',
    'Bread of my aunt',
  ]);
  const again = await ann.ask('PATCH', path, { servings: 3, ingredients: dutch.ingredients });
  expect(again.statusCode).toBe(200);
  expect(namesIn((await ann.ask('GET', path)).json())).toEqual(['Butter', 'Bread of my aunt']);
});
