import { AppError } from '@larder/core/errors.ts';
import { describe, expect, test } from 'vitest';
import { ALL_OPERATIONS } from '../http/all-operations.ts';
import { likelyName } from './likely-name.ts';
import { createValidation } from './validation.ts';

/** Words of the validator that clients do not understand. */
const JARGON =
  /expected|received|nonoptional|invalid input|undefined|\bNaN\b|ZodError|regex|pattern|discriminator|too_/i;

const WRONG_BODIES: readonly unknown[] = [
  {},
  [],
  [{}],
  null,
  'text',
  7,
  { name: 7 },
  { name: '', macros: {} },
  { name: 'x'.repeat(5000), macros: { energy: 'much' } },
  { macros: { energy: -1, protein: 1, fat: 1, carbohydrates: 1 } },
  { date: 7, mealType: 'tea', quantity: 0 },
  { date: 'yesterday', foodId: 7, quantity: 1e99 },
  { ingredients: 7, servings: -1 },
  { scopes: 'all', expiresInSeconds: 'soon' },
];

function messageOf(run: () => unknown): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

const MACROS = { energy: 1, protein: 0, fat: 0, carbohydrates: 0 };

describe('messages use the words of the API', () => {
  const withBodies = ALL_OPERATIONS.filter(({ body }) => body !== undefined && body !== 'raw');
  test.each(withBodies.map((operation) => [operation.id, operation] as const))('%s', (_, operation) => {
    const validate = createValidation({ body: operation.body! });
    for (const body of WRONG_BODIES) {
      const message = messageOf(() => validate({ params: {}, query: {}, headers: {}, body }));
      if (message === undefined) continue;
      expect(message).not.toMatch(JARGON);
      expect(message).toMatch(/\.$/);
    }
  });

  test('accepted types are named if a value may have several', () => {
    const { body } = withBodies.find(({ path }) => path === '/v1/foods/parse')!;
    const validate = createValidation({ body: body! });
    expect(messageOf(() => validate({ params: {}, query: {}, headers: {}, body: { text: 5 } }))).toContain(
      '"text" has to be a text or a list.',
    );
  });

  test.each([
    ['PUT', '/v1/users/:userId/goals', { calorie: 2000 }, '"calorie" (did you mean "calories"?).'],
    ['POST', '/v1/foods/parse', { text: 'x', language: 'de' }, '"language" (did you mean "lang"?).'],
    [
      'POST',
      '/v1/keys',
      { scopes: ['scan'], limits: { serch: 1 } },
      '"limits.serch" (did you mean "search"?).',
    ],
    ['POST', '/v1/foods/parse', { text: 'x', zzz: 1 }, '"zzz".'],
    ['POST', '/v1/foods', { macros: { carbs: 1 } }, '"macros.carbs" (did you mean "carbohydrates"?).'],
  ])('%s %s suggests the field that an unknown one probably means', (method, path, body, end) => {
    const operation = withBodies.find((each) => each.path === path && each.method === method)!;
    const validate = createValidation({ body: operation.body! });
    const message = messageOf(() => validate({ params: {}, query: {}, headers: {}, body }));
    expect(message).toBe(`The body does not fit: there is no field ${end}`);
  });

  test('a list that must not be empty is named if it is the body', () => {
    const create = withBodies.find(({ path }) => path === '/v1/users/:userId/diary/batch')!;
    const validate = createValidation({ body: create.body! });
    expect(messageOf(() => validate({ params: {}, query: {}, headers: {}, body: [] }))).toBe(
      'The body does not fit: it must not be empty.',
    );
  });

  test('an empty change is rejected with a complete sentence', () => {
    const change = withBodies.find(({ path, method }) => path === '/v1/foods/:id' && method === 'PATCH')!;
    const validate = createValidation({ body: change.body! });
    expect(messageOf(() => validate({ params: {}, query: {}, headers: {}, body: {} }))).toBe(
      'The body does not fit: it says nothing to change.',
    );
  });

  test.each([
    ['/v1/foods/parse', { text: 'x', userId: 'é' }],
    ['/v1/foods', { name: 'x', servingSize: { value: 1, unit: 'g' }, macros: MACROS, userId: 'a b' }],
  ])('%s: an invalid user id is rejected with the rule for user ids', (path, body) => {
    const operation = withBodies.find((each) => each.path === path && each.method === 'POST')!;
    const validate = createValidation({ body: operation.body! });
    const message = messageOf(() => validate({ params: {}, query: {}, headers: {}, body }));
    expect(message).toBe(
      'The body does not fit: "userId" must have 1 to 128 printable ASCII characters and no space.',
    );
  });

  test('a missing field is named', () => {
    const create = withBodies.find(({ path, method }) => path === '/v1/foods' && method === 'POST')!;
    const validate = createValidation({ body: create.body! });
    const servingSize = { value: 100, unit: 'g' };
    const body = { name: 'Soup', servingSize, macros: { protein: 1, fat: 1, carbohydrates: 1 } };
    expect(messageOf(() => validate({ params: {}, query: {}, headers: {}, body }))).toContain(
      '"macros.energy" is missing',
    );
  });
});

/** Its links may have parameters of other systems. */
const FRONT_PAGE = 'getFrontPage';

test.each(
  ALL_OPERATIONS.filter(({ tag, id }) => tag !== undefined && id !== FRONT_PAGE).map(
    ({ id, ...rest }) => [id, rest] as const,
  ),
)('%s rejects an unknown parameter', (_, { query, errors, tag }) => {
  const validate = createValidation({
    ...(query && { query }),
    ...(errors && { errors }),
    ...(tag && { tag }),
  });
  const raw = { params: {}, query: { minProtein: '20', code: '96385074' }, headers: {}, body: undefined };
  expect(messageOf(() => validate(raw))).toMatch(
    /^There is no parameter "minProtein"\. (Known here: \w|This address takes none)/,
  );
});

describe('a misspelt parameter', () => {
  test.each([
    ['search', ['q', 'limit'], 'q'],
    ['query', ['q', 'limit'], 'q'],
    ['limt', ['q', 'limit'], 'limit'],
    ['Limit', ['q', 'limit'], 'limit'],
    ['cursor', ['limit', 'after'], 'after'],
    ['offset', ['limit', 'after'], 'after'],
    ['skip', ['limit', 'after'], 'after'],
    ['start', ['date', 'from', 'to', 'limit', 'after'], 'from'],
    ['cursor', ['limit', 'offset'], 'offset'],
    ['after', ['q', 'limit', 'offset'], 'offset'],
    ['user_id', ['userId'], 'userId'],
    ['date', ['format', 'from', 'to'], 'from'],
    ['day', ['date', 'from', 'to'], 'date'],
    ['mealtype', ['date', 'mealType'], 'mealType'],
    ['utm_source', ['q', 'limit'], undefined],
    ['x', ['q', 'limit'], undefined],
    ['lang', ['q', 'limit'], undefined],
  ])('%s among %j', (name, known, likely) => {
    expect(likelyName(name, known)).toBe(likely);
  });
});
