import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import type { CustomFoodsTable } from '../../src/foods/custom/custom-food-store.ts';
import type { IdempotentRequestsTable } from '../../src/idempotency/idempotency-store.ts';
import {
  DAY,
  type Method,
  newFood,
  openFoodOwners,
  SEEN,
  SPOON,
  UNSEEN,
  type Who,
} from '../support/food-owners.ts';

type Owners = Awaited<ReturnType<typeof openFoodOwners>>;

let owners: Owners;
let ask: Owners['ask'];
let create: Owners['create'];
let find: Owners['find'];
let byBarcode: Owners['byBarcode'];
let waysTo: Owners['waysTo'];
beforeAll(async () => {
  owners = await openFoodOwners();
  ({ ask, create, find, byBarcode, waysTo } = owners);
});
afterAll(() => owners[Symbol.asyncDispose]());

describe('a food that is entered with a user’s token', () => {
  it('belongs to that user: only the user can find it, by id, barcode and search', async () => {
    const food = await create('ann');
    expect(food.body).toMatchObject({ source: 'manual_entry', shared: false, userId: 'ann' });
    expect(await waysTo('ann', food)).toEqual(SEEN);
    expect(await waysTo('bob', food)).toEqual(UNSEEN);
    expect(await waysTo('otherAnn', food)).toEqual(UNSEEN);
    expect(await waysTo('otherKey', food)).toEqual(UNSEEN);
  });

  it('is found with a key by its id, and by barcode and search only if the user is named', async () => {
    const food = await create('ann');
    expect(await waysTo('key', food, 'ann')).toEqual({ ...SEEN, barcode: 404, search: 404, text: 404 });
    expect(await waysTo('key', food, 'bob')).toEqual({ ...UNSEEN, id: 200, batch: 200 });
    expect(await find('key', food, '&userId=ann')).toContain(food.id);
    expect((await byBarcode('key', food, '?userId=ann')).body.id).toBe(food.id);
    expect(await find('key', food, '&userId=bob')).not.toContain(food.id);
    expect((await byBarcode('key', food, '?userId=bob')).status).toBe(404);
    for (const query of ['?userId=ann', '?userId=bob']) {
      expect((await byBarcode('otherKey', food, query)).status).toBe(404);
    }
    for (const path of [`/foods/search?q=jam&userId=ann`, `/foods/barcode/${food.barcode}?userId=ann`]) {
      expect((await ask('bob', 'GET', path)).body.error.code).toBe('forbidden');
    }
    expect((await byBarcode('key', food, '?userId=a&userId=b')).body.error.code).toBe('invalid_query');
    expect((await byBarcode('key', food, '?userId=%20')).body.error.code).toBe('invalid_query');
  });

  it('gives everybody else exactly the response for a missing food', async () => {
    const { id, etag } = await create('ann');
    const none = 'manual:01JZ8Q6T3V0000XW5M8KQ2NCE7';
    const requests: [Method, unknown, Record<string, string>][] = [
      ['GET', undefined, {}],
      ['GET', undefined, { 'if-none-match': etag }],
      ['PATCH', { name: 'Mine' }, {}],
      ['PATCH', { name: 'Mine' }, { 'if-match': etag }],
      ['PATCH', { name: 'Mine' }, { 'if-match': '"1"' }],
      ['PATCH', { userId: 'bob' }, {}],
      ['DELETE', undefined, {}],
      ['DELETE', undefined, { 'if-match': etag }],
      ['DELETE', undefined, { 'if-match': '"1"' }],
    ];
    for (const [method, body, headers] of requests) {
      for (const who of ['bob', 'otherAnn', 'otherKey'] as const) {
        const about = await ask(who, method, `/foods/${id}`, body, headers);
        const missing = await ask(who, method, `/foods/${none}`, body, headers);
        expect([about.status, about.text]).toEqual([404, missing.text]);
      }
    }
    expect(await ask('ann', 'GET', `/foods/${id}`, undefined, { 'if-none-match': etag })).toMatchObject({
      status: 304,
    });
  });

  it('can be changed and deleted by that user and with a key', async () => {
    const food = await create('ann');
    const changed = await ask(
      'ann',
      'PATCH',
      `/foods/${food.id}`,
      { brand: 'Home' },
      { 'if-match': food.etag },
    );
    expect(changed.body).toMatchObject({ brand: 'Home', shared: false, userId: 'ann' });
    const again = await ask('key', 'PATCH', `/foods/${food.id}`, { brand: 'Cellar' });
    expect(again.body).toMatchObject({ brand: 'Cellar', userId: 'ann' });
    const late = await ask('ann', 'DELETE', `/foods/${food.id}`, undefined, { 'if-match': changed.etag });
    expect(late.body.error.code).toBe('version_conflict');
    expect((await ask('ann', 'DELETE', `/foods/${food.id}`)).status).toBe(204);
    expect(await waysTo('ann', food)).toEqual(UNSEEN);
    const other = await create('ann');
    expect((await ask('key', 'DELETE', `/foods/${other.id}`)).status).toBe(204);
    expect(await waysTo('ann', other)).toEqual(UNSEEN);
  });

  it('is preferred to a shared food with the same barcode, for its user only', async () => {
    const shared = await create('key');
    const own = await create('ann', { barcode: shared.barcode });
    expect((await byBarcode('ann', shared)).body.id).toBe(own.id);
    expect((await byBarcode('bob', shared)).body.id).toBe(shared.id);
    expect((await byBarcode('key', shared)).body.id).toBe(shared.id);
    await ask('ann', 'DELETE', `/foods/${own.id}`);
    expect((await byBarcode('ann', shared)).body.id).toBe(shared.id);
  });

  it('never appears in a cached response for somebody else', async () => {
    const food = newFood();
    const look = async (who: Who) => [
      (await find(who, food)).toSorted(),
      (await byBarcode(who, food)).status,
    ];
    const before = await Promise.all((['ann', 'bob', 'otherKey'] as const).map(look));
    const { id } = await create('ann', food);
    for (let round = 0; round < 2; round++) {
      const [ann, ...others] = await Promise.all((['ann', 'bob', 'otherKey'] as const).map(look));
      expect(ann).toEqual([expect.arrayContaining([id]), 200]);
      expect(others).toEqual(before.slice(1));
    }
    await ask('ann', 'DELETE', `/foods/${id}`);
    expect(await look('ann')).toEqual(before[0]);
  });
});

