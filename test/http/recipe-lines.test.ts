import { MAX_LINE_LENGTH } from '@larder/text/parse/read-text.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_INGREDIENTS } from '../../src/diary/records/recipe.ts';
import { starterCatalogue } from '../support/compiled-foods.ts';
import { type DiaryUsers, openDiaryUsers } from '../support/diary-users.ts';
import { openTestServer } from '../support/test-server.ts';

let users: DiaryUsers;
let newUser: DiaryUsers['newUser'];
beforeAll(async () => {
  users = await openDiaryUsers({ catalogue: await starterCatalogue() });
  ({ newUser } = users);
});
afterAll(() => users[Symbol.asyncDispose]());

const TOAST = { foodName: 'Toast', calories: 100, protein: 3, carbs: 20, fat: 1 };
const SOUP = { name: 'Soup', servings: 4 };
const UNKNOWN = '100 g xqzvw';

describe('lines of a recipe', () => {
  it('become ingredients with their interpretation', async () => {
    const { send } = newUser();
    const ingredients = [
      '200 g rice',
      TOAST,
      'For the sauce:',
      '',
      'a handful of almonds',
      '1 egg and 1 banana',
    ];
    const answer = await send('POST', '/recipes', { ...SOUP, ingredients });
    expect(answer.statusCode).toBe(201);
    const recipe = answer.json();
    expect(recipe).not.toHaveProperty('unresolvedItems');
    expect(recipe.ingredients).toMatchObject([
      { text: '200 g rice', quantity: 200, unit: 'g', note: 'weight', foodId: expect.any(String) },
      { name: 'Toast', calories: 100 },
      { text: 'a handful of almonds', quantity: 30, assumed: ['typical handful of 30 g (USDA SR Legacy)'] },
      { text: '1 egg and 1 banana', unit: 'g' },
      { text: '1 egg and 1 banana', unit: 'g' },
    ]);
    for (const field of ['text', 'note', 'confidence', 'assumed']) {
      expect(recipe.ingredients[1]).not.toHaveProperty(field);
    }
    expect(recipe.ingredients[0].confidence).toBeGreaterThan(0);
    expect(recipe.ingredients[0]).toMatchObject({ name: 'White rice, dry', assumed: ['dry'] });
    expect((await send('GET', `/recipes/${recipe.id}`)).json()).toEqual(recipe);
  });

  it('stay unchanged when sent back as read', async () => {
    const { send } = newUser();
    const ingredients = ['200 g rice', '200g rice', '1 cup milk', TOAST];
    const read = (await send('POST', '/recipes', { ...SOUP, ingredients })).json();
    const content = ({
      createdAt: _c,
      updatedAt: _u,
      version: _v,
      id: _,
      ...rest
    }: Record<string, unknown>) => rest;
    for (const body of [read, { ingredients: read.ingredients }]) {
      const changed = await send('PATCH', `/recipes/${read.id}`, body);
      expect([changed.statusCode, content(changed.json())]).toEqual([200, content(read)]);
    }
    const [rice, same, milk] = read.ingredients;
    const back = [same, rice, { ...milk, quantity: 100 }, 'a banana'];
    const changed = (await send('PATCH', `/recipes/${read.id}`, { ingredients: back })).json();
    expect(changed.ingredients).toMatchObject([
      same,
      rice,
      { quantity: 100, text: '1 cup milk' },
      { quantity: 118 },
    ]);
    // A person stated this.
    expect(changed.ingredients[2]).not.toHaveProperty('confidence');
    const { id: _, ...copy } = read;
    const copied = (await send('POST', '/recipes', copy)).json();
    expect(copied.total).toEqual(read.total);
    expect(copied.ingredients.map(({ text }: { text?: string }) => text)).toEqual([
      ...ingredients.slice(0, 3),
      undefined,
    ]);
  });

  it('reject the recipe if one is unresolved, and name it', async () => {
    const { send } = newUser();
    const ingredients = ['200 g rice', TOAST, UNKNOWN, 'rice 900000 kg', '17'];
    const answer = await send('POST', '/recipes', { ...SOUP, ingredients });
    expect([answer.statusCode, answer.json().error.code]).toEqual([422, 'unresolved_items']);
    const { items } = answer.json().error.details;
    expect(items).toMatchObject([
      { index: 2, text: UNKNOWN, start: 6, end: 11, unresolved: 'food' },
      { index: 3, text: 'rice 900000 kg', unresolved: 'amount', candidates: expect.any(Array) },
      { index: 4, text: '17', unresolved: 'food' },
    ]);
    expect(items[1].candidates[0]).toEqual({ id: expect.any(String), name: expect.stringMatching(/rice/i) });
    expect(items[1].candidates.length).toBeLessThanOrEqual(5);
    expect((await send('GET', '/recipes')).json()).toEqual([]);
    const [{ id }] = items[1].candidates;
    // The line keeps its writer's choice.
    const chosen = { text: 'rice 900000 kg', foodId: id, quantity: 90, unit: 'g' };
    const { ingredients: written } = (
      await send('POST', '/recipes', { ...SOUP, ingredients: [chosen] })
    ).json();
    expect(written).toMatchObject([chosen]);
  });

  it('are left out with `partial` if unresolved, and listed in the response', async () => {
    const { send } = newUser();
    const body = { ...SOUP, ingredients: [UNKNOWN, '200 g rice'], partial: true };
    const answer = await send('POST', '/recipes', body);
    expect(answer.statusCode).toBe(201);
    const recipe = answer.json();
    expect(recipe.unresolvedItems).toMatchObject([{ index: 0, text: UNKNOWN, unresolved: 'food' }]);
    expect(recipe.ingredients).toMatchObject([{ text: '200 g rice' }]);
    const { unresolvedItems: _, ...stored } = recipe;
    expect((await send('GET', `/recipes/${recipe.id}`)).json()).toEqual(stored);
    const path = `/recipes/${recipe.id}`;
    const changed = await send('PATCH', path, { ingredients: ['100 g rice', UNKNOWN], partial: true });
    expect(changed.json().unresolvedItems).toMatchObject([{ index: 1 }]);
    expect((await send('PATCH', path, changed.json())).statusCode).toBe(200);
    expect((await send('PATCH', path, recipe)).json().error.code).toBe('version_conflict');
    const refused = [
      await send('PATCH', path, { ingredients: [UNKNOWN] }),
      await send('PATCH', path, { ingredients: [UNKNOWN], partial: true }),
    ];
    for (const each of refused) {
      expect([each.statusCode, each.json().error.code]).toEqual([422, 'unresolved_items']);
      expect(each.json().error.message).not.toContain('partial');
    }
  });

  it.each([
    [['x'.repeat(MAX_LINE_LENGTH + 1)], 'ingredients[0]'],
    [Array.from({ length: 30 }, () => 'x'.repeat(MAX_LINE_LENGTH)), 'ingredients'],
    [Array.from({ length: MAX_INGREDIENTS + 1 }, () => '1 egg'), 'ingredients'],
    [Array.from({ length: MAX_INGREDIENTS }, () => '1 egg and 1 banana'), 'ingredients'],
    [['', 'For the sauce:'], 'ingredients'],
    [[1], 'ingredients[0]'],
    [[{ ...TOAST, unknown: 1 }], 'ingredients[0].unknown'],
  ])('have limits: %#', async (ingredients, field) => {
    const answer = await newUser().send('POST', '/recipes', { ...SOUP, ingredients });
    expect([answer.statusCode, answer.json().error]).toEqual([
      400,
      expect.objectContaining({
        code: 'invalid_request',
        details: expect.objectContaining({ fields: [field] }),
      }),
    ]);
  });

  it('are read in the given language', async () => {
    const read = async (lang: string) => {
      const body = { ...SOUP, ingredients: ['1,500 g rice'], lang };
      const { error, ingredients } = (await newUser().send('POST', '/recipes', body)).json();
      return error?.details ?? ingredients[0].quantity;
    };
    expect(await read('de')).toBe(1.5);
    expect(await read('en')).toBe(1500);
    expect(await read('xx')).toEqual({ fields: ['lang'] });
  });

  it('count as several searches if there are many lines', async () => {
    await using fixture = await openTestServer({ limited: true });
    const headers = {
      authorization: `Bearer ${await fixture.createKey(['diary:read', 'diary:write', 'foods:read'])}`,
    };
    const ingredients = Array.from({ length: 41 }, () => '1 banana');
    const payload = { ...SOUP, ingredients };
    await fixture.ask({ method: 'POST', url: '/v1/users/ann/recipes', headers, payload });
    const { headers: told } = await fixture.ask({ url: '/v1/foods/search?q=banana&userId=ann', headers });
    expect(told['x-ratelimit-remaining']).toBe('94');
  });

  it('count as a search and a write', async () => {
    await using fixture = await openTestServer({ limited: true });
    const admin = await fixture.createKey(['admin', 'diary:read', 'diary:write', 'foods:read']);
    const { key } = (
      await fixture.ask({
        method: 'POST',
        url: '/v1/keys',
        headers: { authorization: `Bearer ${admin}` },
        payload: { scopes: ['diary:read', 'diary:write', 'foods:read'], limits: { search: 2 } },
      })
    ).json();
    const headers = { authorization: `Bearer ${key}` };
    const post = (ingredients: unknown[], more: Record<string, string> = {}) =>
      fixture.ask({
        method: 'POST',
        url: '/v1/users/ann/recipes',
        headers: { ...headers, ...more },
        payload: { ...SOUP, ingredients },
      });
    const left = (answer: Awaited<ReturnType<typeof post>>) =>
      Number(answer.headers['x-ratelimit-remaining']);
    const first = await post(['1 banana']);
    expect(first.statusCode).toBe(201);
    expect(left(await post([TOAST]))).toBe(left(first) - 1);
    const searched = await fixture.ask({ url: '/v1/foods/search?q=banana&userId=ann', headers });
    expect(left(searched)).toBe(0);
    const repeated = { 'idempotency-key': 'one' };
    for (let attempt = 0; attempt < 2; attempt++) {
      const refused = await post(['1 banana'], repeated);
      expect([refused.statusCode, refused.headers['idempotency-replayed']]).toEqual([429, undefined]);
      expect(refused.headers['retry-after']).toBeDefined();
    }
    expect((await post([TOAST])).statusCode).toBe(201);
  });

  it('prefer foods that the user eats, including custom foods', async () => {
    const { send, id } = newUser();
    const key = await users.fixture.createKey(['foods:write']);
    const made = await users.fixture.ask({
      method: 'POST',
      url: '/v1/foods',
      headers: { authorization: `Bearer ${key}` },
      payload: {
        name: 'Xqzvw',
        userId: id,
        servingSize: { value: 20, unit: 'g' },
        macros: { energy: 48, protein: 0.1, fat: 0, carbohydrates: 12 },
      },
    });
    const body = { ...SOUP, ingredients: [UNKNOWN] };
    expect((await send('POST', '/recipes', body)).json().ingredients).toMatchObject([
      { foodId: made.json().id },
    ]);
    expect((await newUser().send('POST', '/recipes', body)).statusCode).toBe(422);
  });
});

