import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OWN_KEY_SCOPES } from '../../src/access/api-key.ts';
import { MAX_OWN_KEYS } from '../../src/people/own-keys.ts';
import { type Member, type OpenHousehold, openHousehold } from '../support/household.ts';
import { openMcpSession } from '../support/mcp-client.ts';

const PATH = '/v1/people/me/keys';
const DATE = '2030-01-01';
const SOUP = { date: DATE, mealType: 'lunch', foodName: 'Soup', calories: 100 };
const JAM = {
  name: 'Quince jam of the house',
  servingSize: { value: 20, unit: 'g' },
  macros: { energy: 48, protein: 0.1, fat: 0, carbohydrates: 12 },
};
const LIST_TOOLS = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
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

interface Issued {
  readonly id: string;
  readonly key: string;
}

async function create(member: Member, more: object = {}): Promise<Issued> {
  const answer = await member.ask('POST', PATH, { scopes: OWN_KEY_SCOPES, ...more });
  if (answer.statusCode !== 201) throw new Error(answer.body);
  return answer.json();
}

/** Asks with a key, as an app does. */
function ask({ key }: Issued, method: string, url: string, payload?: object) {
  const headers = { authorization: `Bearer ${key}` };
  return household.fixture.ask({ method: method as 'GET', url, headers, ...(payload && { payload }) });
}
const statusOf = async (asked: ReturnType<typeof ask>) => (await asked).statusCode;
const dayOf = ({ id }: Member) => `/v1/users/${id}/diary?date=${DATE}`;
const listOf = async (member: Member) => (await member.ask('GET', PATH)).json();
const revoke = async (member: Member, { id }: Issued) =>
  (await member.ask('DELETE', `${PATH}/${id}`)).statusCode;
/** Look-ups are cached for half a second. */
const wait = () => {
  nowMs += 1_000;
};

test('a key is shown once, and listed without its text', async () => {
  const expiresAt = new Date(Math.floor(nowMs / 1000) * 1000 + 60_000).toISOString();
  const answer = await bob.ask('POST', PATH, { scopes: ['diary:read'], name: 'Scale', expiresAt });
  const { key, ...shown } = answer.json();
  expect([answer.statusCode, key]).toEqual([201, expect.stringMatching(/^lrd_/)]);
  expect(shown).toMatchObject({ userId: bob.id, tenant: 'default', name: 'Scale', expiresAt });
  expect(await listOf(bob)).toEqual([shown]);
  expect(await listOf(ann)).toEqual([]);
  expect(await statusOf(ask({ id: shown.id, key }, 'GET', dayOf(bob)))).toBe(200);
  await expect.poll(async () => (await listOf(bob))[0].lastUsedAt).toBeDefined();
  nowMs += 60_000;
  const late = await ask({ id: shown.id, key }, 'GET', dayOf(bob));
  expect([late.statusCode, late.json().error.code]).toEqual([401, 'expired_api_key']);
  expect(household.fixture.log.join('')).not.toContain(key);
});

test('a key reads and writes the own diary, and nobody else’s', async () => {
  const key = await create(bob);
  const made = await ask(key, 'POST', `/v1/users/${bob.id}/diary`, SOUP);
  expect([made.statusCode, made.json().userId]).toEqual([201, bob.id]);
  await ann.ask('PUT', '/v1/people/me/sharing', { default: 'write', people: {} });
  wait();
  expect((await bob.ask('GET', dayOf(ann))).statusCode).toBe(200);
  const refusals = [];
  for (const id of [ann.id, 'nobody']) {
    for (const [method, url] of [
      ['GET', `/v1/users/${id}/diary?date=${DATE}`],
      ['POST', `/v1/users/${id}/diary`],
    ] as const)
      refusals.push(await ask(key, method, url, method === 'POST' ? SOUP : undefined));
  }
  for (const { statusCode, json } of refusals) {
    expect([statusCode, json().error]).toEqual([
      403,
      { ...refusals[0]!.json().error, requestId: expect.anything() },
    ]);
  }
  const copied = { from: DATE, to: '2030-01-02', userId: ann.id };
  expect(await statusOf(ask(key, 'POST', `/v1/users/${bob.id}/diary/copy`, copied))).toBe(403);
  expect(await statusOf(ask(key, 'GET', `/v1/foods/search?q=soup&userId=${ann.id}`))).toBe(403);
});

