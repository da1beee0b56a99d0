import { expect } from 'vitest';
import { openTestServer, type TestServerOptions } from './test-server.ts';

export const SOUP = {
  date: '2026-01-31',
  mealType: 'lunch',
  foodName: 'Lentil soup "de luxe"',
  calories: 230.5,
  protein: 12.4,
  carbs: 31,
  fat: 5.2,
};

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** A server, and users of one tenant's diary, one for each test. Their ids need escaping in URLs. */
export async function openDiaryUsers(options?: TestServerOptions) {
  const fixture = await openTestServer(options);
  const key = await fixture.createKey(['diary:read', 'diary:write', 'diary:erase']);
  let users = 0;
  return {
    fixture,
    /** The token of the tenant. */
    key,
    newUser() {
      const path = `/v1/users/user%2F${++users}%22x%22`;
      const send = (method: Method, rest: string, payload?: unknown, headers: Record<string, string> = {}) =>
        fixture.ask({
          method,
          url: path + rest,
          headers: { authorization: `Bearer ${key}`, ...headers },
          ...(payload !== undefined && { payload: payload as object }),
        });
      return { path, id: `user/${users}"x"`, send };
    },
    /** Headers of a user's device. */
    async tokenOf(user: string): Promise<Record<string, string>> {
      const issued = await fixture.ask({
        method: 'POST',
        url: '/v1/auth/token',
        payload: { grant_type: 'client_credentials', client_secret: key, user_id: user },
      });
      expect(issued.statusCode).toBe(200);
      return { authorization: `Bearer ${issued.json().access_token}` };
    },
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

export type DiaryUsers = Awaited<ReturnType<typeof openDiaryUsers>>;
