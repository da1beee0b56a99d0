import { keepOwnerLink } from '../../src/people/owner-link.ts';
import { PeopleStore } from '../../src/people/people-store.ts';
import type { HttpClient } from './http-client.ts';
import { openTestServer, type TestServerOptions } from './test-server.ts';

export const PASSWORD = 'eggs and toast';
export type Answer = Awaited<ReturnType<HttpClient['ask']>>;

/** A person with a session. */
export interface Member {
  readonly id: string;
  readonly name: string;
  readonly cookie: string;
  /** Proves again who the person is. */
  confirm(): Promise<Answer>;
  ask(method: string, url: string, payload?: object, headers?: Record<string, string>): Promise<Answer>;
}

/** A server with an owner called Ann. */
export async function openHousehold(options: TestServerOptions = {}) {
  const fixture = await openTestServer(options);
  const origin = `http://127.0.0.1:${fixture.port}`;
  const { dataDir, database } = fixture;

  function asMember(answer: Answer): Member {
    if (answer.statusCode !== 201) throw new Error(answer.body);
    const cookie = cookieOf(answer);
    const { id, name } = answer.json();
    const ask: Member['ask'] = (method, url, payload, headers) =>
      fixture.ask({
        method: method as 'GET',
        url,
        headers: { cookie, origin, ...headers },
        ...(payload && { payload }),
      });
    const confirm = () => ask('POST', '/v1/session/confirm', { password: PASSWORD });
    return { id, name, cookie, ask, confirm };
  }
  const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
    fixture.ask({ method: 'POST', url, payload, headers });
  const join = async (link: string, name: string, headers?: Record<string, string>) =>
    asMember(await post('/v1/people', { link, name, password: PASSWORD }, headers));
  const kept = await keepOwnerLink(new PeopleStore(database), { dataDir, url: origin });
  const ann = await join(linkIn(kept!.text), 'Ann');
  return {
    fixture,
    origin,
    ann,
    post,
    signIn: async (name: string, headers?: Record<string, string>, password = PASSWORD) =>
      asMember(await post('/v1/session', { name, password }, headers)),
    /** Joins by an invitation of Ann. */
    async invite(name: string, role = 'member'): Promise<Member> {
      const invitation = await ann.ask('POST', '/v1/invitations', { role });
      return join(linkIn(invitation.json().url), name);
    },
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

export type OpenHousehold = Awaited<ReturnType<typeof openHousehold>>;

export function linkIn(url: string): string {
  return url.split('/welcome#link=')[1]!;
}

export function cookieOf(answer: Answer): string {
  return setCookies(answer)[0]!;
}

/** Names and values of all cookies that a response sets. */
export function setCookies({ headers }: Answer): string[] {
  const set = headers['set-cookie'] as unknown as string[] | undefined;
  return (set ?? []).map((cookie) => cookie.split(';')[0]!);
}
