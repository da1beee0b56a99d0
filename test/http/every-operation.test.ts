import { describe, expect, it } from 'vitest';
import { APP_SCOPES, SCOPES } from '../../src/access/api-key.ts';
import { type CallerAccess, isCallerAccess, type OperationDeclaration } from '../../src/api/operation.ts';
import { shapeOf } from '../../src/api/validation.ts';
import { buildPage } from '../../src/app/processes/service.ts';
import { readConfig } from '../../src/config/config.ts';
import { ALL_OPERATIONS } from '../../src/http/all-operations.ts';
import { DOCUMENT_FILES } from '../../src/http/openapi/document-files.ts';
import { isTokenAddress } from '../../src/http/server/oauth-error.ts';
import { ScanStore } from '../../src/scan/jobs/scan-store.ts';
import { wholeDocument } from '../../tools/client/whole-document.ts';
import { DescribedAnswers } from '../support/described-answers.ts';
import { BANANA } from '../support/foods.ts';
import { MemoryLog } from '../support/memory-log.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

/** Ids of objects that tenant `acme` and its user ann have. */
interface Owned {
  readonly entryId: string;
  readonly recipeId: string;
  readonly keyId: string;
  /** Settled, so that its stream ends. */
  readonly measurementId: string;
  readonly mealId: string;
  readonly favouriteId: string;
  readonly jobId: string;
  readonly webhookId: string;
  readonly deliveryId: string;
}

const ABSENT: Owned = {
  entryId: '01900000-0000-7000-8000-000000000000',
  recipeId: 'none',
  measurementId: '01900000-0000-7000-8000-000000000000',
  mealId: '01900000-0000-7000-8000-000000000000',
  favouriteId: '01900000-0000-7000-8000-000000000000',
  keyId: 'aaaaaaaaaaaa',
  jobId: '01kg9v3h00000xw5m8kq2nce7a',
  webhookId: '01KG9V4N00000000000000NONE',
  deliveryId: '0'.repeat(32),
};
/** Operations that reject missing objects: the link was used, and no OpenID provider is configured. */
const NOT_THERE = ['createPerson', 'resetPassword', 'startOpenId', 'joinByOpenId', 'finishOpenId'];
/** Request headers of operations that read them. */
const QUERY = { q: 'banana', date: '2030-01-01', ticket: 'none', ids: BANANA.id };
const PUBLIC_PARAMS = {
  ...{ importId: 'none', catalogueId: 'none', date: '2030-01-01' },
  ...{ upc: '96385074', id: BANANA.id },
  // Only sessions have them, so that keys find none: people.test.ts and people-access.test.ts.
  ...{ personId: 'none', sessionId: 'none', invitationId: 'none', identityId: 'none', ownKeyId: 'none' },
};

const PAGE = { LARDER_WEBHOOKS_PER_TENANT: '100' };
await buildPage(readConfig(PAGE), new MemoryLog().logger);
const fixture = await openTestServer({ settings: PAGE });
const acme = await fixture.createKey(SCOPES, undefined, 'acme');
const stranger = await fixture.createKey(APP_SCOPES, undefined, 'stranger');

const { versioned, unversioned } = DOCUMENT_FILES;
const read = async (file: string) => (await fixture.ask(`/${file}`)).json();
const described = new DescribedAnswers(wholeDocument(await read(versioned), await read(unversioned)));

type Guarded = OperationDeclaration & { readonly access: CallerAccess };
const isGuarded = (operation: OperationDeclaration): operation is Guarded => isCallerAccess(operation.access);
const named = <Declared extends OperationDeclaration>(operations: readonly Declared[]) =>
  operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const);
const operations: readonly OperationDeclaration[] = ALL_OPERATIONS;
const guarded = operations.filter(isGuarded);

/** The example of the declared body. */
function exampleOf({ body }: OperationDeclaration): object | undefined {
  return typeof body === 'object' && 'example' in body ? (body.example as object) : undefined;
}

/** A valid file for the operation. */
function fileOf({ body }: OperationDeclaration) {
  return typeof body === 'object' && 'file' in body
    ? { type: body.file[0], content: body.sample }
    : undefined;
}

function call(
  operation: OperationDeclaration,
  credential: string | undefined,
  params: Record<string, string> = {},
) {
  const known: Record<string, string> = { ...PUBLIC_PARAMS, ...ABSENT, userId: 'ann', ...params };
  const url = operation.path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(known[name]!));
  const kind = isCallerAccess(operation.access) ? operation.access.credential : undefined;
  const example = exampleOf(operation);
  const names = operation.query === undefined ? [] : Object.keys(shapeOf(operation.query));
  const query = Object.entries(QUERY).filter(([name]) => names.includes(name));
  const file = fileOf(operation);
  const secret = kind === 'client-secret' ? { client_secret: credential } : {};
  return fixture.ask({
    method: operation.method,
    // Only the reader ends this stream.
    leavesEarly: operation.path.endsWith('/changes/stream'),
    url: `${url}?${new URLSearchParams(query)}`,
    headers: {
      'x-request-id': 'the-same',
      ...(credential !== undefined && kind === 'bearer' && { authorization: `Bearer ${credential}` }),
      ...(credential !== undefined && kind === 'x-api-key' && { 'x-api-key': credential }),
      ...(file && { 'content-type': file.type }),
    },
    ...(example !== undefined && { payload: { ...example, ...secret } }),
    ...(file && { payload: file.content }),
  });
}

