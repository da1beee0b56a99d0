import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { SCOPES } from '../../src/access/api-key.ts';
import { EventReader } from '../support/event-reader.ts';
import { openTestServer } from '../support/test-server.ts';

const server = await openTestServer();
afterAll(() => server[Symbol.asyncDispose]());
const key = await server.createKey(SCOPES, undefined, 'acme');
const foreign = await server.createKey(SCOPES, undefined, 'other');

interface Change {
  readonly kind: string;
  readonly op: string;
  readonly id: string;
  readonly value?: unknown;
}

interface Page {
  readonly changes: readonly Change[];
  readonly cursor: string;
  readonly more: boolean;
}

const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` });

async function send(method: string, url: string, payload?: unknown, credential = key) {
  const answer = await server.ask({
    method,
    url,
    headers: bearer(credential),
    ...(payload !== undefined && { payload: payload as object }),
  });
  expect(answer.statusCode).toBeLessThan(300);
  return method === 'DELETE' ? undefined : answer.json();
}

function changes(userId: string, query = '', credential = key) {
  return server.ask({ url: `/v1/users/${userId}/changes${query}`, headers: bearer(credential) });
}

async function page(userId: string, query = '', credential = key): Promise<Page> {
  const answer = await changes(userId, query, credential);
  expect(answer.statusCode).toBe(200);
  return answer.json() as Page;
}

const entryOf = (foodName: string, date = '2026-01-31') => ({
  ...{ date, mealType: 'lunch', foodName },
  ...{ calories: 1, protein: 2, carbs: 3, fat: 4 },
});
const recipeOf = (name: string) => ({
  name,
  servings: 2,
  ingredients: [{ foodName: 'Rice', calories: 300, protein: 6, carbs: 60, fat: 1 }],
});
const foodOf = (name: string) => ({
  name,
  servingSize: { value: 100, unit: 'g' },
  macros: { energy: 100, protein: 1, carbohydrates: 20, fat: 1 },
});

async function openStream(userId: string, query = '', headers: Record<string, string> = {}) {
  const reader = await EventReader.open(
    `http://127.0.0.1:${server.port}/v1/users/${userId}/changes/stream${query}`,
    { ...bearer(key), ...headers },
  );
  onTestFinished(() => reader.close());
  return reader;
}

describe('GET /v1/users/{userId}/changes/stream', () => {
  it('sends the end of the feed at once, then each new end', async () => {
    const { cursor: begun } = await page('ivy');
    const stream = await openStream('ivy');
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    expect(await stream.next()).toEqual({ id: begun, data: { cursor: begun } });
    const entry = await send('POST', '/v1/users/ivy/diary', entryOf('Soup'));
    const { data } = (await stream.next())!;
    const read = await page('ivy', `?after=${begun}`);
    expect(read.changes).toMatchObject([{ id: entry.id }]);
    expect(read.cursor).toBe(data.cursor);
    await send('DELETE', `/v1/users/ivy/diary/${entry.id}`);
    expect((await stream.next())!.data.cursor).toBe((await page('ivy', `?after=${read.cursor}`)).cursor);
    await send('POST', '/v1/foods', { ...foodOf('Jam of ivy'), userId: 'ivy' });
    expect((await stream.next())!.data.cursor).toBe((await page('ivy', `?after=${begun}`)).cursor);
  });

  it('sends nothing to a reader who has read everything, with any form of the cursor', async () => {
    await send('POST', '/v1/users/jo/diary', entryOf('Soup'));
    const { cursor } = await page('jo');
    const streams = await Promise.all([
      openStream('jo', `?after=${cursor}`),
      openStream('jo', '', { 'last-event-id': cursor }),
    ]);
    const entry = await send('POST', '/v1/users/jo/diary', entryOf('Bread'));
    const end = (await page('jo', `?after=${cursor}`)).cursor;
    expect(end).not.toBe(cursor);
    for (const stream of streams) expect((await stream.next())!.data.cursor).toBe(end);
    expect(entry.id).toBeDefined();
  });

  it('is open at most ten times for a user, and again after one reader has left', async () => {
    const streams = await Promise.all(Array.from({ length: 10 }, () => openStream('kim')));
    const refused = await server.ask({
      url: '/v1/users/kim/changes/stream',
      headers: bearer(key),
    });
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBe('1');
    expect(refused.json()).toMatchObject({
      error: { code: 'rate_limit_exceeded', details: { retryAfter: 1 } },
    });
    const waits = await changes('kim', `?wait=1&after=${(await page('kim')).cursor}`);
    expect(waits.statusCode).toBe(429);
    streams[0]!.close();
    await expect.poll(async () => (await changes('kim', '?limit=1&wait=1')).statusCode).toBe(200);
  });
});

