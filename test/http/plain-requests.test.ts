import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { SOUP } from '../support/diary-users.ts';
import { COLA, KNOWN, SPREAD } from '../support/foods.ts';
import { rawRequest } from '../support/raw-request.ts';
import { testOperation } from '../support/test-operation.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

const TEST_OPERATIONS = [
  testOperation({
    method: 'GET',
    path: '/test/broken/:how',
    access: { credential: 'bearer' },
    params: z.object({ how: z.string() }),
    handle: ({ params }) => {
      if ((params as { how: string }).how === 'late') return Promise.reject(new Error('secret detail'));
      throw new Error('secret detail');
    },
  }),
  testOperation({ method: 'GET', path: '/test/broken/fixed', handle: () => '"fixed"' }),
];

let fixture: TestServer;
let key: string;
let bearer: Record<string, string>;
beforeAll(async () => {
  fixture = await openTestServer({ operations: TEST_OPERATIONS });
  key = await fixture.createKey(['foods:read', 'diary:read', 'diary:write']);
  bearer = { authorization: `Bearer ${key}` };
  await fixture.ask({ method: 'POST', url: '/v1/users/ann/diary', headers: bearer, payload: SOUP });
});
afterAll(() => fixture[Symbol.asyncDispose]());

const FOODS: readonly (readonly [string, number])[] = [
  ['/foods/search?q=cola', 200],
  ['/foods/search?q=nutty+spread&limit=1', 200],
  ['/foods/search?q=caf%C3%A9%20cr%C3%A8me&limit=3', 200],
  ['/foods/search?q=cola&unknown=1', 400],
  ['/foods/search', 200],
  ['/foods/search?', 200],
  ['/foods/search?q=c', 200],
  ['/foods/search?q=cola&q=spread', 400],
  ['/foods/search?q=cola&limit=0', 400],
  ['/foods/search?q=%E0%A4%A', 200],
  [`/foods/barcode/${SPREAD.barcode}`, 200],
  [`/foods/barcode/${COLA.barcode}?q=1`, 400],
  [`/foods/barcode/${SPREAD.barcode!.slice(0, 3)}%20${SPREAD.barcode!.slice(3)}`, 200],
  [`/foods/barcode/${KNOWN.barcode}`, 404],
  ['/foods/barcode/96385074', 404],
  ['/foods/barcode/none', 400],
  ['/foods/barcode/12%2F34', 400],
  ['/foods/barcode/', 404],
];
const DIARY: readonly (readonly [string, number])[] = [
  ['/v1/users/ann/diary?date=2030-01-01', 200],
  ['/v1/users/ann/diary/entries?from=2030-01-01&to=2030-01-31', 200],
  ['/v1/users/a%40b.example/diary?date=2030-01-01', 200],
  ['/v1/users/ann/diary', 400],
  ['/v1/users/ann/diary?date=2030-02-30', 400],
  ['/v1/users/a%20b/diary?date=2030-01-01', 400],
  ['/v1/users/ann/diary/totals?date=2030-01-01&remaining=true', 200],
  ['/v1/users/ann/diary/totals/days?from=2030-01-01&to=2030-01-03', 200],
  ['/v1/users/ann/diary/totals?remaining=maybe&date=2030-01-01', 400],
];

describe.each([
  ...FOODS.map(([path, status]) => [`/v1${path}`, status] as const),
  ...FOODS,
  ...DIARY,
  ['/healthz', 200] as const,
  ['/docs', 200] as const,
])('GET %s', (url, status) => {
  it(`returns ${status}, and HEAD returns the same head`, async () => {
    const headers = { ...bearer, 'x-api-key': key, 'x-request-id': 'the-same' };
    const [get, head] = [
      await fixture.ask({ url, headers }),
      await fixture.ask({ method: 'HEAD', url, headers }),
    ];
    expect([get.statusCode, head.statusCode]).toEqual([status, status]);
    const { date: _, ...same } = get.headers;
    expect(head.headers).toMatchObject(same);
    expect(get.headers['content-length']).toBe(String(Buffer.byteLength(get.body)));
    expect(head.body).toBe('');
  });
});

it.each(['now', 'late'])('an internal error thrown %s returns 500 and is logged', async (how) => {
  const answer = await fixture.ask({ url: `/test/broken/${how}`, headers: bearer });
  expect([answer.statusCode, answer.json().error.code]).toEqual([500, 'internal_error']);
  expect(answer.body).not.toContain('secret');
  expect(fixture.log.some((line) => line.includes('secret detail'))).toBe(true);
});

it('a path parameter does not match fixed paths beside it', async () => {
  const answer = await fixture.ask('/test/broken/fixed');
  expect([answer.statusCode, answer.body]).toEqual([200, '"fixed"']);
});

it('pipelined requests are answered in order', async () => {
  const head = `host: larder\r\nauthorization: ${bearer['authorization']}\r\n`;
  const get = (path: string, end = '') => `GET ${path} HTTP/1.1\r\n${head}${end}\r\n`;
  const { body } = await rawRequest(
    fixture.port,
    get('/v1/foods/search?q=c') +
      get(`/v1/foods/barcode/${SPREAD.barcode}`) +
      get('/v1/foods/search', 'connection: close\r\n'),
  );
  expect(body.split('HTTP/1.1 200 OK')).toHaveLength(3);
  expect(body.indexOf(SPREAD.id)).toBeGreaterThan(0);
});
