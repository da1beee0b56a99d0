import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiKey } from '../../src/access/api-key.ts';
import type { Limiter } from '../../src/limits/request-limiter.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';
import { VARIANTS } from './variants.ts';

let fixture: TestServer;
beforeAll(async () => {
  fixture = await openTestServer();
});
afterAll(() => fixture[Symbol.asyncDispose]());

const UNKNOWN_KEY = 'no-such-key';

describe.each(VARIANTS)('$name', ({ prefix, credential, challenge }) => {
  const search = (headers: Record<string, string>) =>
    fixture.ask({ url: `${prefix}/foods/search?q=cola`, headers });

  it.each([
    ['without a credential', {}],
    ['with an empty credential', credential('')],
    ['with a credential that is none', credential(UNKNOWN_KEY)],
  ])('%s: 401 with a challenge', async (_how, headers) => {
    const answer = await search(headers as Record<string, string>);
    expect([answer.statusCode, answer.json().error.code]).toEqual([401, 'invalid_api_key']);
    expect(answer.headers['www-authenticate']).toMatch(challenge);
  });

  it('the credential header of the other variant is ignored', async () => {
    const other = VARIANTS.find((variant) => variant.prefix !== prefix)!;
    expect((await search(other.credential(fixture.key))).statusCode).toBe(401);
  });

  it('an expired key is rejected with the reason', async () => {
    const answer = await search(credential(await fixture.createKey(['foods:read'], 1_000_000_000)));
    expect([answer.statusCode, answer.json().error.code]).toEqual([401, 'expired_api_key']);
  });

  it('a key without the scope gets 403 with the missing scope', async () => {
    const answer = await search(credential(await fixture.createKey(['scan'])));
    expect([answer.statusCode, answer.json().error.details]).toEqual([403, { scope: 'foods:read' }]);
  });

  it('the limiter gets operation and key, and a request over its limit is rejected', async () => {
    const asked: unknown[] = [];
    const limiter: Limiter = {
      takeNow: () => undefined,
      peek: async () => undefined,
      take: async (operation, subject) => {
        asked.push([
          operation,
          'key' in subject ? (subject.key as ApiKey).tenant : Object.values(subject)[0],
        ]);
        return {
          allowed: operation !== 'barcode',
          limit: 100,
          remaining: 0,
          resetsAt: Date.now() / 1000 + 60,
        };
      },
    };
    await using limited = await openTestServer({ limiter });
    const get = (path: string, headers: Record<string, string>) =>
      limited.ask({ url: `${prefix}${path}`, headers });

    const fine = await get('/foods/search?q=cola', credential(limited.key));
    expect([fine.statusCode, fine.headers['x-ratelimit-remaining']]).toEqual([200, '0']);
    const refused = await get('/foods/barcode/96385074', credential(limited.key));
    expect([refused.statusCode, refused.json().error.code]).toEqual([429, 'rate_limit_exceeded']);
    expect(Number(refused.headers['retry-after'])).toBe(refused.json().error.details.retryAfter);
    const stranger = await get('/foods/search?q=cola', credential(UNKNOWN_KEY));
    expect([stranger.statusCode, stranger.headers['x-ratelimit-limit']]).toEqual([401, '100']);
    expect(asked).toEqual([
      ['search', 'default'],
      ['barcode', 'default'],
      ['other', '127.0.0.1'],
    ]);
  });

  it('no log line contains the credential, even at level debug', async () => {
    await search(credential(fixture.key));
    await search(credential(UNKNOWN_KEY));
    expect(fixture.log.length).toBeGreaterThan(0);
    expect(fixture.log.join('')).not.toContain(fixture.key);
    expect(fixture.log.join('')).not.toContain(UNKNOWN_KEY);
  });
});

it('metrics, which cover all tenants, need a key with the scope metrics', async () => {
  const get = (key: string) => fixture.ask({ url: '/metrics', headers: { authorization: `Bearer ${key}` } });
  expect((await get(fixture.key)).statusCode).toBe(403);
  expect((await get(await fixture.createKey(['admin']))).statusCode).toBe(403);
  const allowed = await get(await fixture.createKey(['metrics']));
  expect([allowed.statusCode, allowed.headers['content-type']]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ]);
});

it.each(['/healthz', '/readyz', '/openapi.json', '/openapi-unversioned.json', '/docs', '/docs/reference.js'])(
  '%s is open',
  async (path) => {
    expect((await fixture.ask(path)).statusCode).toBe(200);
  },
);
