import { createLocalJWKSet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestServer, type TestServer } from '../support/test-server.ts';

let fixture: TestServer;
let key: string;
beforeAll(async () => {
  fixture = await openTestServer();
  key = await fixture.createKey(['foods:read', 'diary:read', 'diary:write', 'admin', 'metrics']);
});
afterAll(() => fixture[Symbol.asyncDispose]());

const post = (payload: object | string, headers: Record<string, string> = {}) =>
  fixture.ask({ method: 'POST', url: '/v1/auth/token', payload, headers });
const get = (url: string, token: string) =>
  fixture.ask({ url, headers: { authorization: `Bearer ${token}` } });
const mint = async (user: string, scope?: string): Promise<string> =>
  (await post({ client_secret: key, user_id: user, ...(scope !== undefined && { scope }) })).json()
    .access_token;

describe('POST /v1/auth/token', () => {
  it('returns an OAuth 2 token for JSON and for a form', async () => {
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_secret: key,
      user_id: 'ann',
      scope: 'diary:read',
    });
    const asForm = await post(form.toString(), { 'content-type': 'application/x-www-form-urlencoded' });
    const asJson = await post({ client_secret: key, user_id: 'ann', scope: 'diary:read' });
    for (const answer of [asForm, asJson]) {
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.json()).toEqual({
        access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        token_type: 'Bearer',
        expires_in: 900,
        scope: 'diary:read',
      });
    }
  });

  it.each([
    ['no key', {}, 401, 'invalid_client'],
    ['a wrong key', { client_secret: 'nope' }, 401, 'invalid_client'],
    ['a key that is no text', { client_secret: { $ne: '' } }, 401, 'invalid_client'],
    ['no user', { user_id: undefined }, 400, 'invalid_request'],
    ['an empty user', { user_id: '' }, 400, 'invalid_request'],
    ['a scope that the key has not', { scope: 'scan' }, 400, 'invalid_scope'],
    ['the scope admin', { scope: 'admin' }, 400, 'invalid_scope'],
    ['the scope metrics', { scope: 'metrics' }, 400, 'invalid_scope'],
    ['another grant', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['an unknown field', { user: 'ann' }, 400, 'invalid_request'],
  ])('rejects %s as OAuth has it', async (what, changed, status, error) => {
    const payload = { client_secret: key, user_id: 'ann', ...changed };
    const answer = await post(what === 'no key' ? { user_id: 'ann' } : payload);
    expect([answer.statusCode, answer.json()]).toEqual([
      status,
      { error, error_description: expect.stringMatching(/^[ !#-[\]-~]+$/) },
    ]);
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
    });
    expect(answer.headers['www-authenticate']).toBe(status === 401 ? 'Basic realm="larder"' : undefined);
  });

  const basic = (name: string, secret: string) => ({
    authorization: `Basic ${Buffer.from([name, secret].map(encodeURIComponent).join(':')).toString('base64')}`,
  });

  it('takes the key by HTTP Basic, form-encoded, for JSON and for a form', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const answer of [
      await post({ user_id: 'ann' }, basic('app', key)),
      await post({ user_id: 'ann' }, basic('', key)),
      await post('grant_type=client_credentials&user_id=ann', { ...basic('my app: +%', key), ...form }),
    ])
      expect([answer.statusCode, answer.json().token_type]).toEqual([200, 'Bearer']);
    // Each letter may be escaped.
    const escaped = [...key].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
    const authorization = `Basic ${Buffer.from(`app:${escaped}`).toString('base64')}`;
    expect((await post({ user_id: 'ann' }, { authorization })).statusCode).toBe(200);
  });

  it.each([
    ['a wrong key', basic('app', 'nope'), {}, 401, 'invalid_client'],
    ['no key', basic('app', ''), {}, 401, 'invalid_client'],
    ['a name alone', { authorization: 'Basic YXBw' }, {}, 401, 'invalid_client'],
    ['no Base64', { authorization: 'Basic ä' }, {}, 401, 'invalid_client'],
    ['a token', { authorization: 'Bearer x' }, {}, 401, 'invalid_client'],
    ['a key in the body, too', basic('app', 'x'), { client_secret: 'x' }, 400, 'invalid_request'],
  ])('rejects HTTP Basic with %s', async (_, headers, more, status, error) => {
    const answer = await post({ user_id: 'ann', ...more }, headers);
    expect([answer.statusCode, answer.json().error]).toEqual([status, error]);
    expect(answer.headers['www-authenticate']).toBe(status === 401 ? 'Basic realm="larder"' : undefined);
  });

  it('leaves errors that OAuth does not know as they are everywhere', async () => {
    const answer = await post('<a/>', { 'content-type': 'text/xml' });
    expect([answer.statusCode, answer.json().error.code]).toEqual([415, 'unsupported_media_type']);
  });

  it('rejects a field that occurs twice in a form', async () => {
    const form = `client_secret=${key}&user_id=ann&user_id=bob`;
    const answer = await post(form, { 'content-type': 'application/x-www-form-urlencoded' });
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { error: 'invalid_request', error_description: expect.stringContaining("'user_id'") },
    ]);
  });

  it('only token requests accept forms', async () => {
    const answer = await fixture.ask({
      method: 'POST',
      url: '/v1/users/ann/diary',
      payload: 'a=b',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect([answer.statusCode, answer.json().error.code]).toEqual([415, 'unsupported_media_type']);
  });
});