/** Properties of a response that the OpenAPI document does not describe. */
function undescribed(
  { method, path, tag }: OperationDeclaration,
  answer: Awaited<ReturnType<typeof call>>,
): string[] {
  if (tag === undefined) return [];
  return described.missingFor(`${method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')}`, answer);
}

async function keyWithout({ scope, orScope }: CallerAccess): Promise<string> {
  return fixture.createKey(
    SCOPES.filter((other) => other !== scope && other !== orScope),
    undefined,
    'acme',
  );
}

async function tokenOf(user: string): Promise<string> {
  const answer = await fixture.ask({
    method: 'POST',
    url: '/v1/auth/token',
    payload: { client_secret: acme, user_id: user },
  });
  return answer.json().access_token;
}

async function createOwned({ ask, database }: TestServer): Promise<Owned> {
  const post = async (url: string, payload?: object) => {
    const headers = { authorization: `Bearer ${acme}` };
    return (await ask({ method: 'POST', url, headers, ...(payload && { payload }) })).json();
  };
  const exampleAt = (path: string) =>
    exampleOf(guarded.find((operation) => operation.method === 'POST' && operation.path === path)!)!;
  const entry = {
    date: '2030-01-01',
    mealType: 'lunch',
    foodName: 'Soup',
    calories: 1,
    protein: 1,
    carbs: 1,
    fat: 1,
  };
  const { jobId } = await post('/v1/scan/image', exampleAt('/v1/scan/image'));
  const failure = { code: 'upload_expired', message: 'Too late.', retryable: true } as const;
  await new ScanStore(database).expireUpload({ tenant: 'acme', id: jobId }, failure, Date.now());
  const { id: webhookId } = await post('/v1/webhooks', exampleAt('/v1/webhooks'));
  return {
    webhookId,
    deliveryId: (await post(`/v1/webhooks/${webhookId}/test`)).id,
    entryId: (await post('/v1/users/ann/diary', entry)).id,
    recipeId: (await post('/v1/users/ann/recipes', exampleAt('/v1/users/:userId/recipes'))).id,
    measurementId: (await post('/v1/users/ann/measurements', exampleAt('/v1/users/:userId/measurements'))).id,
    mealId: (await post('/v1/users/ann/meals', exampleAt('/v1/users/:userId/meals'))).id,
    favouriteId: (await post('/v1/users/ann/favourites', exampleAt('/v1/users/:userId/favourites'))).id,
    keyId: (await post('/v1/keys', { scopes: ['scan'] })).id,
    jobId,
  };
}

describe.each(named(guarded))('%s', (_, operation) => {
  it('rejects requests without a valid credential', async () => {
    for (const credential of [undefined, 'nope', `${acme.slice(0, -1)}~`]) {
      const answer = await call(operation, credential);
      const { error } = answer.json();
      const expected = isTokenAddress(operation) ? 'invalid_client' : 'invalid_api_key';
      expect([answer.statusCode, error.code ?? error]).toEqual([401, expected]);
      expect(answer.headers['www-authenticate']).toBeDefined();
    }
  });

  it('accepts a caller with the required access', async () => {
    const answer = await call(operation, acme);
    expect([401, 403, 405, 415]).not.toContain(answer.statusCode);
    expect(answer.statusCode).toBeLessThan(500);
    expect(undescribed(operation, answer)).toEqual([]);
  });
});

const scoped = guarded.filter(({ access }) => access.scope !== undefined);
it.each(named(scoped))('%s rejects a key that has all scopes but the required one', async (_, operation) => {
  const { scope } = operation.access;
  const answer = await call(operation, await keyWithout(operation.access));
  expect([answer.statusCode, answer.json().error.code]).toEqual([403, 'forbidden']);
  expect(answer.json().error.details).toEqual({ scope });
});

const ofUsers = guarded.filter(({ path }) => path.includes(':userId'));
it.each(named(ofUsers))('%s rejects the token of another user, existing or not', async (_, operation) => {
  const token = await tokenOf('bob');
  const answers = [await call(operation, token), await call(operation, token, { userId: 'nobody' })];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 403]);
  expect(answers[0]!.body).toBe(answers[1]!.body);
});

// Operators may access all tenants.
const owning = guarded.filter(
  ({ path, access }) =>
    access.scope !== 'operator' && Object.keys(ABSENT).some((name) => path.includes(`:${name}`)),
);
it.each(named(owning))('%s responds to data of another tenant as to missing data', async (_, operation) => {
  const owned = await createOwned(fixture);
  const [foreign, absent] = [
    await call(operation, stranger, { ...owned }),
    await call(operation, stranger, { ...ABSENT }),
  ];
  expect(foreign.statusCode).toBe(404);
  expect(foreign.body).toBe(absent.body);
  expect(Object.keys(foreign.headers)).toEqual(Object.keys(absent.headers));
  const own = await call(operation, acme, { ...owned });
  expect(own.statusCode).toBeLessThan(300);
  expect(undescribed(operation, own)).toEqual([]);
});

it.each(named(operations.filter((operation) => !isGuarded(operation) && operation.counts !== 'uncounted')))(
  '%s needs no credential',
  async (_, operation) => {
    // A name or a link in the path acts as the credential.
    const isNamed = operation.path.includes(':') || NOT_THERE.includes(operation.id);
    const refused = ['createSession', 'signInByPasskey'].includes(operation.id) ? 403 : isNamed ? 404 : 200;
    expect((await call(operation, undefined)).statusCode).toBe(refused);
  },
);
