import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { clusterSettings } from '../support/cluster-settings.ts';
import {
  cookieOf,
  linkIn,
  type Member,
  type OpenHousehold,
  openHousehold,
  PASSWORD,
} from '../support/household.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

const SOUP = { date: '2030-01-01', mealType: 'lunch', foodName: 'Soup', calories: 100 };

describe.skipIf(inject('cluster') === undefined)('a household on two nodes', () => {
  let nowMs = Date.now();
  let here: OpenHousehold;
  let there: TestServer;
  let ann: Member;
  beforeAll(async () => {
    const options = { cluster: await clusterSettings(), nowMs: () => nowMs };
    here = await openHousehold(options);
    there = await openTestServer(options);
    ({ ann } = here);
  });
  afterAll(async () => {
    await there[Symbol.asyncDispose]();
    await here[Symbol.asyncDispose]();
  });

  const askThere = (cookie: string, method: 'GET' | 'POST', url: string, payload?: object) =>
    there.ask({
      method,
      url,
      headers: { cookie, origin: `http://127.0.0.1:${there.port}` },
      ...(payload && { payload }),
    });
  const signInThere = (name: string, password: string) =>
    there.ask({ method: 'POST', url: '/v1/session', payload: { name, password } });
  /** Sessions and rights are cached for half a second. */
  const later = () => {
    nowMs += 1_000;
  };

  test('a person who joins on one node is known on the other, and changed rights apply within a second', async () => {
    const { url } = (await ann.ask('POST', '/v1/invitations')).json();
    const payload = { link: linkIn(url), name: 'Bob', password: PASSWORD };
    const joined = await there.ask({ method: 'POST', url: '/v1/people', payload });
    const [bob, cookie] = [joined.json(), cookieOf(joined)];
    expect((await here.post('/v1/people', { ...payload, name: 'X' })).statusCode).toBe(404);

    const diary = `/v1/users/${ann.id}/diary`;
    expect((await ann.ask('POST', diary, SOUP)).statusCode).toBe(201);
    expect((await askThere(cookie, 'GET', `${diary}?date=2030-01-01`)).json()).toHaveLength(1);
    expect((await askThere(cookie, 'POST', diary, SOUP)).statusCode).toBe(403);
    await ann.ask('PUT', '/v1/people/me/sharing', { default: 'none', people: { [bob.id]: 'write' } });
    later();
    expect((await askThere(cookie, 'POST', diary, SOUP)).statusCode).toBe(201);
    await ann.ask('PUT', '/v1/people/me/sharing', { default: 'none', people: {} });
    later();
    expect((await askThere(cookie, 'GET', `${diary}?date=2030-01-01`)).statusCode).toBe(403);

    const own = `/v1/users/${bob.id}/diary`;
    expect((await askThere(cookie, 'POST', own, SOUP)).statusCode).toBe(201);
    expect((await ann.ask('DELETE', `/v1/people/${bob.id}`)).statusCode).toBe(204);
    later();
    expect((await askThere(cookie, 'GET', '/v1/session')).statusCode).toBe(401);
    const authorization = `Bearer ${await there.createKey(['diary:read'])}`;
    const left = await there.ask({ url: `${own}?date=2030-01-01`, headers: { authorization } });
    expect(left.json()).toEqual([]);
  });

  test('a new password on one node ends sessions on the other, and failed sign-ins on both are counted together', async () => {
    await here.invite('Cem');
    const cookie = cookieOf(await signInThere('Cem', PASSWORD));
    const cem = await here.signIn('Cem');
    const change = { current: PASSWORD, new: 'porridge with plums' };
    expect((await cem.ask('PUT', '/v1/people/me/password', change)).statusCode).toBe(204);
    later();
    expect((await askThere(cookie, 'GET', '/v1/session')).statusCode).toBe(401);
    expect((await signInThere('Cem', PASSWORD)).statusCode).toBe(403);

    const statuses = [];
    for (let at = 0; at < 11; at++) {
      const guess = { name: 'Dan', password: `guess ${at}` };
      const node = at % 2 === 0 ? there : here.fixture;
      statuses.push((await node.ask({ method: 'POST', url: '/v1/session', payload: guess })).statusCode);
    }
    expect(statuses).toEqual([...Array(10).fill(403), 429]);
  });
});
