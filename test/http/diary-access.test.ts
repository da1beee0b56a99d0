import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DiaryUsers, type Method, openDiaryUsers, SOUP } from '../support/diary-users.ts';

let users: DiaryUsers;
let newUser: DiaryUsers['newUser'];
let otherTenantsKey: string;
beforeAll(async () => {
  users = await openDiaryUsers();
  ({ newUser } = users);
  otherTenantsKey = await users.fixture.createKey(
    ['diary:read', 'diary:write', 'diary:erase'],
    undefined,
    'other',
  );
});
afterAll(() => users[Symbol.asyncDispose]());

describe('access to a diary', () => {
  it('another tenant gets exactly the response for missing data', async () => {
    const { path, send } = newUser();
    const { id } = (await send('POST', '/diary', SOUP)).json();
    const asOther = (method: Method, rest: string) =>
      users.fixture.ask({
        method,
        url: path + rest,
        headers: { authorization: `Bearer ${otherTenantsKey}`, 'x-request-id': 'same-request-id' },
      });
    for (const method of ['GET', 'DELETE'] as const) {
      const there = await asOther(method, `/diary/${id}`);
      const nowhere = await asOther(method, '/diary/01ARZ3NDEKTSV4RRFFQ69G5FAV');
      expect([there.statusCode, there.body]).toEqual([404, nowhere.body]);
    }
    expect((await asOther('GET', '/diary?date=2026-01-31')).body).toBe('[]');
    expect((await asOther('DELETE', '')).statusCode).toBe(204);
    expect((await send('GET', `/diary/${id}`)).statusCode).toBe(200);
  });

  it('an erased user has no data left', async () => {
    const { send } = newUser();
    const { id } = (await send('POST', '/diary', SOUP)).json();
    await send('PUT', '/goals', { calories: 2000 });
    expect((await send('DELETE', '')).statusCode).toBe(204);
    expect((await send('GET', `/diary/${id}`)).statusCode).toBe(404);
    expect((await send('GET', '/diary/export')).body).toBe('[]');
    expect((await send('GET', '/goals')).body).toBe('{}');
  });

  it.each([
    ['GET', '/diary?date=2026-01-31', 'diary:read'],
    ['POST', '/diary', 'diary:write'],
    ['DELETE', '', 'diary:erase'],
  ] as const)('%s %s needs the scope %s', async (method, rest, scope) => {
    const { path } = newUser();
    const answer = await users.fixture.ask({
      method,
      url: path + rest,
      headers: { authorization: `Bearer ${users.fixture.key}` },
    });
    expect([answer.statusCode, answer.json().error.details]).toEqual([403, { scope }]);
  });

  it('a user id that is too long or has a space or control character is rejected', async () => {
    for (const userId of ['%00', 'a%20b', 'x'.repeat(129)]) {
      const url = `/v1/users/${userId}/diary?date=2026-01-31`;
      const answer = await users.fixture.ask({
        url,
        headers: { authorization: `Bearer ${users.key}` },
      });
      expect([answer.statusCode, answer.json().error.details]).toEqual([400, { fields: ['userId'] }]);
    }
  });
});

describe('a user token', () => {
  it('accesses its own user only: 403 for any other id, existing or not', async () => {
    const { send, path, id } = newUser();
    await send('POST', '/diary', SOUP);
    const headers = await users.tokenOf(id);
    const own = await users.fixture.ask({ url: `${path}/diary?date=2026-01-31`, headers });
    expect([own.statusCode, own.json().length]).toEqual([200, 1]);
    for (const other of ['user%2F1%22x%22', 'nobody']) {
      for (const rest of ['/diary?date=2026-01-31', '/diary/totals?date=2026-01-31', '/recipes', '/goals']) {
        const refused = await users.fixture.ask({ url: `/v1/users/${other}${rest}`, headers });
        expect([refused.statusCode, refused.json().error.code]).toEqual([403, 'forbidden']);
      }
    }
  });

  it('has its stored responses erased with everything else', async () => {
    const { send, path, id } = newUser();
    const headers = { ...(await users.tokenOf(id)), 'idempotency-key': 'lunch' };
    const post = () => users.fixture.ask({ method: 'POST', url: `${path}/diary`, headers, payload: SOUP });
    const first = await post();
    expect((await post()).body).toBe(first.body);
    await send('DELETE', '');
    const anew = await post();
    expect([anew.statusCode, anew.headers['idempotency-replayed']]).toEqual([201, undefined]);
    expect(anew.json().id).not.toBe(first.json().id);
  });
});