describe('the weight of the cooked dish', () => {
  it('allows entries in grams', async () => {
    const { send } = newUser();
    const body = { ...SOUP, yieldGrams: 500, ingredients: [TOAST] };
    const recipe = (await send('POST', '/recipes', body)).json();
    expect(recipe.yieldGrams).toBe(500);
    const eaten = { date: '2026-01-31', mealType: 'lunch', recipeId: recipe.id };
    const entry = (await send('POST', '/diary', { ...eaten, quantity: 250, unit: 'g' })).json();
    expect(entry).toMatchObject({ calories: 50, carbs: 10, quantity: 250, unit: 'g' });
    const serving = await send('PATCH', `/diary/${entry.id}`, { quantity: 1, unit: 'serving' });
    expect(serving.json()).toMatchObject({ calories: 25, unit: 'serving' });
    const volume = await send('POST', '/diary', { ...eaten, quantity: 1, unit: 'ml' });
    expect(volume.json().error.details.possible).toContain('serving');
    const unweighed = await send('PATCH', `/recipes/${recipe.id}`, { yieldGrams: null });
    expect(unweighed.json()).not.toHaveProperty('yieldGrams');
    const refused = await send('POST', '/diary', { ...eaten, quantity: 250, unit: 'g' });
    expect([refused.statusCode, refused.json().error.details]).toEqual([
      400,
      { fields: ['unit'], possible: ['serving'] },
    ]);
    const weighed = await send('PATCH', `/recipes/${recipe.id}`, { yieldGrams: 1000 });
    expect(weighed.json().yieldGrams).toBe(1000);
    expect((await send('PATCH', `/recipes/${recipe.id}`, { servings: 2 })).json().yieldGrams).toBe(1000);
    expect((await send('PATCH', `/recipes/${recipe.id}`, { yieldGrams: 0 })).statusCode).toBe(400);
  });
});