describe('an access token', () => {
  it('accesses only its own user, whether others exist or not', async () => {
    const token = await mint('ann');
    expect((await get('/v1/users/ann/diary?date=2030-01-01', token)).statusCode).toBe(200);
    for (const user of ['bob', 'Ann', 'ann%20', 'nobody']) {
      const answer = await get(`/v1/users/${user}/diary?date=2030-01-01`, token);
      expect([answer.statusCode, answer.json().error.code]).toEqual([403, 'forbidden']);
    }
  });

  it('calls its own user `me`', async () => {
    const token = await mint('ann');
    const entry = { date: '2030-01-02', mealType: 'lunch', foodName: 'Soup', calories: 100 };
    const headers = { authorization: `Bearer ${token}` };
    const written = await fixture.ask({ method: 'POST', url: '/v1/users/me/diary', payload: entry, headers });
    expect([written.statusCode, written.json().userId]).toEqual([201, 'ann']);
    expect((await get('/v1/users/ann/diary?date=2030-01-02', token)).json()).toEqual([written.json()]);
    expect((await get('/v1/users/me/diary?date=2030-01-02', token)).json()).toEqual([written.json()]);
    expect((await get(written.headers['location']!, token)).json()).toEqual(written.json());
    // A key acts for all users; one of them may have this name.
    expect((await get('/v1/users/me/diary?date=2030-01-02', key)).json()).toEqual([]);
  });

  it('has only its scopes', async () => {
    const token = await mint('ann', 'diary:read');
    expect((await get('/v1/foods/search?q=cola', token)).statusCode).toBe(403);
    expect((await get('/metrics', await mint('ann'))).statusCode).toBe(403);
  });

  it('is not accepted as x-api-key or client_secret', async () => {
    const token = await mint('ann');
    const unversioned = await fixture.ask({
      url: '/foods/search?q=cola',
      headers: { 'x-api-key': token },
    });
    const message = expect.stringContaining('Authorization: Bearer');
    expect([unversioned.statusCode, unversioned.json().error]).toMatchObject([
      401,
      { code: 'invalid_api_key', message },
    ]);
    const asSecret = await post({ client_secret: token, user_id: 'ann' });
    expect([asSecret.statusCode, asSecret.json()]).toEqual([
      401,
      { error: 'invalid_client', error_description: message },
    ]);
  });

  it('that is invalid is rejected with a challenge', async () => {
    const answer = await get('/v1/foods/search?q=cola', `${await mint('ann')}x`);
    expect([answer.statusCode, answer.json().error.code]).toEqual([401, 'invalid_token']);
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="larder", error="invalid_token"');
  });

  it('can be verified with the published keys only', async () => {
    const jwks = await fixture.ask('/.well-known/jwks.json');
    expect(jwks.headers['cache-control']).toBe('public, max-age=300');
    const { payload } = await jwtVerify(await mint('ann'), createLocalJWKSet(jwks.json()), {
      audience: 'larder',
    });
    expect(payload.sub).toBe('ann');
    expect(jwks.body).not.toContain('"d"');
  });

  it('is not logged, and neither is the key', async () => {
    const token = await mint('ann');
    await get('/v1/foods/search?q=cola', token);
    expect(fixture.log.join('')).not.toContain(token);
    expect(fixture.log.join('')).not.toContain(key);
  });
});
