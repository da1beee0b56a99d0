import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { SCOPES } from '../../src/access/api-key.ts';
import { filledPath } from '../../src/api/filled-path.ts';
import { raw, sql } from '../../src/db/sql.ts';
import { ALL_OPERATIONS } from '../../src/http/all-operations.ts';
import { isRepeatable } from '../../src/http/server/idempotency.ts';
import { openAuthenticator } from '../support/authenticator.ts';
import { type OpenHousehold, openHousehold } from '../support/household.ts';
import { BANANA_RESULT, settleScan } from '../support/settle-scan.ts';

/** Why a POST takes no Idempotency-Key. */
const EXEMPT: Readonly<Record<string, string>> = {
  createToken: 'a token is valid beside others',
  createSession: 'nobody is signed in yet',
  createPerson: 'nobody is signed in yet; the link is used up by the first request',
  resetPassword: 'nobody is signed in yet; the link is used up by the first request',
  joinByOpenId: 'nobody is signed in yet',
  confirmByOpenId: 'it changes nothing: it leads to the provider',
  confirmSession: 'it is a sign-in; a password is part of no fingerprint',
  challengePasskey: 'it changes nothing',
  preparePasskey: 'it changes nothing',
  signInByPasskey: 'it is a sign-in; an answer counts once',
  confirmByPasskey: 'it is a sign-in; an answer counts once',
  linkOpenId: 'it changes nothing: it leads to the provider',
  createChangesTicket: 'it changes nothing',
  parseText: 'it changes nothing',
  importFoods: 'a file writes nothing twice',
  importUser: 'a file writes nothing twice',
  receiveStorageEvent: 'it is told by the object store, and changes nothing twice',
};
/** Requests by people on the page. */
const BY_SESSION = [
  ...['createInvitation', 'createOwnKey', 'createPasswordLink'],
  ...['addPasskey', 'createRecoveryCodes'],
];
/** Requests that another session of an import would refuse. */
const BODIES: Record<string, object> = {
  createEntry: { date: '2030-01-01', mealType: 'lunch', foodName: 'Soup', calories: 100 },
  createWebhook: { url: 'https://app.example.com/hooks', events: ['diary.changed'] },
  startImport: { source: 'off', file: { name: 'foods.jsonl', bytes: 10 } },
  createKey: { scopes: ['foods:read'] },
  createOwnKey: { scopes: ['diary:read'] },
  createMeal: { name: 'Breakfast', items: [{ foodName: 'Oats', calories: 150 }] },
  createFavourite: { name: 'Spread', foodId: 'off:3017620422003' },
  copyDay: { from: '2030-01-01', to: '2030-01-02' },
  serveMcp: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
};
const isCluster = inject('cluster') !== undefined;
const OPERATOR_ONLY = /^\/v1\/operator/;

let household: OpenHousehold;
let key: string;
let operatorKey: string;
const ids: Record<string, string> = { userId: 'ann' };
beforeAll(async () => {
  household = await openHousehold();
  const { fixture } = household;
  key = await fixture.createKey(SCOPES.filter((scope) => scope !== 'operator'));
  operatorKey = await fixture.createKey(['operator']);
  ids['webhookId'] = (await post('createWebhook', '/v1/webhooks', 'w')).json().id;
  ids['keyId'] = (await post('createKey', '/v1/keys', 'k')).json().id;
  ids['deliveryId'] = (await post('testWebhook', `/v1/webhooks/${ids['webhookId']}/test`, 'd')).json().id;
  ids['personId'] = (await household.invite('Bob')).id;
  await post('createEntry', '/v1/users/ann/diary', 'e');
  const options = (await household.ann.ask('POST', '/v1/people/me/passkeys/options')).json();
  const authenticator = openAuthenticator({ origin: household.origin, rpId: '127.0.0.1' });
  BODIES['addPasskey'] = { name: 'Phone', answer: authenticator.create(options) };
  const photo = { clientId: 'test', contentType: 'image/png' };
  const { jobId, uploadUrl } = (await post('createScan', '/v1/scan/image', 's', undefined, photo)).json();
  const headers = { 'content-type': 'image/png' };
  expect((await fetch(uploadUrl, { method: 'PUT', headers, body: 'png' })).ok).toBe(true);
  for (const job of await household.fixture.scanStore.findByIds([jobId]))
    await household.fixture.uploadEvents.look(job);
  await settleScan(household.fixture.database, jobId, { result: BANANA_RESULT });
  BODIES['createDiaryEntriesFromScan'] = { date: '2030-01-01', mealType: 'lunch', scanJobId: jobId };
  ids['mealId'] = (await post('createMeal', '/v1/users/ann/meals', 'm')).json().id;
});
afterAll(() => household[Symbol.asyncDispose]());

