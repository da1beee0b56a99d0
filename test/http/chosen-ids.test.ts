import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { SCOPES } from '../../src/access/api-key.ts';
import { DeletionSweeper } from '../../src/changes/deletion-sweeper.ts';
import { openTestServer } from '../support/test-server.ts';

const server = await openTestServer({ settings: { LARDER_NEW_ENTRIES_PER_USER: '1000' } });
afterAll(() => server[Symbol.asyncDispose]());
const key = await server.createKey(SCOPES, undefined, 'acme');
const foreign = await server.createKey(SCOPES, undefined, 'other');

const entry = {
  date: '2026-01-31',
  mealType: 'lunch',
  foodName: 'Soup',
  calories: 1,
  protein: 2,
  carbs: 3,
  fat: 4,
};
const recipe = {
  name: 'Stew',
  servings: 2,
  ingredients: [{ foodName: 'Rice', calories: 300, protein: 6, carbs: 60, fat: 1 }],
};
const measurement = { name: 'weight', value: 72.4, unit: 'kg', measuredAt: '2026-01-31T07:00:00+01:00' };
const meal = { name: 'Breakfast', items: [{ foodName: 'Soup', calories: 1 }] };
const favourite = { name: 'Banana', foodId: 'fdc:1' };
const food = {
  name: 'Jam',
  servingSize: { value: 100, unit: 'g' },
  macros: { energy: 100, protein: 1, carbohydrates: 20, fat: 1 },
};

function ask(method: string, url: string, payload?: object, credential = key, headers = {}) {
  return server.ask({
    method,
    url,
    headers: { authorization: `Bearer ${credential}`, ...headers },
    ...(payload && { payload }),
  });
}

async function tokenOf(user: string): Promise<string> {
  const answer = await ask('POST', '/v1/auth/token', {
    client_secret: key,
    user_id: user,
    scope: 'foods:read foods:write diary:read diary:write diary:erase',
  });
  return answer.json().access_token;
}

/** Objects that can be created with a chosen id, with their paths and bodies. */
const CREATED = [
  { what: 'an entry', at: '/v1/users/ann/diary', body: entry, other: { ...entry, foodName: 'Other' } },
  { what: 'a recipe', at: '/v1/users/ann/recipes', body: recipe, other: { ...recipe, name: 'Other' } },
  {
    what: 'a measurement',
    at: '/v1/users/ann/measurements',
    body: measurement,
    other: { ...measurement, value: 80 },
  },
  { what: 'a saved meal', at: '/v1/users/ann/meals', body: meal, other: { ...meal, name: 'Other' } },
  {
    what: 'a favourite',
    at: '/v1/users/ann/favourites',
    body: favourite,
    other: { ...favourite, name: 'Other' },
  },
  { what: 'a shared food', at: '/v1/foods', body: food, other: { ...food, name: 'Other' } },
  {
    what: "a user's food",
    at: '/v1/foods',
    body: { ...food, userId: 'ann' },
    other: { ...food, userId: 'ann', name: 'Other' },
  },
];
let time = Date.UTC(2025, 5, 1);
const newUlid = () => {
  const { id } = { id: (time++).toString(32).toUpperCase().padStart(10, '0') };
  return `${id.replace(/[ILOU]/g, 'Z')}ZZZZZZZZZZZZZZZZ`;
};

it('a batch with UUIDs in upper case finds those that are there, and answers each as it was sent', async () => {
  const [one, two] = [randomUUID(), randomUUID().toUpperCase()];
  const at = '/v1/users/cyd/diary';
  const first = await ask('POST', `${at}/batch`, [{ id: one, ...entry }]);
  expect(first.statusCode).toBe(201);
  const batch = await ask('POST', `${at}/batch`, [
    { id: one.toUpperCase(), ...entry },
    { id: two, ...entry },
  ]);
  expect(batch.json().map(({ id }: { id: string }) => id)).toEqual([one, two]);
  const twice = [one, one.toUpperCase()].map((id) => ({ id, ...entry }));
  expect((await ask('POST', `${at}/batch`, twice)).statusCode).toBe(400);
  const all = await ask('GET', `${at}/export?format=json`);
  expect(
    all
      .json()
      .map(({ id }: { id: string }) => id)
      .toSorted(),
  ).toEqual([one, two].toSorted());
  const lines = (await ask('GET', '/v1/users/cyd/export')).body;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/octet-stream' };
  const imported = await server.ask({ method: 'POST', url: '/v1/users/dan/import', payload: lines, headers });
  expect([imported.statusCode, imported.json().entries]).toMatchObject([200, { added: 2 }]);
  expect((await ask('GET', `/v1/users/dan/diary/${two.toLowerCase()}`)).json().id).toBe(two);
});