test('a key does no more than its scopes', async () => {
  const key = await create(bob, { scopes: ['diary:read'] });
  expect(await statusOf(ask(key, 'GET', dayOf(bob)))).toBe(200);
  expect(await statusOf(ask(key, 'POST', `/v1/users/${bob.id}/diary`, SOUP))).toBe(403);
  for (const scopes of [['admin'], ['operator'], ['metrics'], ['webhooks'], ['diary:read', 'operator'], []])
    for (const member of [ann, bob])
      expect((await member.ask('POST', PATH, { scopes })).statusCode).toBe(400);
});

test('a key makes neither tokens nor keys, and sees neither people nor what operators see', async () => {
  const key = await create(ann);
  for (const user of [ann.id, bob.id, 'nobody']) {
    const payload = { client_secret: key.key, user_id: user };
    const answer = await household.post('/v1/auth/token', payload);
    expect([answer.statusCode, answer.json().error]).toEqual([400, 'unauthorized_client']);
  }
  for (const url of [PATH, '/v1/people', '/v1/session', '/v1/sessions', '/v1/invitations'])
    expect(await statusOf(ask(key, 'GET', url))).toBe(404);
  expect(await statusOf(ask(key, 'POST', PATH, { scopes: ['diary:read'] }))).toBe(404);
  for (const url of ['/v1/keys', '/v1/keys', '/v1/operator/status', '/v1/users', '/v1/webhooks'])
    expect(await statusOf(ask(key, 'GET', url))).toBe(403);
  expect(await statusOf(ask(key, 'GET', '/metrics'))).toBe(403);
});

test('a key works on the unversioned paths, with the foods and scans of its person', async () => {
  const key = await create(bob);
  const get = (url: string, { key: text } = key) =>
    household.fixture.ask({ url, headers: { 'x-api-key': text } });
  const kept = (await ask(key, 'POST', '/v1/foods', { ...JAM, name: 'Sloe jam', shared: false })).json();
  const found = async (text: Issued) => (await get('/foods/search?q=sloe%20jam', text)).json();
  expect((await found(key)).map(({ id }: { id: string }) => id)).toEqual([kept.id]);
  expect(await found(await create(ann))).toEqual([]);
  const scan = await household.fixture.ask({
    method: 'POST',
    url: '/scan/image',
    headers: { 'x-api-key': key.key },
    payload: { clientId: 'app', contentType: 'image/jpeg' },
  });
  expect(scan.statusCode).toBe(201);
  const at = `/v1/scan/image/${scan.json().jobId}`;
  expect([(await bob.ask('GET', at)).statusCode, (await ann.ask('GET', at)).statusCode]).toEqual([200, 404]);
});

test('foods that a key enters are shared with the household unless they are kept', async () => {
  const key = await create(bob);
  const shared = await ask(key, 'POST', '/v1/foods', JAM);
  expect([shared.statusCode, shared.json().shared]).toEqual([201, true]);
  const at = `/v1/foods/${shared.json().id}`;
  expect((await ann.ask('PATCH', at, { name: 'Quince jam, less sweet' })).statusCode).toBe(200);
  expect(await statusOf(ask(key, 'DELETE', at))).toBe(204);
  const kept = await ask(key, 'POST', '/v1/foods', { ...JAM, shared: false });
  expect(kept.json()).toMatchObject({ shared: false, userId: bob.id });
  expect(await statusOf(ask(key, 'POST', '/v1/foods', { ...JAM, userId: ann.id }))).toBe(403);
});

test('an assistant with a key keeps the diary of its person, without naming a user', async () => {
  const key = await create(bob);
  const url = `http://127.0.0.1:${household.fixture.port}/mcp`;
  await using session = await openMcpSession(url, key.key, '2026-07-28');
  const { written } = await session.result('log_meal', {
    date: '2030-01-05',
    mealType: 'lunch',
    foods: [{ foodName: 'Lentils', nutrients: { energy: 230 } }],
  });
  expect((await bob.ask('GET', `/v1/users/${bob.id}/diary?date=2030-01-05`)).json()[0].id).toBe(
    written[0].entryId,
  );
  const { tools } = await session.client.listTools();
  for (const { inputSchema } of tools) expect(inputSchema.properties).not.toHaveProperty('userId');
  expect(await statusOf(ask(key, 'POST', `/mcp?userId=${ann.id}`, LIST_TOOLS))).toBe(403);
});

