import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Scope } from '../../src/access/scope.ts';
import type { PlainRoute, Route } from '../../src/http/server/route.ts';
import { COLA, KNOWN, SPREAD } from '../support/foods.ts';
import { rawRequest } from '../support/raw-request.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

const ORIGIN = 'https://app.example';
/** What belongs to the connection and the moment, not to the answer. */
const OF_THE_MOMENT = ['date', 'connection', 'keep-alive', 'x-ratelimit-reset'];

const BROKEN: PlainRoute = {
  method: 'GET',
  path: '/test/plain/:how',
  access: { credential: 'bearer' },
  plain: true,
  operation: 'other',
  handle: ({ params }) => {
    if (params['how'] === 'late') return Promise.reject(new Error('secret detail'));
    throw new Error('secret detail');
  },
};

let fixture: TestServer;
let port: number;
let throughFramework = 0;
beforeAll(async () => {
  const startedMs = Date.now();
  fixture = await openTestServer({
    limited: true,
    corsOrigins: [ORIGIN],
    routes: [BROKEN],
    // A credential that was used stays in use, however long a test takes.
    nowMs: () => startedMs,
    prepare: (server) =>
      server.addHook('onRequest', (_request, _reply, done) => {
        throughFramework++;
        done();
      }),
  });
  port = fixture.port;
});
afterAll(() => fixture[Symbol.asyncDispose]());
beforeEach(() => {
  throughFramework = 0;
});

interface Asked {
  readonly method?: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

async function bySocket({ method = 'GET', url, headers }: Asked) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return rawRequest(
    port,
    [`${method} ${url} HTTP/1.1`, 'host: larder', 'connection: close', ...lines, '', ''].join('\r\n'),
  );
}

async function byFramework({ method = 'GET', url, headers }: Asked) {
  const answer = await fixture.server.inject({
    method: method as 'GET',
    url,
    headers: { host: 'larder', ...headers },
  });
  return { status: answer.statusCode, headers: answer.headers, body: answer.body };
}

/** Without their order, which means nothing between different names (RFC 9110, 5.3). */
const lasting = (headers: object) =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !OF_THE_MOMENT.includes(name))
      .map(([name, value]) => [name, String(value)]),
  );

type Credential = (text: string) => Record<string, string>;
const bearer: Credential = (text) => ({ authorization: `Bearer ${text}` });
const apiKey: Credential = (text) => ({ 'x-api-key': text });

/** A credential that is in use, so that nothing of it has to be looked up. */
async function usedKey(scopes: readonly Scope[], credential: Credential): Promise<Record<string, string>> {
  const headers = credential(await fixture.createKey(scopes));
  const url = credential === bearer ? '/v1/nowhere' : '/nowhere';
  await fixture.server.inject({ url, headers });
  return headers;
}

async function usedToken(userId: string): Promise<Record<string, string>> {
  const key = await fixture.createKey(['foods:read', 'diary:read']);
  const issued = await fixture.server.inject({
    method: 'POST',
    url: '/v1/auth/token',
    payload: { client_secret: key, user_id: userId },
  });
  const headers = bearer(issued.json().access_token);
  await fixture.server.inject({ url: '/nowhere', headers });
  return headers;
}

/** Both ways with a credential each, so that both are counted from the start. */
async function bothWays(
  asked: Omit<Asked, 'headers'>,
  credentials: readonly Record<string, string>[],
  more = {},
) {
  const [first, second] = credentials;
  const headers = { 'x-request-id': 'the-same', ...more };
  const socket = await bySocket({ ...asked, headers: { ...headers, ...first } });
  const framework = throughFramework;
  const other = await byFramework({ ...asked, headers: { ...headers, ...second } });
  return { socket, other, throughFramework: framework };
}

function expectSame({ socket, other }: Awaited<ReturnType<typeof bothWays>>): void {
  expect(socket.status).toBe(other.status);
  expect(lasting(socket.headers)).toEqual(lasting(other.headers));
  expect(socket.body).toBe(other.body);
}