describe('GET /v1/users/{userId}/changes', () => {
  it('begins with all existing objects, in the form of their own operations, and continues', async () => {
    const entry = await send('POST', '/v1/users/ann/diary', entryOf('Soup'));
    const recipe = await send('POST', '/v1/users/ann/recipes', recipeOf('Stew'));
    const shared = await send('POST', '/v1/foods', foodOf('Shared jam'));
    const own = await send('POST', '/v1/foods', { ...foodOf('Jam of ann'), userId: 'ann' });
    await send('POST', '/v1/foods', { ...foodOf('Jam of bob'), userId: 'bob' });
    const { version: _, ...earlier } = await send('PUT', '/v1/users/ann/goals', {
      from: '2026-01-01',
      calories: 2000,
    });
    const { version, ...goals } = await send('PUT', '/v1/users/ann/goals', {
      from: '2026-02-01',
      calories: 1900,
      protein: 90,
      weekdays: { sunday: { calories: 2100 } },
    });
    const first = await page('ann');
    expect(first.more).toBe(false);
    const [one, two] = [shared, own];
    expect(first.changes).toEqual([
      { kind: 'food', op: 'upsert', id: one.id, value: await send('GET', `/v1/foods/${one.id}`) },
      { kind: 'food', op: 'upsert', id: two.id, value: await send('GET', `/v1/foods/${two.id}`) },
      { kind: 'recipe', op: 'upsert', id: recipe.id, value: recipe },
      {
        kind: 'goals',
        op: 'upsert',
        id: 'goals',
        value: { ...goals, version, all: [earlier, goals] },
      },
      { kind: 'entry', op: 'upsert', id: entry.id, value: entry },
    ]);
    expect(await page('ann', `?after=${first.cursor}`)).toEqual({
      changes: [],
      cursor: first.cursor,
      more: false,
    });

    const second = await send('POST', '/v1/users/ann/diary', entryOf('Bread'));
    await send('PATCH', `/v1/users/ann/diary/${entry.id}`, { date: '2026-01-30' });
    const changed = await send('PATCH', `/v1/users/ann/diary/${entry.id}`, { mealType: 'dinner' });
    await send('DELETE', `/v1/users/ann/recipes/${recipe.id}`);
    await send('DELETE', `/v1/foods/${own.id}`);
    expect((await page('ann', `?after=${first.cursor}`)).changes).toEqual([
      { kind: 'food', op: 'delete', id: own.id },
      { kind: 'entry', op: 'upsert', id: second.id, value: second },
      { kind: 'entry', op: 'upsert', id: entry.id, value: changed },
      { kind: 'recipe', op: 'delete', id: recipe.id },
    ]);
  });

  it('consists of pages without gaps and duplicates', async () => {
    const names = Array.from({ length: 7 }, (_, at) => `Meal ${at}`);
    for (const name of names) await send('POST', '/v1/users/carl/diary', entryOf(name));
    const read: unknown[] = [];
    let [cursor, more] = ['', true];
    for (let pages = 0; more; pages++) {
      const next = await page('carl', `?limit=2${cursor && `&after=${cursor}`}`);
      const own = next.changes.filter(({ kind }) => kind === 'entry');
      expect(next.changes.length).toBeLessThanOrEqual(2);
      read.push(...own.map(({ value }) => (value as { foodName: string }).foodName));
      ({ cursor, more } = next);
      expect(pages).toBeLessThan(9);
    }
    expect(read).toEqual(names);
  });

  it('waits for changes, and returns them at once', async () => {
    const { cursor } = await page('dora');
    const waiting = page('dora', `?after=${cursor}&wait=30`);
    const entry = await send('POST', '/v1/users/dora/diary', entryOf('Late soup'));
    const { changes: news, cursor: next } = await waiting;
    expect(news).toMatchObject([{ id: entry.id }]);
    const startedAt = performance.now();
    expect(await page('dora', `?after=${next}&wait=1`)).toEqual({ changes: [], cursor: next, more: false });
    expect(performance.now() - startedAt).toBeGreaterThan(900);
  });

  it('begins again after the user was erased', async () => {
    await send('POST', '/v1/users/eve/diary', entryOf('Soup'));
    const { cursor } = await page('eve');
    await send('DELETE', '/v1/users/eve');
    const refused = await changes('eve', `?after=${cursor}`);
    expect(refused.statusCode).toBe(410);
    expect(refused.json()).toMatchObject({ error: { code: 'cursor_expired', details: {} } });
    expect((await page('eve')).changes.filter(({ kind }) => kind !== 'food')).toEqual([]);
  });

  it('is closed to other users and tenants, and rejects their cursors', async () => {
    await send('POST', '/v1/users/finn/diary', entryOf('Soup'));
    const { cursor } = await page('finn');
    expect((await page('finn', '', foreign)).changes).toEqual([]);
    expect((await changes('finn', `?after=${cursor}`, foreign)).statusCode).toBe(410);
    expect((await changes('gus', `?after=${cursor}`)).statusCode).toBe(410);
    expect((await changes('finn', `?after=${'A'.repeat(30)}`)).statusCode).toBe(410);
    const { access_token: token } = await send('POST', '/v1/auth/token', {
      grant_type: 'client_credentials',
      client_secret: key,
      user_id: 'finn',
    });
    expect((await page('finn', '', token)).changes.length).toBeGreaterThan(0);
    expect((await changes('gus', '', token)).statusCode).toBe(403);
  });

  it('omits foods for a key that may not read them, until one may', async () => {
    const narrow = await server.createKey(['diary:read'], undefined, 'acme');
    const first = await page('hana', '', narrow);
    expect(first.changes).toEqual([]);
    const later = await page('hana', `?after=${first.cursor}`);
    expect(later.changes).toMatchObject([{ kind: 'food', op: 'upsert', value: { name: 'Shared jam' } }]);
    expect(
      (await changes('hana', '', await server.createKey(['foods:read'], undefined, 'acme'))).statusCode,
    ).toBe(403);
  });

  it.each(['limit=0', 'limit=x', 'wait=31', 'wait=-1', 'after=none'])('rejects ?%s', async (query) => {
    const answer = await changes('ann', `?${query}`);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      error: { code: 'invalid_query', details: { parameter: query.split('=')[0] } },
    });
  });
});