test('a revoked key is refused at once, and only the person revokes it', async () => {
  const key = await create(bob);
  expect(await statusOf(ask(key, 'GET', dayOf(bob)))).toBe(200);
  expect(await revoke(ann, key)).toBe(404);
  expect(await revoke(bob, { id: 'none', key: '' })).toBe(404);
  expect(await revoke(bob, key)).toBe(204);
  wait();
  expect(await statusOf(ask(key, 'GET', dayOf(bob)))).toBe(401);
  const headers = { 'x-api-key': key.key };
  expect((await household.fixture.ask({ url: '/foods/search?q=soup', headers })).statusCode).toBe(401);
});

test('each key is counted by itself', async () => {
  await using limited = await openHousehold({ limited: true });
  const { ann: person, fixture } = limited;
  const [one, other] = [await create(person), await create(person)];
  const left = async ({ key }: Issued) => {
    const headers = { authorization: `Bearer ${key}` };
    return Number((await fixture.ask({ url: dayOf(person), headers })).headers['x-ratelimit-remaining']);
  };
  const first = await left(one);
  expect(first).toBeGreaterThan(1);
  expect(await left(one)).toBe(first - 1);
  expect(await left(other)).toBe(first);
});

describe('operators', () => {
  const operate = (method: string, path: string, payload?: object) =>
    ann.ask(method, `/v1/keys${path}`, payload);

  test('see keys with their person, lower their limits and revoke them, but never get them', async () => {
    const key = await create(bob, { name: 'Watch' });
    const { key: _, ...shown } = (await operate('GET', `/${key.id}`)).json();
    expect(shown).toMatchObject({ userId: bob.id, name: 'Watch' });
    const listed = (await operate('GET', '?limit=100')).json();
    expect(listed).toContainEqual(expect.objectContaining({ id: key.id, userId: bob.id }));
    const changed = await operate('PATCH', `/${key.id}`, { limits: { diaryRead: 1 } });
    expect([changed.statusCode, changed.json().userId]).toEqual([200, bob.id]);
    const rotated = await operate('POST', `/${key.id}/rotate`, {});
    expect([rotated.statusCode, rotated.json().error.code]).toEqual([403, 'forbidden']);
    expect((await operate('DELETE', `/${key.id}`)).statusCode).toBe(204);
    wait();
    expect(await statusOf(ask(key, 'GET', dayOf(bob)))).toBe(401);
    expect((await listOf(bob)).find(({ id }: Issued) => id === key.id).revokedAt).toBeDefined();
  });

  test('and a key of the tenant with admin do not get it by rotating it', async () => {
    const key = await create(bob);
    const admin = await household.fixture.createKey(['admin', ...OWN_KEY_SCOPES], undefined, 'default');
    const rotated = await ask({ id: '', key: admin }, 'POST', `/v1/keys/${key.id}/rotate`, {});
    expect([rotated.statusCode, rotated.json().error.code]).toEqual([403, 'forbidden']);
    expect(await statusOf(ask(key, 'GET', dayOf(bob)))).toBe(200);
  });
});

describe('a person who', () => {
  test('has 20 live keys gets no other until one is revoked', async () => {
    const cem = await household.invite('Cem');
    const keys = [];
    for (let at = 0; at < MAX_OWN_KEYS; at++) keys.push(await create(cem));
    const answer = await cem.ask('POST', PATH, { scopes: ['diary:read'] });
    expect([answer.statusCode, answer.json().error]).toMatchObject([
      403,
      { code: 'quota_exceeded', details: { quota: 'own_keys', limit: 20, used: 20 } },
    ]);
    expect(await revoke(cem, keys[0]!)).toBe(204);
    wait();
    const next = await create(cem);
    expect((await listOf(cem)).map(({ id }: Issued) => id)).toEqual(
      expect.arrayContaining([keys[0]!.id, next.id]),
    );
    await create(bob);
  });

  test('is removed has no keys', async () => {
    const dan = await household.invite('Dan');
    const key = await create(dan);
    expect(await statusOf(ask(key, 'GET', dayOf(dan)))).toBe(200);
    expect((await ann.ask('DELETE', `/v1/people/${dan.id}`)).statusCode).toBe(204);
    wait();
    expect(await statusOf(ask(key, 'GET', dayOf(dan)))).toBe(401);
    expect((await ann.ask('GET', `/v1/keys/${key.id}`)).statusCode).toBe(404);
  });
});
