import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Day } from '../../src/diary/records/day.ts';
import { MAX_PIPELINED_BYTES } from '../../src/http/server/connection/limits.ts';
import { newEntry } from '../support/diary-entries.ts';
import { rawRequest } from '../support/raw-request.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

const ENTRIES = 6_000;
const EVE = '/v1/users/eve';
const BARCODE = '/v1/foods/barcode/3017620422003';

let fixture: TestServer;
let port: number;
let key: string;
beforeAll(async () => {
  fixture = await openTestServer();
  port = fixture.port;
  key = await fixture.createKey(['diary:read', 'diary:write', 'foods:read']);
  const { foodName, mealType } = newEntry();
  const entry = { date: '2026-06-30' as Day, mealType, foodName, calories: 1, protein: 1, carbs: 1, fat: 1 };
  for (let at = 0; at < ENTRIES; at += 100) {
    const { status } = await fetch(`http://127.0.0.1:${port}${EVE}/diary/batch`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(Array(100).fill(entry)),
    });
    expect(status).toBe(201);
  }
});
afterAll(() => fixture[Symbol.asyncDispose]());

function get(socket: Socket, path: string): void {
  socket.write(
    `GET ${path} HTTP/1.1\r\nhost: larder\r\nauthorization: Bearer ${key}\r\nconnection: close\r\n\r\n`,
  );
}

async function connected(): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port });
  await new Promise((resolve) => socket.once('connect', resolve));
  return socket;
}

test.each([`${EVE}/diary?date=2026-06-30`])(
  'a short request is answered before an earlier GET %s',
  async (path) => {
    // Loads the tenant's foods, so that the short request does not wait for the database.
    await fetch(`http://127.0.0.1:${port}${BARCODE}`, { headers: { authorization: `Bearer ${key}` } });
    const [first, second] = await Promise.all([connected(), connected()]);
    const order: string[] = [];
    const ends = (
      [
        ['long', first],
        ['short', second],
      ] as const
    ).map(async ([name, socket]) => {
      let text = '';
      for await (const chunk of socket.setEncoding('utf8')) {
        if (text === '') order.push(name);
        text += chunk;
      }
      expect(text).toMatch(/^HTTP\/1\.1 200 /);
      return text;
    });
    get(first, path);
    get(second, BARCODE);
    const [long] = await Promise.all(ends);
    expect(order).toEqual(['short', 'long']);
    expect(long!.match(/Lentil soup/g)).toHaveLength(ENTRIES);
  },
);

test('copying more than 1,000 entries fails and copies none', async () => {
  const refused = await fetch(`http://127.0.0.1:${port}${EVE}/diary/copy`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ from: '2026-06-30', to: '2026-07-01' }),
  });
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ error: { code: 'invalid_request', details: { max: 1_000 } } });
});

test.each(['/openapi.json', '/docs/reference.js'])(
  'requests pipelined behind the long response to GET %s are not answered',
  async (path) => {
    const { status, headers, body } = await rawRequest(
      port,
      `GET ${path} HTTP/1.1\r\nhost: larder\r\n\r\n`.repeat(4),
    );
    expect([status, body.match(/HTTP\/1\.1/g)]).toEqual([200, null]);
    expect(Number(headers['content-length'])).toBeGreaterThan(MAX_PIPELINED_BYTES);
  },
);

test('the script of the reference page is always sent compressed', async () => {
  const headers = { 'accept-encoding': 'identity' };
  const answer = await fetch(`http://127.0.0.1:${port}/docs/reference.js`, { headers });
  expect(answer.headers.get('content-encoding')).toBe('gzip');
  expect(Number(answer.headers.get('content-length'))).toBeLessThan(1_500_000);
  expect(await answer.text()).toContain('api-reference');
});
