import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Member, type OpenHousehold, openHousehold, PASSWORD } from '../support/household.ts';

const REAUTH_MS = 300_000;
const YEAR_MS = 365 * 86_400_000;

let nowMs = Date.now();
let household: OpenHousehold;
let ann: Member;
let people = 0;
const owners = new Map<string, Member>();
beforeAll(async () => {
  household = await openHousehold({ nowMs: () => nowMs, settings: { LARDER_REAUTH_SECONDS: '300' } });
  ann = household.ann;
  // Tries of a person are counted by the clock of the machine.
  for (const name of Object.keys(GUARDED)) owners.set(name, await household.invite(name, 'owner'));
});
afterAll(() => household[Symbol.asyncDispose]());

const codeOf = ({ statusCode, body }: Awaited<ReturnType<Member['ask']>>) =>
  statusCode < 400 ? statusCode : JSON.parse(body).error.code;
const grow = (ms: number) => {
  nowMs += ms;
};
const keyOfTenant = { tenant: 'default', scopes: ['foods:read'] };

/** What a stolen or forgotten session of an owner must not do, with what answers where the person has just signed in. */
const GUARDED: Readonly<Record<string, readonly [method: string, url: string, body?: object]>> = {
  'an own key': ['POST', '/v1/people/me/keys', { scopes: ['foods:read'] }],
  'a key of a tenant': ['POST', '/v1/keys', keyOfTenant],
  'the successor of a key': ['POST', '/v1/keys/000000000000/rotate', {}],
  'a linked account': ['POST', '/v1/people/me/identities'],
  'the backup': ['GET', '/v1/operator/backup'],
  'another role': ['PATCH', '/v1/people/nobody', { role: 'owner' }],
  'the invitation of an owner': ['POST', '/v1/invitations', { role: 'owner' }],
  'a link for the password of a member': ['POST', '/v1/people/nobody/password-link'],
  'removing a person': ['DELETE', '/v1/people/nobody'],
  'erasing the own data': ['DELETE', '/v1/users/me'],
};

test.each(Object.entries(GUARDED))(
  '%s needs a proof of the last five minutes',
  async (name, [method, url, body]) => {
    const owner = owners.get(name)!;
    expect((await owner.confirm()).statusCode).toBe(204);
    const path = url.replace('/users/me', `/users/${owner.id}`);
    expect(codeOf(await owner.ask(method, path, body))).not.toBe('confirmation_required');
    grow(REAUTH_MS);
    const refused = await owner.ask(method, path, body);
    expect([refused.statusCode, refused.json().error.code, refused.json().error.details]).toEqual([
      403,
      'confirmation_required',
      { methods: ['password'], maxAgeSeconds: 300 },
    ]);
    const wrong = await owner.ask('POST', '/v1/session/confirm', { password: 'wrong password' });
    expect([wrong.statusCode, codeOf(wrong)]).toEqual([403, 'forbidden']);
    expect(codeOf(await owner.ask(method, path, body))).toBe('confirmation_required');
    expect((await owner.confirm()).statusCode).toBe(204);
    expect(codeOf(await owner.ask(method, path, body))).not.toBe('confirmation_required');
    grow(60_000);
  },
);

test('a page of another origin does not confirm, and the guesses of a session are counted', async () => {
  const owner = await household.signIn('Ann');
  const headers = { origin: 'https://evil.example' };
  const answer = await owner.ask('POST', '/v1/session/confirm', { password: PASSWORD }, headers);
  expect([answer.statusCode, codeOf(answer)]).toEqual([403, 'forbidden']);
});

test('keys and tokens prove nothing: their scopes decide, and only `diary:erase` erases', async () => {
  const { createKey } = household.fixture;
  const erase = async (key: string) =>
    household.fixture.ask({
      method: 'DELETE',
      url: '/v1/users/of-an-app',
      headers: { authorization: `Bearer ${key}` },
    });
  expect(codeOf(await erase(await createKey(['diary:read', 'diary:write'])))).toBe('forbidden');
  const key = await createKey(['diary:erase', 'diary:write']);
  expect(codeOf(await erase(key))).toBe(204);
  const tokenWith = async (scope?: string) =>
    (
      await household.post('/v1/auth/token', {
        client_secret: key,
        user_id: 'of-an-app',
        ...(scope && { scope }),
      })
    ).json();
  expect(codeOf(await erase((await tokenWith()).access_token))).toBe('forbidden');
  expect(codeOf(await erase((await tokenWith('diary:erase')).access_token))).toBe(204);
  await ann.confirm();
  expect(codeOf(await ann.ask('POST', '/v1/people/me/keys', { scopes: ['diary:erase'] }))).toBe(
    'invalid_request',
  );
});

test('a sign-in ends the session that the browser had', async () => {
  const name = `Member ${++people}`;
  const bob = await household.invite(name);
  const again = await household.post('/v1/session', { name, password: PASSWORD }, { cookie: bob.cookie });
  expect(again.statusCode).toBe(201);
  grow(1_000);
  expect((await bob.ask('GET', '/v1/session')).statusCode).toBe(401);
});

test('a changed password ends keys and linked accounts where the person asks for it', async () => {
  const cem = await household.invite(`Member ${++people}`);
  const { key } = (await cem.ask('POST', '/v1/people/me/keys', { scopes: ['foods:read'] })).json();
  const search = async () =>
    (
      await household.fixture.ask({
        url: '/v1/foods/search?q=banana',
        headers: { authorization: `Bearer ${key}` },
      })
    ).statusCode;
  const change = (current: string, next: string, more: object = {}) =>
    cem.ask('PUT', '/v1/people/me/password', { current, new: next, ...more });
  expect((await change(PASSWORD, 'porridge with plums')).statusCode).toBe(204);
  grow(1_000);
  expect(await search()).toBe(200);
  const answer = await change('porridge with plums', PASSWORD, { endKeys: true, unlink: true });
  expect(answer.statusCode).toBe(204);
  grow(1_000);
  expect(await search()).toBe(401);
});

test('a session ends a year after the sign-in, however often it is used', async () => {
  const bob = await household.invite(`Member ${++people}`);
  const start = nowMs;
  for (; nowMs - start < YEAR_MS - 61 * 86_400_000; grow(60 * 86_400_000))
    expect((await bob.ask('GET', '/v1/session')).statusCode).toBe(200);
  const { session } = (await bob.ask('GET', '/v1/session')).json();
  expect(Date.parse(session.expiresAt)).toBe(start + YEAR_MS);
  nowMs = start + YEAR_MS;
  expect((await bob.ask('GET', '/v1/session')).statusCode).toBe(401);
});