const FOODS: readonly (readonly [string, number])[] = [
  ['/foods/search?q=cola', 200],
  ['/foods/search?q=nutty+spread&limit=1', 200],
  ['/foods/search?q=caf%C3%A9%20cr%C3%A8me&limit=3&unknown=1', 200],
  ['/foods/search', 200],
  ['/foods/search?', 200],
  ['/foods/search?q=c', 200],
  ['/foods/search?q=cola&q=spread', 400],
  ['/foods/search?q=cola&limit=0', 400],
  ['/foods/search?q=%E0%A4%A', 200],
  [`/foods/barcode/${SPREAD.barcode}`, 200],
  [`/foods/barcode/${COLA.barcode}?q=1`, 200],
  [`/foods/barcode/${SPREAD.barcode!.slice(0, 3)}%20${SPREAD.barcode!.slice(3)}`, 200],
  [`/foods/barcode/${KNOWN.barcode}`, 404],
  ['/foods/barcode/96385074', 404],
  ['/foods/barcode/none', 400],
  ['/foods/barcode/12%2F34', 400],
];
const DIARY: readonly (readonly [string, number])[] = [
  ['/v1/users/ann/diary?date=2030-01-01', 200],
  ['/v1/users/ann/diary?from=2030-01-01&to=2030-01-31', 200],
  ['/v1/users/a%40b.example/diary?date=2030-01-01', 200],
  ['/v1/users/ann/diary', 400],
  ['/v1/users/ann/diary?date=2030-02-30', 400],
  ['/v1/users/a%20b/diary?date=2030-01-01', 400],
  ['/v1/users/ann/diary/totals?date=2030-01-01&remaining=true', 200],
  ['/v1/users/ann/diary/totals?from=2030-01-01&to=2030-01-03', 200],
  ['/v1/users/ann/diary/totals?remaining=maybe&date=2030-01-01', 400],
];

describe.each([
  ...FOODS.map(([path, status]) => [`/v1${path}`, status, bearer] as const),
  ...FOODS.map(([path, status]) => [path, status, apiKey] as const),
  ...DIARY.map(([path, status]) => [path, status, bearer] as const),
])('GET %s', (url, status, credential) => {
  it('is answered on the fast path with what the framework answers, byte for byte', async () => {
    const scopes = ['foods:read', 'diary:read', 'diary:write'] as const;
    const credentials = [await usedKey(scopes, credential), await usedKey(scopes, credential)];
    if (url.startsWith('/v1/users/ann/')) {
      const entry = { date: '2030-01-01', mealType: 'lunch', foodName: 'Süppchen', calories: 1, protein: 1 };
      const payload = { ...entry, carbs: 1, fat: 1 };
      const headers = credentials[0]!;
      await fixture.server.inject({ method: 'POST', url: '/v1/users/ann/diary', headers, payload });
    }
    throughFramework = 0;
    const answers = await bothWays({ url }, credentials);
    expectSame(answers);
    expect([answers.socket.status, answers.throughFramework]).toEqual([status, 0]);
  });
});

describe('the fast path answers like the framework', () => {
  it.each([ORIGIN, 'https://evil.example'])('a page of %s', async (origin) => {
    const credentials = [await usedKey(['foods:read'], bearer), await usedKey(['foods:read'], bearer)];
    throughFramework = 0;
    const answers = await bothWays({ url: '/v1/foods/search?q=cola' }, credentials, { origin });
    expectSame(answers);
    expect(answers.throughFramework).toBe(0);
  });

  it('a token of the user, and one of another user', async () => {
    for (const [user, status] of [
      ['ann', 200],
      ['bob', 403],
    ] as const) {
      const credentials = [await usedToken(user), await usedToken(user)];
      throughFramework = 0;
      const answers = await bothWays({ url: '/v1/users/ann/diary?date=2030-01-01' }, credentials);
      expectSame(answers);
      expect([answers.socket.status, answers.throughFramework]).toEqual([status, 0]);
    }
  });

  it('a key without the scope', async () => {
    const credentials = [await usedKey(['scan'], bearer), await usedKey(['scan'], bearer)];
    throughFramework = 0;
    const answers = await bothWays({ url: '/v1/foods/search?q=cola' }, credentials);
    expectSame(answers);
    expect([answers.socket.status, answers.throughFramework]).toEqual([403, 0]);
  });

  it('a key that has used up its window', async () => {
    const headers = await usedKey(['foods:read'], bearer);
    const url = '/v1/foods/search?q=c';
    await Promise.all(Array.from({ length: 100 }, () => fixture.server.inject({ url, headers })));
    throughFramework = 0;
    const { socket, other, throughFramework: framework } = await bothWays({ url }, [headers, headers]);
    expect([socket.status, other.status, framework]).toEqual([429, 429, 0]);
    expect(Object.keys(lasting(socket.headers)).sort()).toEqual(Object.keys(lasting(other.headers)).sort());
  });

  it.each(['now', 'late'])('a fault of ours that comes %s', async (how) => {
    const credentials = [await usedKey(['foods:read'], bearer), await usedKey(['foods:read'], bearer)];
    throughFramework = 0;
    const answers = await bothWays({ url: `/test/plain/${how}` }, credentials);
    expectSame(answers);
    expect([answers.socket.status, answers.throughFramework]).toEqual([500, 0]);
    expect(answers.socket.body).not.toContain('secret');
    expect(fixture.log.some((line) => line.includes('secret detail'))).toBe(true);
  });
});