describe('a food that all users share', () => {
  it('is created by a key by default, and is found by the whole tenant', async () => {
    const food = await create('key');
    expect(food.body).toMatchObject({ shared: true });
    expect(food.body).not.toHaveProperty('userId');
    for (const who of ['key', 'ann', 'bob'] as const) expect(await waysTo(who, food)).toEqual(SEEN);
    for (const who of ['otherKey', 'otherAnn'] as const) expect(await waysTo(who, food)).toEqual(UNSEEN);
  });

  it('cannot be changed or deleted with a token', async () => {
    const { id, etag, body } = await create('key');
    for (const headers of [{}, { 'if-match': etag }, { 'if-match': '"1"' }]) {
      for (const [method, change] of [
        ['PATCH', { name: 'Mine' }],
        ['PATCH', { userId: 'ann' }],
        ['DELETE', undefined],
      ] as const) {
        const refused = await ask('ann', method, `/foods/${id}`, change, headers as Record<string, string>);
        expect([refused.status, refused.body.error.code]).toEqual([403, 'forbidden']);
        expect(refused.body.error.message).toMatch(/share/);
      }
    }
    expect((await ask('bob', 'GET', `/foods/${id}`)).body).toEqual(body);
  });
});

describe('the owner of a food', () => {
  it.each([
    ['that it is shared', { shared: true }],
    ['that it is another user’s', { userId: 'bob' }],
  ])('a token cannot state %s', async (_, stated) => {
    const refused = await ask('ann', 'POST', '/foods', newFood(stated));
    expect([refused.status, refused.body.error.code]).toEqual([403, 'forbidden']);
    const { id } = await create('ann');
    const change = await ask('ann', 'PATCH', `/foods/${id}`, stated);
    expect([change.status, change.body.error.code]).toEqual([403, 'forbidden']);
    expect((await ask('ann', 'GET', `/foods/${id}`)).body).toMatchObject({ shared: false, userId: 'ann' });
  });

  it('is set with a key, when the food is created and later', async () => {
    const food = await create('key', { userId: 'ann' });
    expect(food.body).toMatchObject({ shared: false, userId: 'ann' });
    expect(await waysTo('ann', food)).toEqual(SEEN);
    expect(await waysTo('bob', food)).toEqual(UNSEEN);

    const moved = await ask('key', 'PATCH', `/foods/${food.id}`, { userId: 'bob' });
    expect(moved.body).toMatchObject({ shared: false, userId: 'bob' });
    expect(await waysTo('ann', food)).toEqual(UNSEEN);
    expect(await waysTo('bob', food)).toEqual(SEEN);

    const shared = await ask('key', 'PATCH', `/foods/${food.id}`, { shared: true });
    expect(shared.body).toMatchObject({ shared: true });
    expect(shared.body).not.toHaveProperty('userId');
    for (const who of ['key', 'ann', 'bob'] as const) expect(await waysTo(who, food)).toEqual(SEEN);

    await ask('key', 'PATCH', `/foods/${food.id}`, { shared: false, userId: 'ann' });
    expect(await waysTo('ann', food)).toEqual(SEEN);
    expect(await waysTo('bob', food)).toEqual(UNSEEN);
  });

  it('can be sent back unchanged by everybody who can write the food', async () => {
    const own = await create('ann');
    const shared = await create('key');
    const { shared: isShared, userId } = own.body;
    for (const who of ['ann', 'key'] as const) {
      const same = await ask(who, 'PATCH', `/foods/${own.id}`, { shared: isShared, userId });
      expect(same.body).toMatchObject({ shared: false, userId: 'ann' });
    }
    const same = await ask('key', 'PATCH', `/foods/${shared.id}`, { shared: shared.body.shared });
    expect(same.body).toMatchObject({ shared: true });
  });

  it.each([
    [{ shared: true, userId: 'ann' }, ['shared', 'userId']],
    [{ shared: false }, ['userId']],
    [{ userId: '' }, ['userId']],
    [{ userId: 'a b' }, ['userId']],
    [{ userId: null }, ['userId']],
    [{ shared: 'yes' }, ['shared']],
  ])('a key cannot state %j of a shared food', async (stated, fields) => {
    const { id } = await create('key');
    for (const refused of [
      await ask('key', 'POST', '/foods', newFood(stated)),
      await ask('key', 'PATCH', `/foods/${id}`, stated),
    ]) {
      expect([refused.status, refused.body.error]).toMatchObject([
        400,
        { code: 'invalid_request', details: { fields } },
      ]);
    }
  });
});

