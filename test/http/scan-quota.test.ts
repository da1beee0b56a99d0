import { afterAll, describe, expect, it } from 'vitest';
import { MAX_OBJECT_BYTES } from '../../src/blobs/object-store.ts';
import { openTestServer } from '../support/test-server.ts';
import { VARIANTS } from './variants.ts';

const fixture = await openTestServer({
  settings: { LARDER_UNFINISHED_SCANS_PER_USER: '2', LARDER_UNFINISHED_SCANS_PER_TENANT: '5' },
});
afterAll(() => fixture[Symbol.asyncDispose]());

const NEW = { clientId: 'phone-1', contentType: 'image/jpeg' };

function create(path: string, headers: Record<string, string>) {
  return fixture.ask({ method: 'POST', url: path, headers, payload: NEW });
}

async function tokenOf(key: string, userId: string): Promise<string> {
  const answer = await fixture.ask({
    method: 'POST',
    url: '/v1/auth/token',
    payload: { grant_type: 'client_credentials', client_secret: key, user_id: userId, scope: 'scan' },
  });
  return answer.json().access_token;
}

it.each(VARIANTS)(
  'images of a tenant are rejected beyond their maximum number, $name',
  async ({ prefix, credential }) => {
    await using strict = await openTestServer({ settings: { LARDER_STORED_IMAGES_PER_TENANT: '3' } });
    const headers = credential(await strict.createKey(['scan']));
    const begin = () => strict.ask({ method: 'POST', url: `${prefix}/scan/image`, headers, payload: NEW });
    const answers = await Promise.all(Array.from({ length: 8 }, begin));
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(3);
    for (const answer of answers.filter(({ statusCode }) => statusCode !== 201)) {
      expect([answer.statusCode, answer.json().error.code, answer.json().error.details]).toEqual([
        403,
        'quota_exceeded',
        { quota: 'stored_images_per_tenant', limit: 3, used: 3 },
      ]);
    }
  },
);

it.each(VARIANTS)(
  'images of a tenant are rejected beyond their maximum bytes, $name',
  async ({ prefix, credential }) => {
    await using strict = await openTestServer({ settings: { LARDER_STORED_IMAGES_MB_PER_TENANT: '23' } });
    const key = await strict.createKey(['scan']);
    const headers = credential(key);
    const begin = (more = {}) =>
      strict.ask({ method: 'POST', url: `${prefix}/scan/image`, headers, payload: { ...NEW, ...more } });
    const answers = await Promise.all(Array.from({ length: 8 }, () => begin()));
    const begun = answers.filter(({ statusCode }) => statusCode === 201);
    expect(begun).toHaveLength(2);
    for (const answer of answers.filter(({ statusCode }) => statusCode !== 201)) {
      expect([answer.statusCode, answer.json().error.code, answer.json().error.details]).toEqual([
        403,
        'quota_exceeded',
        { quota: 'stored_image_bytes_per_tenant', limit: 23_000_000, used: 2 * MAX_OBJECT_BYTES },
      ]);
    }
    const small = await Promise.all(Array.from({ length: 8 }, () => begin({ contentLength: 600_000 })));
    expect(small.map(({ statusCode }) => statusCode).toSorted()).toEqual([
      201, 201, 201, 403, 403, 403, 403, 403,
    ]);

    const gone = { method: 'DELETE', url: `/v1/scan/image/${begun[0]!.json().jobId}` } as const;
    await strict.ask({ ...gone, headers: { authorization: `Bearer ${key}` } });
    const again = await Promise.all(Array.from({ length: 4 }, () => begin()));
    expect(again.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 403, 403, 403]);
  },
);

describe.each(VARIANTS)('unfinished scans of a tenant, $name', ({ name, prefix, credential }) => {
  it('are limited exactly, however many are created concurrently', async () => {
    const tenant = `crowd-${name}`;
    const headers = credential(await fixture.createKey(['scan'], undefined, tenant));
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => create(`${prefix}/scan/image`, headers)),
    );
    const refused = answers.filter(({ statusCode }) => statusCode !== 201);
    expect(refused).toHaveLength(12 - 5);
    for (const answer of refused) {
      expect(answer.statusCode).toBe(403);
      expect(answer.json().error).toMatchObject({
        code: 'quota_exceeded',
        message: expect.stringMatching(/wait/),
        details: { quota: 'unfinished_scans_per_tenant', limit: 5, used: 5 },
      });
    }
    const stranger = credential(await fixture.createKey(['scan'], undefined, `other-${tenant}`));
    expect((await create(`${prefix}/scan/image`, stranger)).statusCode).toBe(201);
  });

  it('count a repeated request once', async () => {
    const key = await fixture.createKey(['scan'], undefined, `repeating-${name}`);
    const headers = { ...credential(key), 'idempotency-key': 'photo-1' };
    const ids = new Set<string>();
    for (let index = 0; index < 7; index++) {
      const answer = await create(`${prefix}/scan/image`, headers);
      expect(answer.statusCode).toBe(201);
      ids.add(answer.json().jobId);
    }
    expect(ids.size).toBe(1);
  });
});

it('a rejection is not stored for its Idempotency-Key', async () => {
  const key = await fixture.createKey(['scan'], undefined, 'patient');
  const headers = { authorization: `Bearer ${key}` };
  const first = await create('/v1/scan/image', headers);
  for (let index = 1; index < 5; index++) await create('/v1/scan/image', headers);
  const named = { ...headers, 'idempotency-key': 'photo-6' };
  expect((await create('/v1/scan/image', named)).statusCode).toBe(403);
  await fixture.ask({ method: 'DELETE', url: first.headers['location'] as string, headers });
  expect((await create('/v1/scan/image', named)).statusCode).toBe(201);
});

it('one user cannot use up the quota of others, and can continue after deleting scans', async () => {
  const key = await fixture.createKey(['scan'], undefined, 'families');
  const ana = { authorization: `Bearer ${await tokenOf(key, 'ana')}` };
  const bo = { authorization: `Bearer ${await tokenOf(key, 'bo')}` };
  const first = await create('/v1/scan/image', ana);
  await create('/v1/scan/image', ana);
  const refused = await create('/v1/scan/image', ana);
  expect(refused.statusCode).toBe(403);
  expect(refused.json().error.details).toEqual({ quota: 'unfinished_scans_per_user', limit: 2, used: 2 });
  expect((await create('/v1/scan/image', bo)).statusCode).toBe(201);
  const location = first.headers['location'] as string;
  expect((await fixture.ask({ method: 'DELETE', url: location, headers: ana })).statusCode).toBe(204);
  expect((await create('/v1/scan/image', ana)).statusCode).toBe(201);
});