describe.each(CREATED)('$what with an id that its client chose', ({ at, body, other }) => {
  it.each([
    ['a ULID', newUlid],
    ['a UUID', randomUUID],
  ])('%s: a repetition returns the existing one and writes nothing', async (_, newId) => {
    const id = newId();
    const created = await ask('POST', at, { id, ...body });
    expect(created.statusCode).toBe(201);
    const value = created.json();
    const address = created.headers.location!;
    expect(value.id).toContain(id);
    const before = (await ask('GET', '/v1/users/ann/changes?limit=500')).json().cursor;
    for (const again of [
      { id, ...body },
      { id, ...other },
    ]) {
      const answer = await ask('POST', at, again);
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toEqual(value);
      expect(answer.headers.location).toBe(address);
    }
    const changed = await ask('PATCH', address, at.includes('diary') ? { foodName: 'New' } : { name: 'New' });
    expect((await ask('POST', at, { id, ...body })).json()).toEqual(changed.json());
    const written = (await ask('GET', `/v1/users/ann/changes?after=${before}`)).json().changes;
    expect(written).toMatchObject([{ id: value.id, value: changed.json() }]);
    expect((await ask('GET', address)).json()).toEqual(changed.json());
  });

  it.each([
    ['upper', 'lower'],
    ['lower', 'upper'],
  ] as const)('a UUID in %s case equals that in %s case', async (sent, other) => {
    const uuid = randomUUID();
    const written = { upper: uuid.toUpperCase(), lower: uuid };
    const before = (await ask('GET', '/v1/users/ann/changes?limit=500')).json().cursor;
    const created = await ask('POST', at, { id: written[sent], ...body });
    expect(created.statusCode).toBe(201);
    const { id } = created.json();
    expect(id).toContain(written[sent]);
    const again = await ask('POST', at, { id: written[other], ...body });
    expect([again.statusCode, again.json().id]).toEqual([200, id]);
    const address = created.headers.location!;
    const elsewhere = address.replace(written[sent], written[other]);
    expect((await ask('GET', elsewhere)).json()).toEqual(created.json());
    const name = at.includes('diary') ? { foodName: 'New' } : { name: 'New' };
    const changed = await ask('PATCH', elsewhere, name, key, { 'if-match': created.headers.etag });
    expect([changed.statusCode, changed.json().id]).toEqual([200, id]);
    const told = async () => (await ask('GET', `/v1/users/ann/changes?after=${before}`)).json().changes;
    expect(await told()).toMatchObject([{ id, op: 'upsert', value: { id } }]);
    expect((await ask('DELETE', elsewhere)).statusCode).toBe(204);
    expect(await told()).toMatchObject([{ id, op: 'delete' }]);
    expect((await ask('POST', at, { id: written[other], ...body })).statusCode).toBe(410);
  });

  it('one of several concurrent requests writes it', async () => {
    const id = randomUUID();
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask('POST', at, { id, ...body })));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([
      200, 200, 200, 200, 200, 200, 200, 201,
    ]);
    // Only the request that wrote it may warn of another food with these values.
    const contents = answers.map((answer) => JSON.stringify({ ...answer.json(), warnings: undefined }));
    expect(new Set(contents).size).toBe(1);
  });

  it('is not created again after it was deleted, however long ago', async () => {
    const id = randomUUID();
    const { headers } = await ask('POST', at, { id, ...body });
    expect((await ask('DELETE', headers.location!)).statusCode).toBe(204);
    for (const days of [0, 91]) {
      const nowMs = () => Date.now() + days * 86_400_000;
      const onError = (cause: unknown) => {
        throw cause;
      };
      const sweeper = new DeletionSweeper({ ...server.database, nowMs, onError });
      if (days > 0) await sweeper.sweep();
      const answer = await ask('POST', at, { id, ...body });
      expect(answer.statusCode).toBe(410);
      expect(answer.json()).toMatchObject({ error: { code: 'deleted', details: { fields: ['id'] } } });
    }
    expect((await ask('GET', headers.location!)).statusCode).toBe(404);
  });

  it('does not reveal to others that it is used', async () => {
    const id = randomUUID();
    const { headers } = await ask('POST', at, { id, ...body });
    for (const deleted of [false, true]) {
      if (deleted) await ask('DELETE', headers.location!);
      const mine = { ...body, ...('userId' in body && { userId: 'bob' }) };
      const elsewhere = at.replace('/ann/', '/bob/');
      const [sameTenant, otherTenant] = [
        await ask('POST', elsewhere, { id, ...mine }, elsewhere === at ? await tokenOf('bob') : key),
        await ask('POST', at, { id, ...body }, foreign),
      ];
      expect([sameTenant.statusCode, otherTenant.statusCode]).toEqual(deleted ? [200, 200] : [201, 201]);
    }
  });

  it.each(['x', '', 'manual', '01JZ8Q6T3V0000XW5M8KQ2NCEU', '00000000-0000-0000-0000-00000000000g'])(
    'rejects the id "%s"',
    async (id) => {
      const answer = await ask('POST', at, { id, ...body });
      expect(answer.statusCode).toBe(400);
      expect(answer.json().error.details.fields).toEqual(['id']);
    },
  );
});

