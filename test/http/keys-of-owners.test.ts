import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Scope } from '../../src/access/api-key.ts';
import { KeyStore } from '../../src/access/key-store.ts';
import { createKeyIssuer } from '../../src/app/keys.ts';
import { type Member, type OpenHousehold, openHousehold } from '../support/household.ts';
import { openMcpSession } from '../support/mcp-client.ts';

const ENTRY = { date: '2030-01-01', mealType: 'lunch', foodName: 'Soup', calories: 100 };
const SCOPES: readonly Scope[] = [
  'foods:read',
  'foods:write',
  'scan',
  'diary:read',
  'diary:write',
  'diary:erase',
  'webhooks',
  'admin',
];
let nowMs = Date.now();
let household: OpenHousehold;
let ann: Member;
let bob: Member;
/** Keys that the owner Ann made, one with the other, and one of the command line. */
let keys: { readonly made: string; readonly child: string; readonly cli: string };
/** Of Bob. */
let food: string;
let scan: string;

beforeAll(async () => {
  household = await openHousehold({ nowMs: () => nowMs });
  ({ ann } = household);
  bob = await household.invite('Bob');
  const made = (await ann.ask('POST', '/v1/keys', { tenant: 'default', scopes: SCOPES })).json().key;
  const child = (await asKey(made)('POST', '/v1/keys', { scopes: SCOPES })).json().key;
  const issuer = createKeyIssuer(new KeyStore(household.fixture.database), () => nowMs);
  const cli = await issuer.create({ tenant: 'default', scopes: SCOPES });
  keys = { made, child, cli: cli.text };
  food = (await bob.ask('POST', '/v1/foods', { ...FOOD, shared: false })).json().id;
  scan = (await bob.ask('POST', '/v1/scan/image', { clientId: 'x', contentType: 'image/jpeg' })).json().jobId;
  expect([food, scan]).toEqual([expect.any(String), expect.any(String)]);
});
afterAll(() => household[Symbol.asyncDispose]());

const FOOD = { name: 'Bobs secret', servingSize: { value: 20, unit: 'g' }, macros: { energy: 1 } };

function asKey(key: string) {
  return (method: string, url: string, payload?: object, headers: Record<string, string> = {}) =>
    household.fixture.ask({
      method: method as 'GET',
      url,
      headers: { authorization: `Bearer ${key}`, ...headers },
      ...(payload && { payload }),
    });
}

async function share(access: 'none' | 'read' | 'write') {
  expect((await bob.ask('PUT', '/v1/people/me/sharing', { default: access, people: {} })).statusCode).toBe(
    200,
  );
  // Keys are looked up twice a second.
  nowMs += 1_000;
}

/** The status of requests that read, write and do what only the person may. */
async function reach(key: string) {
  const ask = asKey(key);
  const at = `/v1/users/${bob.id}`;
  const status = async (...words: Parameters<typeof ask>) => (await ask(...words)).statusCode;
  const listed = (await ask('GET', '/v1/foods?limit=100')).json() as { id: string }[];
  return {
    read: [
      await status('GET', `${at}/diary?date=2030-01-01`),
      await status('GET', `${at}/changes`),
      await status('GET', `/v1/foods?userId=${bob.id}`),
      await status('GET', `/v1/foods/${food}`),
      listed.some(({ id }) => id === food),
    ],
    write: [
      await status('POST', `${at}/diary`, ENTRY),
      await status('PATCH', `/v1/foods/${food}`, { brand: 'x' }),
      await status('POST', '/v1/foods', { ...FOOD, userId: bob.id }),
    ],
    alone: [
      await status('GET', `${at}/export`),
      await status('GET', `/v1/scan/image/${scan}`),
      await status('POST', '/v1/auth/token', { client_secret: key, user_id: bob.id }),
    ],
  };
}

const NO_READING = [403, 403, 403, 404, false];
const READING = [200, 200, 200, 200, true];
const NO_WRITING = [403, 403, 403];
const WRITING = [201, 200, 201];
const NOT_ALONE = [403, 404, 400];

test.each(['made', 'child'] as const)(
  'a key of an owner does for others what they share: %s',
  async (which) => {
    const key = keys[which];
    await share('none');
    const closed = await reach(key);
    expect(closed).toEqual({ read: NO_READING, write: [403, 404, 403], alone: NOT_ALONE });
    await share('read');
    expect(await reach(key)).toEqual({ read: READING, write: NO_WRITING, alone: NOT_ALONE });
    await share('write');
    expect(await reach(key)).toEqual({ read: READING, write: WRITING, alone: NOT_ALONE });
  },
);

test('a key of an owner acts for its maker and for all users of applications', async () => {
  await share('none');
  for (const userId of [ann.id, 'sam']) {
    const ask = asKey(keys.made);
    expect((await ask('POST', `/v1/users/${userId}/diary`, ENTRY)).statusCode).toBe(201);
    expect((await ask('GET', `/v1/users/${userId}/export`)).statusCode).toBe(200);
    const token = await ask('POST', '/v1/auth/token', { client_secret: keys.made, user_id: userId });
    const { access_token: text } = token.json();
    expect((await asKey(text)('GET', `/v1/users/${userId}/diary?date=2030-01-01`)).statusCode).toBe(200);
  }
});

test('a key of the command line, which whoever runs the machine has, acts for everybody', async () => {
  await share('none');
  expect(await reach(keys.cli)).toEqual({ read: READING, write: WRITING, alone: [200, 200, 200] });
});

test('neither assistants nor webhooks of a key of an owner reach a diary that is shared with nobody', async () => {
  await share('none');
  const ask = asKey(keys.made);
  const webhook = { url: 'https://app.example.com/', events: ['diary.changed'], userId: bob.id };
  expect((await ask('POST', '/v1/webhooks', webhook)).statusCode).toBe(403);
  await using assistant = await openMcpSession(`${household.origin}/mcp`, keys.made, '2025-11-25');
  const { isError, text } = await assistant.call('get_day', { userId: bob.id, date: '2030-01-01' });
  expect(isError).toBe(true);
  expect(text).toContain('does not share the diary with you');
});

test('what is shared again with nobody ends a stream of the key within a second', async () => {
  await share('read');
  const ask = asKey(keys.made);
  const waiting = ask('GET', `/v1/users/${bob.id}/changes?wait=30&after=${await endOf(bob.id)}`);
  await share('none');
  await bob.ask('POST', `/v1/users/${bob.id}/diary`, ENTRY);
  expect((await waiting).statusCode).toBe(403);
});

async function endOf(userId: string): Promise<string> {
  for (let after = ''; ; ) {
    const page = (await asKey(keys.made)('GET', `/v1/users/${userId}/changes${after}`)).json();
    if (!page.more) return page.cursor;
    after = `?after=${page.cursor}`;
  }
}
