import { MAX_LINE_LENGTH } from '@larder/text/parse/read-text.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BODY_LIMITS } from '../../src/api/body-limits.ts';
import { MAX_INGREDIENTS } from '../../src/diary/records/recipe.ts';
import { describedApi } from '../../src/http/openapi/described-api.ts';
import { starterCatalogue } from '../support/compiled-foods.ts';
import { DescribedAnswers } from '../support/described-answers.ts';
import { type DiaryUsers, openDiaryUsers } from '../support/diary-users.ts';

let users: DiaryUsers;
beforeAll(async () => {
  users = await openDiaryUsers({ catalogue: await starterCatalogue() });
});
afterAll(() => users[Symbol.asyncDispose]());

/** A recipe as on web pages, with fields that do not concern nutrition. */
const PUDDING = {
  '@context': 'https://schema.org',
  '@type': 'Recipe',
  name: 'Rice pudding &amp; almonds',
  image: ['https://example.com/pudding.jpg'],
  author: { '@type': 'Person', name: 'Ann' },
  recipeYield: '4 servings',
  recipeIngredient: ['200 g rice', '&frac12; cup&nbsp;milk', '<b>30 g</b> almonds, chopped'],
  recipeInstructions: [{ '@type': 'HowToStep', text: 'Cook.' }],
};
const post = (body: unknown) => users.newUser().send('POST', '/recipes', body);
const CREATE = 'post /v1/users/{userId}/recipes';
const JSON_LD = 'application/ld+json';
const described = new DescribedAnswers(JSON.parse(JSON.stringify(describedApi())));
const errorOf = async (body: unknown) => {
  const answer = await post(body);
  const { code, details } = answer.json().error;
  return { status: answer.statusCode, code, details };
};