describe('kinds', () => {
  it('select the changes of the feed, whose cursor goes on all the same', async () => {
    await send('POST', '/v1/users/lia/diary', entryOf('Soup'));
    await send('POST', '/v1/users/lia/recipes', recipeOf('Stew'));
    await send('PUT', '/v1/users/lia/goals', { from: '2026-01-01', calories: 2_000 });
    const kindsOf = async (query: string) =>
      (await page('lia', query)).changes.map(({ kind }) => kind).toSorted();
    expect(await kindsOf('?kinds=recipe')).toEqual(['recipe']);
    expect(await kindsOf('?kinds=goals,entry')).toEqual(['entry', 'goals']);
    const none = await page('lia', '?kinds=measurement');
    expect([none.changes, none.more]).toEqual([[], false]);
    expect(await kindsOf(`?after=${none.cursor}`)).toEqual([]);
    await send('POST', '/v1/users/lia/diary', entryOf('Tea'));
    expect(await kindsOf(`?after=${none.cursor}&kinds=recipe`)).toEqual([]);
    expect(await kindsOf(`?after=${none.cursor}&kinds=entry,recipe`)).toEqual(['entry']);
    for (const wrong of ['', 'meals', 'entry,', 'entry;goals']) {
      const refused = await changes('lia', `?kinds=${wrong}`);
      expect([refused.statusCode, refused.json().error.details]).toEqual([400, { parameter: 'kinds' }]);
    }
  });

  it('select the messages of the stream', async () => {
    const { cursor } = await page('mia');
    const stream = await openStream('mia', `?after=${cursor}&kinds=recipe`);
    await send('POST', '/v1/users/mia/diary', entryOf('Soup'));
    await send('POST', '/v1/users/mia/recipes', recipeOf('Stew'));
    const { data } = (await stream.next())!;
    // The first message is of the recipe: the entry before it was passed over.
    expect((await page('mia', `?after=${data.cursor}`)).changes).toEqual([]);
    expect((await page('mia', `?after=${cursor}&kinds=recipe`)).changes).toHaveLength(1);
    stream.close();
  });
});

