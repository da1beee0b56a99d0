import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenHousehold, openHousehold, PASSWORD, setCookies } from '../support/household.ts';

let household: OpenHousehold;
beforeAll(async () => {
  household = await openHousehold({ trustedProxies: ['127.0.0.1'] });
});
afterAll(() => household[Symbol.asyncDispose]());

/** A sign-in from an address of the documentation's networks. */
function signIn(name: string, password: string, from: string, cookie?: string) {
  const headers = { 'x-forwarded-for': from, ...(cookie !== undefined && { cookie }) };
  return household.post('/v1/session', { name, password }, headers);
}

test('a network may try a name ten times a minute, without blocking other names or networks', async () => {
  const statuses = [];
  for (let at = 0; at < 11; at++) statuses.push((await signIn('Ann', `guess ${at}`, '192.0.2.1')).statusCode);
  expect(statuses).toEqual([...Array(10).fill(403), 429]);
  const refused = await signIn('ÁNN', PASSWORD, '192.0.2.1');
  expect([refused.statusCode, Number(refused.headers['retry-after'])]).toEqual([429, 60]);
  expect((await signIn('Nobody', PASSWORD, '192.0.2.1')).statusCode).toBe(403);
  expect((await signIn('Ann', PASSWORD, '192.0.2.2')).statusCode).toBe(201);
  // One subscriber has a whole IPv6 network.
  const of = (host: number) => signIn('Sixth', 'guess', `2001:db8::${host}`);
  for (let at = 0; at < 10; at++) expect((await of(at)).statusCode).toBe(403);
  expect((await of(11)).statusCode).toBe(429);
});

test('a new password invalidates the marks of all devices', async () => {
  const eve = await household.invite('Eve');
  const [, mark] = setCookies(await signIn('Eve', PASSWORD, '192.0.2.9')) as [string, string];
  const changed = await eve.ask('PUT', '/v1/people/me/password', {
    current: PASSWORD,
    new: 'a new password',
  });
  const [fresh] = setCookies(changed) as [string];
  expect([changed.statusCode, fresh === mark]).toEqual([204, false]);
  for (let at = 0; at < 10; at++) await signIn('Eve', 'x', '192.0.2.8');
  expect((await signIn('Eve', 'a new password', '192.0.2.8', mark)).statusCode).toBe(429);
  expect((await signIn('Eve', 'a new password', '192.0.2.8', fresh)).statusCode).toBe(201);
});

test('a session may try its password ten times a minute', async () => {
  const fay = await household.invite('Fay');
  const change = () => fay.ask('PUT', '/v1/people/me/password', { current: 'wrong', new: 'a new password' });
  for (let at = 0; at < 10; at++) expect((await change()).statusCode).toBe(403);
  expect((await change()).statusCode).toBe(429);
});
