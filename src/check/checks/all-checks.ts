import { z } from 'zod';
import type { Check } from '../check.ts';
import { amount, diaryEntry, oauthError, token, totals, unversionedFood, v1Food } from '../shapes.ts';
import { barcodeChecks } from './barcode.ts';
import { customFoodChecks } from './custom-food.ts';
import { diaryChecks, eraseLater } from './diary.ts';
import { scanChecks } from './scan.ts';
import { findWord, NONSENSE, searchChecks } from './search.ts';

const DESCRIBED = {
  '/openapi.json': [
    '/v1/foods/search',
    '/v1/foods/barcode/{upc}',
    '/v1/scan/image',
    '/v1/users/{userId}/diary',
  ],
  '/openapi-unversioned.json': ['/foods/search', '/foods/barcode/{upc}', '/scan/image'],
};

const openApi = z.object({
  openapi: z.string().regex(/^3\./),
  paths: z.record(z.string(), z.unknown()),
});

/** Public keys only: `d` would be the private half (RFC 8037, section 2). */
const keySet = z.object({
  keys: z.array(z.looseObject({ kid: z.string(), kty: z.string(), d: z.never().optional() })),
});

const documentChecks: readonly Check[] = [
  {
    name: 'documents',
    async run(session) {
      for (const [address, described] of Object.entries(DESCRIBED)) {
        const answer = (await session.ask('GET', address, { as: 'nobody' })).expect(200);
        const { paths } = answer.read(openApi);
        const missing = described.filter((path) => !(path in paths));
        if (missing.length > 0) answer.fail(`describes no ${missing.join(', ')}`);
      }
      const page = (await session.ask('GET', '/docs', { as: 'nobody' })).expect(200);
      page.expectHeader('content-type', /^text\/html/);
      (await session.ask('GET', '/.well-known/jwks.json', { as: 'nobody' })).expect(200).read(keySet);
    },
  },
];

const readiness = z.object({
  status: z.literal('ready'),
  catalogue: z.object({ name: z.string(), foods: z.int() }),
  catalogueProblem: z.string().optional(),
  database: z.enum(['reachable', 'unreachable']).optional(),
  storage: z.enum(['available', 'full']).optional(),
  limitsCountedBy: z.enum(['cluster', 'node']).optional(),
});

const healthChecks: readonly Check[] = [
  {
    name: 'health',
    async run(session) {
      const answer = await session.ask('GET', '/healthz', { as: 'nobody' });
      answer.expect(200).read(z.object({ status: z.literal('ok') }));
    },
  },
  {
    name: 'readiness',
    async run(session) {
      const answer = await session.ask('GET', '/readyz', { as: 'nobody' });
      const { catalogue, catalogueProblem, database, storage, limitsCountedBy } = answer
        .expect(200)
        .read(readiness);
      if (catalogue.foods < 1) answer.fail('says that the catalogue has no foods; import some');
      if (catalogueProblem !== undefined)
        answer.fail(`says that a newer catalogue is refused: ${catalogueProblem}`);
      if (database === 'unreachable') answer.fail('says that the database cannot be reached');
      if (storage === 'full') answer.fail('says that its disk is almost full, so that it takes no images');
      if (limitsCountedBy === 'node')
        answer.fail('says that Redis is away, so each node counts requests for itself');
    },
  },
];

/** A valid but unknown key. */
const WRONG_KEY = `lrd_${'0'.repeat(61)}`;