it('two users can use the same Idempotency-Key, and each request is executed', async () => {
  const food = newFood();
  const name = { 'idempotency-key': 'jam-1' };
  const first = await ask('ann', 'POST', '/foods', food, name);
  const second = await ask('bob', 'POST', '/foods', food, name);
  expect([first.body.userId, second.body.userId]).toEqual(['ann', 'bob']);
  expect([first.replayed, second.replayed]).toEqual([null, null]);
  const again = await ask('ann', 'POST', '/foods', food, name);
  expect([again.replayed, again.text]).toEqual(['true', first.text]);
});

describe('a token requested without scopes', () => {
  it('can read and eat foods, but cannot create, change or delete them', async () => {
    const request = { client_secret: owners.key, user_id: 'cay' };
    const { scope, access_token: token } = await owners.post('/auth/token', request);
    expect(scope.split(' ').toSorted()).toEqual(['diary:read', 'diary:write', 'foods:read', 'scan']);
    const { id } = await create('key');
    const send = (method: Method, path: string) =>
      fetch(`${owners.base}/v1/foods${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(method !== 'GET' && method !== 'DELETE' && { body: JSON.stringify(newFood()) }),
      });
    expect((await send('GET', `/${id}`)).status).toBe(200);
    for (const [method, path] of [
      ['POST', ''],
      ['PATCH', `/${id}`],
      ['DELETE', `/${id}`],
    ] as const) {
      expect((await send(method, path)).status).toBe(403);
    }
  });
});

it("erasing a user erases the user's foods for everybody, and no others", async () => {
  const [mine, shared] = [await create('ann'), await create('key')];
  const [byKey, bobs] = [await create('key', { userId: 'ann' }), await create('bob')];
  const theirs = await create('otherAnn');
  await ask('key', 'POST', '/foods', newFood({ userId: 'ann', name: 'Jam Erasable' }), {
    'idempotency-key': 'of-ann',
  });
  const entry = await ask('ann', 'POST', '/users/ann/diary', { ...DAY, ...SPOON, foodId: mine.id });
  expect(entry.status).toBe(201);
  await ask('key', 'PATCH', `/foods/${mine.id}`, { shared: true });
  const eaten = await ask('bob', 'POST', '/users/bob/diary', { ...DAY, ...SPOON, foodId: mine.id });
  await ask('key', 'PATCH', `/foods/${mine.id}`, { userId: 'ann' });

  expect((await ask('ann', 'DELETE', '/users/ann')).status).toBe(204);
  for (const food of [mine, byKey]) {
    expect(await waysTo('ann', food)).toEqual(UNSEEN);
    expect((await ask('key', 'GET', `/foods/${food.id}`)).status).toBe(404);
    expect(await find('key', food, '&userId=ann')).not.toContain(food.id);
  }
  expect(await waysTo('bob', shared)).toEqual(SEEN);
  expect(await waysTo('bob', bobs)).toEqual(SEEN);
  expect(await waysTo('otherAnn', theirs)).toEqual(SEEN);
  // An entry of another user with the food, from the time when it was shared, remains.
  expect((await ask('bob', 'GET', `/users/bob/diary/${eaten.body.id}`)).body.calories).toBe(48);
  const rows = await sql<CustomFoodsTable>`select * from live_foods`.all(owners.fixture.database.db);
  expect(rows.filter(({ tenant_id, user_id }) => tenant_id === 'acme' && user_id === 'ann')).toEqual([]);
  const kept = await sql<IdempotentRequestsTable>`select body from idempotent_requests`.all(
    owners.fixture.database.db,
  );
  expect(kept.filter(({ body }) => body?.includes('Jam Erasable'))).toEqual([]);
});
