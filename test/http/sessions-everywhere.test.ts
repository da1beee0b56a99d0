import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OWN_KEY_SCOPES, type Scope, USER_SCOPES } from '../../src/access/api-key.ts';
import { type CallerAccess, isCallerAccess, type OperationDeclaration } from '../../src/api/operation.ts';
import { ALL_OPERATIONS } from '../../src/http/all-operations.ts';
import { BANANA } from '../support/foods.ts';
import { type Member, type OpenHousehold, openHousehold } from '../support/household.ts';

type Guarded = OperationDeclaration & { readonly access: CallerAccess };
/** Operations that accept a session, in the order of the document. */
const guarded = (ALL_OPERATIONS as readonly OperationDeclaration[]).filter(
  (operation): operation is Guarded =>
    isCallerAccess(operation.access) &&
    operation.access.credential === 'bearer' &&
    operation.path.startsWith('/v1/'),
);
const ofUsers = guarded.filter(({ path }) => path.includes(':userId'));
const named = (operations: readonly Guarded[]) =>
  operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const);

let nowMs = Date.now();
let household: OpenHousehold;
let ann: Member;
let bob: Member;
beforeAll(async () => {
  household = await openHousehold({ nowMs: () => nowMs });
  ({ ann } = household);
  bob = await household.invite('Bob');
});
afterAll(() => household[Symbol.asyncDispose]());

/** Calls an operation about Ann. */
async function call(operation: Guarded, headers: Record<string, string>): Promise<string> {
  const { statusCode, json } = await answerTo(operation, headers);
  return statusCode === 403 ? `403 ${json().error.message}` : 'passed';
}

function answerTo(operation: Guarded, headers: Record<string, string>) {
  const { method, path, body } = operation;
  const params: Record<string, string> = { userId: ann.id, id: BANANA.id, upc: '96385074' };
  const isFile = typeof body === 'object' && 'file' in body;
  const payload = isFile ? body.sample : typeof body === 'object' ? (body.example as object) : undefined;
  return household.fixture.ask({
    method: method as 'GET',
    leavesEarly: path.endsWith('/changes/stream'),
    url: path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(params[name] ?? 'none')),
    headers: { ...headers, ...(isFile && { 'content-type': body.file[0] }) },
    ...(payload !== undefined && { payload }),
  });
}

async function share(access: string): Promise<void> {
  await ann.ask('PUT', '/v1/people/me/sharing', { default: access, people: {} });
  // Rights are cached for half a second.
  nowMs += 1_000;
}
const asBob = () => ({ cookie: bob.cookie, origin: household.origin });

const changing = guarded.filter(({ method }) => method !== 'GET');
test.each(named(changing))('%s rejects a session from a page of another origin', async (_, operation) => {
  for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }, {}]) {
    const answer = await call(operation, { cookie: ann.cookie, ...(headers as Record<string, string>) });
    expect(answer).toContain('403 A session is taken from pages of');
  }
});

const beyond = guarded.filter(
  ({ access: { scope } }) => scope !== undefined && !(USER_SCOPES as readonly string[]).includes(scope),
);
test.each(named(beyond))('%s rejects members', async (_, operation) => {
  expect(await call(operation, asBob())).toContain('403 This needs the scope');
});

describe('the diary of somebody who shares', () => {
  const ALONE = '403 Only this person may do this.';

  test('no operation is closed to others', async () => {
    await share('none');
    for (const operation of ofUsers)
      expect([operation.id, await call(operation, asBob())]).toEqual([
        operation.id,
        operation.access.alone ? ALONE : '403 This person does not share the diary with you.',
      ]);
  });

  test('read access allows all reads', async () => {
    await share('read');
    for (const operation of ofUsers) {
      const { alone, scope } = operation.access;
      const refused = alone ? ALONE : '403 You may read the diary of this person, but not change it.';
      const isOpen = alone !== true && scope === 'diary:read';
      expect([operation.id, await call(operation, asBob())]).toEqual([
        operation.id,
        isOpen ? 'passed' : refused,
      ]);
      expect(scope === 'diary:read').toBe(operation.method === 'GET' || operation.readsOnly === true);
    }
  });

  test('write access allows all writes except those for the person only', async () => {
    await share('write');
    for (const operation of ofUsers)
      expect([operation.id, await call(operation, asBob())]).toEqual([
        operation.id,
        operation.access.alone ? ALONE : 'passed',
      ]);
    expect(ofUsers.filter(({ access }) => access.alone).map(({ id }) => id)).toEqual([
      'exportDiary',
      'putUserSettings',
      'changeUserSettings',
      'createChangesTicket',
      'exportUser',
      'importUser',
      'eraseUser',
    ]);
  });
});

describe('a key for own apps', () => {
  const OF_SESSIONS = /^\/v1\/(?:people|sessions?|invitations)(?:\/|$)/;
  let key: Record<string, string>;
  beforeAll(async () => {
    const made = await bob.ask('POST', '/v1/people/me/keys', { scopes: OWN_KEY_SCOPES });
    key = { authorization: `Bearer ${made.json().key}` };
    await share('write');
  });

  /** What Bob's key may do with Ann's diary, his own data and the service. */
  const expected = ({ path, access: { scope } }: Guarded) => {
    if (scope !== undefined && !OWN_KEY_SCOPES.includes(scope as Scope as never))
      return `403 This needs the scope ${scope}, which the credential does not have.`;
    if (path.includes(':userId')) return '403 This credential is for another user.';
    return 'passed';
  };

  test.each(named(guarded))(
    '%s is open only for the own user, whatever others share',
    async (_, operation) => {
      const answer = await answerTo(operation, key);
      const isRefused = answer.statusCode === 403;
      expect(isRefused ? `403 ${answer.json().error.message}` : 'passed').toBe(expected(operation));
      if (OF_SESSIONS.test(operation.path)) expect(answer.statusCode).toBe(404);
      expect(answer.statusCode).not.toBe(401);
    },
  );
});