const refusalChecks: readonly Check[] = [
  {
    name: 'unknown addresses and methods',
    async run(session) {
      for (const path of [`/nowhere-${session.mark}`, `/v1/nowhere-${session.mark}`]) {
        (await session.ask('GET', path, { as: 'nobody' })).expectError(404, 'not_found');
      }
      const wrongMethod = await session.ask('DELETE', '/v1/foods/search', { as: 'nobody' });
      wrongMethod.expectError(405, 'method_not_allowed').expectHeader('allow', /\bGET\b/);
      const named = { as: 'nobody', headers: { 'x-request-id': session.mark } } as const;
      (await session.ask('GET', '/healthz', named)).expectHeader(
        'x-request-id',
        new RegExp(`^${session.mark}$`),
      );
    },
  },
  {
    name: 'no entry without a good key',
    async run(session) {
      const doors = [
        ['GET', '/v1/foods/search?q=milk'],
        ['GET', '/foods/search?q=milk'],
        ['GET', `${session.user}/diary?date=2020-01-01`],
        ['GET', '/metrics'],
      ] as const;
      for (const [method, path] of doors) {
        const answer = await session.ask(method, path, { as: 'nobody' });
        answer.expectError(401, 'invalid_api_key').expectHeader('www-authenticate', /./);
      }
      const search = (headers: Record<string, string>, prefix: string) =>
        session.ask('GET', `${prefix}/foods/search?q=milk`, { as: 'nobody', headers });
      const wrong = [
        await search({ authorization: `Bearer ${WRONG_KEY}` }, '/v1'),
        await search({ 'x-api-key': WRONG_KEY }, ''),
      ];
      for (const answer of wrong) answer.expectError(401, 'invalid_api_key');
      (await search({ authorization: 'Bearer a.b.c' }, '/v1')).expectError(401, 'invalid_token');
    },
  },
];

const DATE = '2020-02-29';

const tokenChecks: readonly Check[] = [
  {
    name: 'a token reaches its own user alone',
    scopes: ['diary:read'],
    async run(session) {
      const issue = (client_secret: string) =>
        session.ask('POST', '/v1/auth/token', {
          as: 'nobody',
          body: { client_secret, user_id: session.userId, scope: 'diary:read' },
        });
      const issued = (await issue(session.key)).expect(200);
      const { access_token: bearer, scope } = issued.read(token);
      issued.expectSame('scope', scope, 'diary:read');
      const unknown = (await issue(WRONG_KEY)).expect(401);
      unknown.expectSame('error', unknown.read(oauthError).error, 'invalid_client');

      const as = { bearer };
      const own = (await session.ask('GET', `${session.user}/diary?date=${DATE}`, { as })).expect(200);
      own.read(z.array(diaryEntry));
      const other = await session.ask('GET', `${session.user}-other/diary?date=${DATE}`, { as });
      other.expectError(403, 'forbidden');
      const write = await session.ask('DELETE', session.user, { as });
      write.expectError(403, 'forbidden');
      (await session.ask('GET', '/metrics', { as })).expectError(403, 'forbidden');
      const elsewhere = await session.ask('GET', '/foods/search?q=milk', {
        as: 'nobody',
        headers: { 'x-api-key': bearer },
      });
      elsewhere.expect(401);

      // One changed letter in the signature.
      const forged = bearer.slice(0, -2) + (bearer.at(-2) === 'A' ? 'B' : 'A') + bearer.at(-1);
      const refused = await session.ask('GET', `${session.user}/diary?date=${DATE}`, {
        as: { bearer: forged },
      });
      refused.expectError(401, 'invalid_token');
    },
  },
];

const GRAMS = 200;
const TOO_LONG = 'a'.repeat(2_001);

const VARIANTS = [
  { as: 'v1', prefix: '/v1', food: v1Food },
  { as: 'unversioned', prefix: '', food: unversionedFood },
] as const;