describe('several entries with ids that their client chose', () => {
  it('existing ones are returned, the others are written', async () => {
    const ids = [randomUUID(), newUlid(), randomUUID()];
    const [first] = (await ask('POST', '/v1/users/cat/diary/batch', [{ id: ids[0], ...entry }])).json();
    const batch = ids.map((id, at) => ({ ...entry, id, foodName: `Soup ${at}` }));
    const answer = await ask('POST', '/v1/users/cat/diary/batch', batch);
    expect(answer.statusCode).toBe(201);
    expect(answer.json().map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(answer.json()[0]).toEqual(first);
    const again = await ask('POST', '/v1/users/cat/diary/batch', batch.toReversed());
    expect([again.statusCode, again.json()]).toEqual([200, answer.json().toReversed()]);
  });

  it('with a deleted one none is written, and the error names it', async () => {
    const [gone, id] = [randomUUID(), randomUUID()];
    await ask('POST', '/v1/users/dan/diary', { id: gone, ...entry });
    await ask('DELETE', `/v1/users/dan/diary/${gone}`);
    const answer = await ask('POST', '/v1/users/dan/diary/batch', [
      { id, ...entry },
      { id: gone, ...entry },
    ]);
    expect(answer.statusCode).toBe(410);
    expect(answer.json().error.details).toEqual({ index: 1, fields: ['[1].id'] });
    expect((await ask('GET', `/v1/users/dan/diary/${id}`)).statusCode).toBe(404);
  });

  it.each([
    [
      'the same twice',
      [{ id: '00000000-0000-4000-8000-000000000001' }, { id: '00000000-0000-4000-8000-000000000001' }],
    ],
    ['for some alone', [{ id: '00000000-0000-4000-8000-000000000001' }, {}]],
  ])('rejects ids: %s', async (_, given) => {
    const answer = await ask(
      'POST',
      '/v1/users/eva/diary/batch',
      given.map((each) => ({ ...entry, ...each })),
    );
    expect([answer.statusCode, answer.json().error.details.fields]).toEqual([400, ['id']]);
  });

  it('count as new entries of the day', async () => {
    const batch = (count: number) => Array.from({ length: count }, () => ({ id: randomUUID(), ...entry }));
    const post = (count: number) => ask('POST', '/v1/users/fay/diary/batch', batch(count));
    for (const count of [...Array(9).fill(100), 50]) expect((await post(count)).statusCode).toBe(201);
    const full = await post(51);
    expect([full.statusCode, full.json().error.details]).toEqual([
      403,
      { quota: 'new_entries_per_user', limit: 1000, used: 950 },
    ]);
    expect((await post(50)).statusCode).toBe(201);
  });
});

describe.each(CREATED)('a conflict about $what', ({ at, body }) => {
  it('contains the current state', async () => {
    const created = await ask('POST', at, body);
    const address = created.headers.location!;
    const change = at.includes('diary') ? { foodName: 'New' } : { name: 'New' };
    const now = (await ask('PATCH', address, change, key, { 'if-match': created.headers.etag })).json();
    expect(now.version).toBeGreaterThan(created.json().version);
    for (const method of ['PATCH', 'DELETE']) {
      const refused = await ask(method, address, method === 'PATCH' ? change : undefined, key, {
        'if-match': `"${created.json().version}"`,
      });
      expect(refused.statusCode).toBe(412);
      expect(refused.json().error).toMatchObject({ code: 'version_conflict', details: { current: now } });
    }
    const headers = { 'if-match': `"${now.version}"` };
    expect((await ask('DELETE', address, undefined, key, headers)).statusCode).toBe(204);
  });
});

it('lists contain the version of each entry, recipe and food', async () => {
  const token = await tokenOf('gil');
  const made = [];
  for (const [at, body] of [
    ['/v1/users/gil/diary', entry],
    ['/v1/users/gil/recipes', recipe],
    ['/v1/users/gil/measurements', measurement],
    ['/v1/foods', food],
  ] as const) {
    const created = await ask('POST', at, body, token);
    made.push([created.json().id, Number(created.headers.etag!.slice(1, -1))]);
  }
  const lists = [
    '/v1/users/gil/diary?date=2026-01-31',
    ...['recipes', 'measurements'].map((name) => `/v1/users/gil/${name}`),
    '/v1/foods?limit=100',
  ];
  const listed = await Promise.all(
    lists.map(async (url) => (await ask('GET', url, undefined, token)).json()),
  );
  const versions = listed.flat().map(({ id, version }) => [id, version]);
  expect(versions).toEqual(expect.arrayContaining(made));
});