describe('is left to the framework', () => {
  const url = '/v1/foods/search?q=cola';
  it.each<[string, Omit<Asked, 'headers'>, Record<string, string>]>([
    ['another method', { method: 'HEAD', url }, {}],
    ['a request with a body', { url }, { 'content-length': '0' }],
    ['a path that is not plain', { url: '/v1/foods/off:1' }, {}],
  ])('%s', async (_, asked, more) => {
    const headers = { ...(await usedKey(['foods:read'], bearer)), ...more };
    throughFramework = 0;
    await bySocket({ ...asked, headers });
    expect(throughFramework).toBe(1);
  });

  it('a credential that nobody has used yet, one that is none, and none', async () => {
    const fresh = bearer(await fixture.createKey(['foods:read']));
    const statuses = [];
    for (const headers of [fresh, bearer('nope'), {}]) {
      statuses.push((await bySocket({ url, headers: { ...headers } })).status);
    }
    expect(statuses).toEqual([200, 401, 401]);
    expect(throughFramework).toBe(3);
  });
});

it('a path without its parameter is no path, whoever asks', async () => {
  const credentials = [await usedKey(['foods:read'], bearer), await usedKey(['foods:read'], bearer)];
  const answers = await bothWays({ url: '/v1/foods/barcode/' }, credentials);
  expect([answers.socket.status, JSON.parse(answers.socket.body).error.code]).toEqual([404, 'not_found']);
  expect(answers.socket.body).toBe(answers.other.body);
});

it('a plain path parameter does not take the fixed paths beside it', async () => {
  const fixed: Route = {
    method: 'GET',
    path: '/test/plain/fixed',
    access: 'public',
    operation: 'other',
    handle: () => '"fixed"',
  };
  await using other = await openTestServer({ routes: [BROKEN, fixed] });
  const own = other.port;
  const answer = await rawRequest(
    own,
    `GET /test/plain/fixed HTTP/1.1\r\nhost: larder\r\nconnection: close\r\nauthorization: Bearer ${other.key}\r\n\r\n`,
  );
  expect([answer.status, answer.body]).toEqual([200, '"fixed"']);
});

it('the fast path also answers requests that were sent before the answers to others', async () => {
  const headers = await usedKey(['foods:read'], bearer);
  throughFramework = 0;
  const head = `host: larder\r\nauthorization: ${headers['authorization']}\r\n`;
  const get = (path: string, end = '') => `GET ${path} HTTP/1.1\r\n${head}${end}\r\n`;
  const { body } = await rawRequest(
    port,
    get('/v1/foods/search?q=c') +
      get(`/v1/foods/barcode/${SPREAD.barcode}`) +
      get('/v1/foods/search', 'connection: close\r\n'),
  );
  expect(body.split('HTTP/1.1 200 OK')).toHaveLength(3);
  expect(body.indexOf(SPREAD.id)).toBeGreaterThan(0);
  expect(throughFramework).toBe(0);
});