describe('a recipe as JSON-LD', () => {
  const page = { '@type': 'WebPage', name: 'A page' };
  it.each([
    ['alone', PUDDING],
    ['with several types', { ...PUDDING, '@type': ['NewsArticle', 'http://schema.org/Recipe'] }],
    ['in a list', [page, PUDDING]],
    ['in a graph', { '@context': 'https://schema.org', '@graph': [page, PUDDING] }],
    ['in a graph in a list', [page, { '@graph': [page, PUDDING] }]],
    ['with its lines as one text', { ...PUDDING, recipeIngredient: PUDDING.recipeIngredient.join('\n') }],
  ])('is read %s', async (_, body) => {
    if ('recipeIngredient' in body) expect(described.refusalsOf(CREATE, body, JSON_LD)).toEqual([]);
    const answer = await post(body);
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject({
      name: 'Rice pudding & almonds',
      servings: 4,
      ingredients: [
        { name: 'White rice, dry', text: '200 g rice', quantity: 200, unit: 'g', assumed: ['dry'] },
        { text: '½ cup milk', foodId: expect.any(String), confidence: expect.any(Number) },
        { name: 'Almonds', text: '30 g almonds, chopped', quantity: 30 },
      ],
    });
  });

  it('is accepted as application/ld+json, unlike in other operations', async () => {
    const { send } = users.newUser();
    const headers = { 'content-type': `${JSON_LD}; charset=utf-8` };
    const statusOf = async (path: string, body: object) =>
      (await send('POST', path, body, headers)).statusCode;
    expect(await statusOf('/recipes', PUDDING)).toBe(201);
    expect(await statusOf('/diary/copy', { from: '2026-01-01', to: '2026-01-02' })).toBe(415);
  });

  it.each([
    ['4 servings', { servings: 4 }],
    ['Makes 12', { servings: 12 }],
    ['Serves 4-6', { servings: 4 }],
    ['6 people', { servings: 6 }],
    ['a dozen cookies', { servings: 12 }],
    [6, { servings: 6 }],
    [-6, { servings: 1 }],
    [1e308, { servings: 1 }],
    ['6', { servings: 6 }],
    [['24', '24 cookies'], { servings: 24 }],
    [['1.2 kg', '8 servings'], { servings: 8, yieldGrams: 1200 }],
    ['1 loaf (about 900 g)', { servings: 1, yieldGrams: 900 }],
    ['2 cups', { servings: 1 }],
    ['800 g', { servings: 1, yieldGrams: 800 }],
    [{ '@type': 'QuantitativeValue', value: 5, unitText: 'servings' }, { servings: 5 }],
    ['some', { servings: 1 }],
    ['5000000', { servings: 1 }],
    [{ value: { value: 3 } }, { servings: 1 }],
    [null, { servings: 1 }],
    [undefined, { servings: 1 }],
  ])('has the yield %j', async (recipeYield, expected) => {
    const body = { ...PUDDING, recipeYield };
    if (recipeYield !== null) expect(described.refusalsOf(CREATE, body, JSON_LD)).toEqual([]);
    const { servings, yieldGrams } = (await post(body)).json();
    expect({ servings, ...(yieldGrams !== undefined && { yieldGrams }) }).toEqual(expected);
  });

  it('can be sent with fields that override it', async () => {
    const known = { servings: 3, yieldGrams: 700, partial: true };
    const unknown = { ...PUDDING, recipeIngredient: [...PUDDING.recipeIngredient, '3 xqzvw'] };
    for (const body of [
      { ...unknown, ...known },
      { '@graph': [unknown], ...known },
    ]) {
      const { servings, yieldGrams, unresolvedItems } = (await post(body)).json();
      expect({ servings, yieldGrams }).toEqual({ servings: 3, yieldGrams: 700 });
      expect(unresolvedItems).toMatchObject([{ index: 3, text: '3 xqzvw' }]);
    }
    const refused = await errorOf([unknown]);
    expect([refused.status, refused.details.items[0].index]).toEqual([422, 3]);
  });

  it('is read in its language', async () => {
    const quantity = async (inLanguage: string) =>
      (await post({ ...PUDDING, inLanguage, recipeIngredient: ['1,500 g rice'] })).json().ingredients[0]
        .quantity;
    expect([await quantity('de-DE'), await quantity('en')]).toEqual([1.5, 1500]);
  });

  it.each([
    [{ '@context': 'https://schema.org', name: 'x', recipeIngredient: ['1 egg'] }, '@type'],
    [{ ...PUDDING, '@type': 'Article' }, '@type'],
    [{ ...PUDDING, '@type': ['Article'] }, '@type'],
    [[], ''],
    [[{}, page], '@type'],
    [[page, 'x'], '[1]'],
    [{ '@graph': [5] }, '@graph[0]'],
    [{ '@graph': [{ '@type': 'WebPage' }] }, '@type'],
    [{ '@graph': 5 }, '@graph'],
    [{ ...PUDDING, name: undefined }, 'name'],
    [{ ...PUDDING, name: '<p></p>' }, 'name'],
    [{ ...PUDDING, recipeIngredient: undefined }, 'recipeIngredient'],
    [[{ ...PUDDING, recipeIngredient: [] }], 'recipeIngredient'],
    [{ ...PUDDING, recipeIngredient: [{ text: '1 egg' }] }, 'recipeIngredient[0]'],
    [{ ...PUDDING, recipeIngredient: ['x'.repeat(MAX_LINE_LENGTH + 1)] }, 'recipeIngredient[0]'],
    [{ ...PUDDING, recipeIngredient: `1 egg\n${'x'.repeat(MAX_LINE_LENGTH + 1)}` }, 'recipeIngredient[1]'],
    [{ ...PUDDING, recipeIngredient: '1 egg\n2 eggs \ud800' }, 'recipeIngredient[1]'],
    [{ ...PUDDING, recipeIngredient: Array(MAX_INGREDIENTS + 1).fill('1 egg') }, 'recipeIngredient'],
    [{ ...PUDDING, recipeIngredient: '1 egg\n'.repeat(MAX_INGREDIENTS + 1) }, 'ingredients'],
    [{ ...PUDDING, yieldGrams: 'much' }, 'yieldGrams'],
  ])('is rejected if it is malformed: %#', async (body, field) => {
    expect(await errorOf(body)).toMatchObject({
      status: 400,
      code: 'invalid_request',
      details: { fields: [field] },
    });
  });

  it('has the same size limit as other recipes', async () => {
    const body = { ...PUDDING, recipeInstructions: 'x'.repeat(BODY_LIMITS.recipe) };
    expect((await errorOf(body)).status).toBe(413);
    expect((await errorOf([body])).status).toBe(413);
  });

  it('does not change the errors of other recipes', async () => {
    expect((await errorOf({ name: 'x', servings: 1 })).details).toEqual({ fields: ['ingredients'] });
  });
});