const POSTS = ALL_OPERATIONS.filter(({ method }) => method === 'POST');

function post(
  id: string,
  url: string,
  idempotencyKey: string,
  credential = credentialFor(url),
  given?: object,
) {
  const declared = POSTS.find((operation) => operation.id === id)?.body;
  const example =
    declared !== undefined && declared !== 'raw' && 'example' in declared ? declared.example : undefined;
  const body = (given ?? BODIES[id] ?? example) as object | undefined;
  const headers = { 'idempotency-key': idempotencyKey };
  if (BY_SESSION.includes(id)) return household.ann.ask('POST', url, body, headers);
  return household.fixture.ask({
    method: 'POST',
    url,
    headers: {
      ...headers,
      ...(url.startsWith('/v1') || url === '/mcp'
        ? { authorization: `Bearer ${credential}` }
        : { 'x-api-key': credential }),
      ...(url === '/mcp' && { accept: 'application/json, text/event-stream' }),
    },
    ...(body && { payload: body }),
  });
}

function credentialFor(url: string): string {
  return OPERATOR_ONLY.test(url) ? operatorKey : key;
}

/** How many rows there are of what the operations write. */
async function written(): Promise<Record<string, number>> {
  const tables = [
    ...['api_keys', 'webhooks', 'webhook_deliveries', 'join_links', 'scans', 'live_foods'],
    ...['diary_entries', 'diary_recipes', 'diary_measurements', 'diary_records', 'catalogue_imports'],
    ...['passkeys', 'recovery_codes'],
  ];
  const counts = await Promise.all(
    tables.map(async (table) => {
      const [row] = await sql<{ count: number }>`select count(*) as count from ${raw(table)}`.all(
        household.fixture.database.db,
      );
      return [table, Number(row!.count)] as const;
    }),
  );
  return Object.fromEntries(counts);
}

describe('every POST with an Idempotency-Key', () => {
  it.each(POSTS.filter(({ id }) => !(id in EXEMPT)).map(({ id, path }) => [id, path]))(
    '%s answers a repetition with the same bytes, and does nothing again',
    async (id, path) => {
      const url = filledPath(path, ids);
      const first = await post(id, url, `twice-${path}`);
      // The server of this test has one catalogue, which no import has made. A cluster takes no files.
      const isRefused = id === 'activateCatalogue' || (id === 'startImport' && isCluster);
      expect([first.body, first.statusCode < 300]).toEqual([first.body, !isRefused]);
      const after = await written();
      const second = await post(id, url, `twice-${path}`);
      expect([second.statusCode, second.body]).toEqual([first.statusCode, first.body]);
      expect(second.headers['location']).toBe(first.headers['location']);
      expect(second.headers['idempotency-replayed']).toBe('true');
      expect(await written()).toEqual(after);
    },
  );

  it('is taken by all but those that have a reason', () => {
    const refused = POSTS.filter((operation) => !isRepeatable(operation));
    expect(new Set(refused.map(({ id }) => id))).toEqual(new Set(Object.keys(EXEMPT)));
  });

  it('is stored unreadably where it holds a secret, and repeated for its credential alone', async () => {
    const first = await post('createWebhook', '/v1/webhooks', 'secret');
    const { secret } = first.json();
    const rows = await sql<{ body: string | null }>`select body from idempotent_requests`.all(
      household.fixture.database.db,
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ body }) => body?.includes(secret))).toEqual([]);
    const other = await household.fixture.createKey(['webhooks', 'diary:read']);
    const refused = await post('createWebhook', '/v1/webhooks', 'secret', other);
    expect([refused.statusCode, refused.json().error.code]).toEqual([409, 'idempotency_conflict']);
    expect(refused.body).not.toContain(secret);
  });
});

it('a repeated rotation of a webhook has one new secret', async () => {
  const url = `/v1/webhooks/${ids['webhookId']}/rotate`;
  const secrets = new Set<string>();
  for (let time = 0; time < 3; time++) secrets.add((await post('rotateWebhook', url, 'once')).json().secret);
  expect(secrets.size).toBe(1);
});