const textChecks: readonly Check[] = VARIANTS.map(({ as, prefix, food }) => {
  const item = z.object({
    text: z.string(),
    start: z.int().min(0),
    end: z.int().min(0),
    quantity: amount.optional(),
    unit: z.string().optional(),
    grams: amount.optional(),
    food: (food as z.ZodType<{ id: string }>).optional(),
    alternatives: z.array(food as z.ZodType<{ id: string }>).max(4),
    confidence: z.number().min(0).max(1),
    unresolved: z.enum(['food', 'amount']).optional(),
  });
  const shape = z.object({ items: z.array(item), totals, unresolvedCount: z.int().min(0) });
  return {
    name: `text is read (${as})`,
    scopes: ['foods:read'],
    async run(session) {
      const parse = (text: unknown) => session.ask('POST', `${prefix}/foods/parse`, { as, body: { text } });
      const text = `${GRAMS} g ${await findWord(session)}`;
      const answer = (await parse(text)).expect(200);
      const { items, unresolvedCount } = answer.read(shape);
      answer.expectSame('number of items', items.length, 1);
      const [first] = items;
      answer.expectSame('words', text.slice(first!.start, first!.end), first!.text);
      answer.expectSame('amount', [first!.quantity, first!.unit], [GRAMS, 'g']);
      answer.expectSame('unresolved', unresolvedCount, first!.unresolved === undefined ? 0 : 1);
      if (first!.unresolved === undefined) answer.expectSame('grams', first!.grams, GRAMS);

      const unknown = (await parse([`${GRAMS} g ${NONSENSE}`])).expect(200);
      const nothing = unknown.read(shape);
      unknown.expectSame('unresolved', [nothing.unresolvedCount, nothing.items[0]?.unresolved], [1, 'food']);
      unknown.expectSame('calories', nothing.totals.calories, 0);
      (await parse(TOO_LONG)).expectError(400, 'invalid_request');
    },
  };
});

const energy = z.object({ calories: amount });
const recipe = z.object({
  id: z.string().min(1),
  name: z.string(),
  servings: z.number().positive(),
  total: energy,
  perServing: energy,
});

const recipeChecks: readonly Check[] = [
  {
    name: 'a recipe is written, eaten and deleted',
    scopes: ['diary:read', 'diary:write'],
    async run(session) {
      eraseLater(session);
      const recipes = `${session.user}/recipes`;
      const ingredients = [
        { foodName: 'Toast', calories: 100.1, protein: 3, carbs: 20, fat: 1 },
        { foodName: 'Butter', calories: 37.2, protein: 0, carbs: 0, fat: 4 },
      ];
      const created = await session.ask('POST', recipes, {
        body: { name: 'Toast', servings: 2, ingredients },
      });
      const { id, total, perServing } = created.expect(201).read(recipe);
      created.expectSame('calories', [total.calories, perServing.calories], [137.3, 68.65]);
      const version = created.expectHeader('etag', /^"[^"]+"$/);
      const path = `${recipes}/${id}`;

      const list = (await session.ask('GET', recipes)).expect(200);
      list.expectSame(
        'ids',
        list.read(z.array(recipe)).map((each) => each.id),
        [id],
      );
      const change = (servings: number) =>
        session.ask('PATCH', path, { body: { servings }, headers: { 'if-match': version } });
      const changed = (await change(1)).expect(200);
      changed.expectSame('calories', changed.read(recipe).perServing.calories, 137.3);
      (await change(4)).expectError(412, 'version_conflict');

      const eaten = await session.ask('POST', `${session.user}/diary`, {
        body: { date: '2021-03-01', mealType: 'lunch', recipeId: id, quantity: 2, unit: 'serving' },
      });
      const entry = eaten.expect(201).read(diaryEntry);
      eaten.expectSame('entry', [entry.addedMethod, entry.calories], ['recipe', 274.6]);

      (await session.ask('DELETE', path)).expect(204);
      (await session.ask('GET', path)).expectError(404, 'recipe_not_found');
    },
  },
];

/** Checks in an order in which earlier failures explain later ones. */
export const ALL_CHECKS: readonly Check[] = [
  ...healthChecks,
  ...documentChecks,
  ...refusalChecks,
  ...searchChecks,
  ...textChecks,
  ...barcodeChecks,
  ...customFoodChecks,
  ...diaryChecks,
  ...recipeChecks,
  ...tokenChecks,
  ...scanChecks,
];