describe('a ticket', () => {
  const ticketOf = async (userId: string, credential: string) =>
    (await send('POST', `/v1/users/${userId}/changes/ticket`, undefined, credential)) as {
      streamUrl: string;
      expiresAt: string;
    };

  it('opens the stream of its user without a credential, and nothing else', async () => {
    const { streamUrl, expiresAt } = await ticketOf('nia', key);
    const inMinutes = (Date.parse(expiresAt) - Date.now()) / 60_000;
    expect([inMinutes > 13, inMinutes < 16]).toEqual([true, true]);
    const { pathname, search } = new URL(streamUrl);
    expect(pathname).toBe('/v1/users/nia/changes/stream/by-ticket');
    const stream = await EventReader.open(`http://127.0.0.1:${server.port}${pathname}${search}`, {});
    await stream.next();
    await send('POST', '/v1/users/nia/diary', entryOf('Soup'));
    const { data } = (await stream.next())!;
    expect((await page('nia', `?after=${data.cursor}`)).changes).toEqual([]);
    stream.close();

    const ticket = search.slice('?ticket='.length);
    const [text, signature] = ticket.split('.') as [string, string];
    const forged = Buffer.from(
      JSON.stringify({ ...JSON.parse(Buffer.from(text, 'base64url').toString()), userId: 'ola' }),
    ).toString('base64url');
    for (const url of [
      `/v1/users/ola/changes/stream/by-ticket?ticket=${ticket}`,
      `/v1/users/ola/changes/stream/by-ticket?ticket=${forged}.${signature}`,
      `/v1/users/nia/changes/stream/by-ticket?ticket=${text}`,
      `/v1/users/nia/changes/stream/by-ticket?ticket=${ticket}.x`,
      '/v1/users/nia/changes/stream/by-ticket?ticket=',
      '/v1/users/nia/changes/stream/by-ticket',
    ]) {
      const refused = await server.ask({ url });
      expect([url, refused.statusCode, refused.json().error.code]).toEqual([url, 404, 'ticket_not_found']);
    }
    for (const url of ['/v1/users/nia/changes', '/v1/users/nia/diary?date=2026-01-31'])
      expect((await server.ask({ url, headers: bearer(ticket) })).statusCode).toBe(401);
  });

  it('ends with the credential that asked for it', async () => {
    const made = await send('POST', '/v1/keys', { scopes: ['diary:read'] });
    const { streamUrl } = await ticketOf('pia', made.key);
    await send('DELETE', `/v1/keys/${made.id}`);
    const { pathname, search } = new URL(streamUrl);
    const refused = await server.ask({ url: pathname + search });
    expect([refused.statusCode, refused.json().error.code]).toEqual([404, 'ticket_not_found']);
  });

  it('is only for users whose changes the caller may read', async () => {
    const body = { client_secret: key, user_id: 'nia', scope: 'diary:read' };
    const { access_token: token } = await send('POST', '/v1/auth/token', body);
    expect((await ticketOf('nia', token)).streamUrl).toContain('ticket=');
    const others = await server.ask({
      method: 'POST',
      url: '/v1/users/ola/changes/ticket',
      headers: bearer(token),
    });
    expect(others.statusCode).toBe(403);
  });
});
