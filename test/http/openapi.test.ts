import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_DETAILS } from '@larder/core/error-details.ts';
import type { ErrorCode } from '@larder/core/errors.ts';
import { dereference, validate } from '@scalar/openapi-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCOPES } from '../../src/access/api-key.ts';
import { ALL_OPERATIONS } from '../../src/http/all-operations.ts';
import { describedApi } from '../../src/http/openapi/described-api.ts';
import { type ApiVariant, DOCUMENT_FILES } from '../../src/http/openapi/document-files.ts';
import { wholeDocument } from '../../tools/client/whole-document.ts';
import { DescribedAnswers } from '../support/described-answers.ts';
import { SOUP } from '../support/diary-users.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const VARIANTS = Object.entries(DOCUMENT_FILES) as [ApiVariant, string][];

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly in: string; readonly name: string; readonly required: boolean }[];
  readonly requestBody?: { readonly content: Record<string, { readonly example?: object }> };
  readonly security: readonly unknown[];
  readonly responses: Record<string, { readonly $ref: string }>;
}
interface ErrorAnswer {
  readonly content: Record<string, { readonly schema: unknown; readonly examples?: object }>;
}

type Document = {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: {
    readonly responses: Record<string, ErrorAnswer>;
    readonly headers: object;
    readonly securitySchemes: object;
  };
};

let fixture: TestServer;
let documents: Readonly<Record<ApiVariant, Document>>;
/** Both documents as one. */
let document: Document;
/** The examples of an error that operations share, by code. */
const examplesOf = ({ $ref }: { readonly $ref: string }) =>
  document.components.responses[$ref.split('/').at(-1)!]!.content['application/json']!.examples!;
let described: DescribedAnswers;
let key: string;
beforeAll(async () => {
  fixture = await openTestServer();
  const read = async (variant: ApiVariant) => (await fixture.ask(`/${DOCUMENT_FILES[variant]}`)).json();
  documents = { versioned: await read('versioned'), unversioned: await read('unversioned') };
  document = wholeDocument(documents.versioned, documents.unversioned);
  described = new DescribedAnswers(document);
  key = await fixture.createKey(['diary:read', 'diary:write']);
});
afterAll(() => fixture[Symbol.asyncDispose]());

describe.each(VARIANTS)('the %s document', (variant, file) => {
  it('is served as committed; "npm run openapi" updates the file', () => {
    expect(documents[variant]).toEqual(JSON.parse(readFileSync(join(ROOT, file), 'utf8')));
    expect(documents[variant]).toEqual(JSON.parse(JSON.stringify(describedApi(variant))));
  });

  it('is a valid OpenAPI 3.1 document without unused components', async () => {
    expect(await validate(documents[variant])).toMatchObject({ valid: true, version: '3.1' });
    expect(dereference(documents[variant]).errors).toEqual([]);
    const { components } = documents[variant];
    const used = JSON.stringify(documents[variant]);
    const unused = Object.keys(components.headers).filter((name) => !used.includes(`headers/${name}"`));
    expect(unused).toEqual([]);
  });
});

it('has every operation with a tag in exactly one document', () => {
  const namesOf = ({ paths }: Document) =>
    Object.entries(paths).flatMap(([path, item]) => Object.keys(item).map((method) => `${method} ${path}`));
  const declared = ALL_OPERATIONS.filter(({ tag }) => tag !== undefined).map(
    ({ method, path }) => `${method.toLowerCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
  );
  const { versioned, unversioned } = documents;
  expect([...namesOf(versioned), ...namesOf(unversioned)].toSorted()).toEqual(declared.toSorted());
  const credentials = (which: Document) => Object.keys(which.components.securitySchemes);
  expect(credentials(versioned)).toEqual(['bearer', 'basic']);
  expect(credentials(unversioned)).toEqual(['x-api-key']);
  const withoutPrefix = Object.keys(versioned.paths).filter((path) => !path.startsWith('/v1/'));
  expect(withoutPrefix).toEqual(['/.well-known/jwks.json', '/', '/healthz', '/readyz', '/metrics']);
  expect(Object.keys(unversioned.paths).filter((path) => path.startsWith('/v1/'))).toEqual([]);
});

it('marks required parameters', () => {
  const required = Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .map(({ operationId, parameters }) => [
      operationId,
      parameters.filter((each) => each.in !== 'path' && each.required).map(({ name }) => name),
    ])
    .filter(([, names]) => names!.length > 0);
  expect(Object.fromEntries(required)).toEqual({
    getFoodByCode: ['code'],
    getFoods: ['ids'],
    listDiaryEntries: ['date'],
    listDiaryEntriesOfRange: ['from', 'to'],
    getDiaryTotals: ['date'],
    listDailyTotals: ['from', 'to'],
    followChanges: ['ticket'],
    followScan: ['ticket'],
    unversionedGetFoodByCode: ['code'],
  });
});

it('describes every operation with its errors and an example', () => {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [`${method} ${path}`, operation] as const),
  );
  expect(operations.map(([name]) => name)).toEqual([
    'get /v1/foods/search',
    'post /v1/foods/parse',
    'get /v1/foods/barcode/{upc}',
    'get /v1/foods/barcode',
    'get /v1/foods/{id}',
    'patch /v1/foods/{id}',
    'delete /v1/foods/{id}',
    'get /v1/foods/{id}/facts',
    'get /v1/nutrients',
    'post /v1/foods',
    'get /v1/foods',
    'get /v1/foods/batch',
    'post /v1/foods/import',
    'post /v1/users/{userId}/diary',
    'get /v1/users/{userId}/diary',
    'post /v1/users/{userId}/diary/batch',
    'patch /v1/users/{userId}/diary/batch',
    'post /v1/users/{userId}/diary/text',
    'post /v1/users/{userId}/diary/scan',
    'get /v1/users/{userId}/diary/{entryId}',
    'patch /v1/users/{userId}/diary/{entryId}',
    'delete /v1/users/{userId}/diary/{entryId}',
    'post /v1/users/{userId}/diary/batch/delete',
    'get /v1/users/{userId}/diary/entries',
    'get /v1/users/{userId}/diary/totals',
    'get /v1/users/{userId}/diary/totals/days',
    'get /v1/users/{userId}/diary/notes',
    'post /v1/users/{userId}/diary/copy',
    'get /v1/users/{userId}/diary/export',
    'post /v1/users/{userId}/recipes',
    'get /v1/users/{userId}/recipes',
    'get /v1/users/{userId}/recipes/{recipeId}',
    'patch /v1/users/{userId}/recipes/{recipeId}',
    'delete /v1/users/{userId}/recipes/{recipeId}',
    'post /v1/users/{userId}/measurements',
    'get /v1/users/{userId}/measurements',
    'get /v1/users/{userId}/measurements/{measurementId}',
    'patch /v1/users/{userId}/measurements/{measurementId}',
    'delete /v1/users/{userId}/measurements/{measurementId}',
    'get /v1/users/{userId}/diary/days',
    'get /v1/users/{userId}/diary/days/{date}',
    'put /v1/users/{userId}/diary/days/{date}',
    'patch /v1/users/{userId}/diary/days/{date}',
    'post /v1/users/{userId}/meals',
    'get /v1/users/{userId}/meals',
    'get /v1/users/{userId}/meals/{mealId}',
    'patch /v1/users/{userId}/meals/{mealId}',
    'delete /v1/users/{userId}/meals/{mealId}',
    'post /v1/users/{userId}/favourites',
    'get /v1/users/{userId}/favourites',
    'get /v1/users/{userId}/favourites/{favouriteId}',
    'patch /v1/users/{userId}/favourites/{favouriteId}',
    'delete /v1/users/{userId}/favourites/{favouriteId}',
    'get /v1/users/{userId}/settings',
    'put /v1/users/{userId}/settings',
    'patch /v1/users/{userId}/settings',
    'post /v1/users/{userId}/meals/{mealId}/log',
    'get /v1/users/{userId}/goals',
    'put /v1/users/{userId}/goals',
    'patch /v1/users/{userId}/goals',
    'delete /v1/users/{userId}/goals',
    'get /v1/users/{userId}/foods/recent',
    'get /v1/users/{userId}/foods/frequent',
    'get /v1/users/{userId}/changes',
    'get /v1/users/{userId}/changes/stream',
    'post /v1/users/{userId}/changes/ticket',
    'get /v1/users/{userId}/changes/stream/by-ticket',
    'get /v1/users/{userId}/export',
    'post /v1/users/{userId}/import',
    'delete /v1/users/{userId}',
    'post /v1/auth/token',
    'get /.well-known/jwks.json',
    'get /v1/keys',
    'post /v1/keys',
    'get /v1/keys/{keyId}',
    'patch /v1/keys/{keyId}',
    'delete /v1/keys/{keyId}',
    'post /v1/keys/{keyId}/rotate',
    'get /v1/users',
    'post /v1/people',
    'get /v1/people',
    'patch /v1/people/me',
    'put /v1/people/me/password',
    'delete /v1/people/me/password',
    'post /v1/people/{personId}/password-link',
    'post /v1/people/password',
    'delete /v1/people/me/password/reset',
    'get /v1/people/me/sharing',
    'put /v1/people/me/sharing',
    'delete /v1/people/{personId}',
    'patch /v1/people/{personId}',
    'post /v1/people/me/keys',
    'get /v1/people/me/keys',
    'delete /v1/people/me/keys/{ownKeyId}',
    'get /v1/session/methods',
    'post /v1/session/openid',
    'post /v1/people/me/identities',
    'get /v1/people/me/identities',
    'post /v1/session/confirm/openid',
    'delete /v1/people/me/identities/{identityId}',
    'post /v1/session/passkey/options',
    'post /v1/session/passkey',
    'post /v1/session/confirm/passkey',
    'get /v1/people/me/passkeys',
    'post /v1/people/me/passkeys',
    'patch /v1/people/me/passkeys',
    'post /v1/people/me/passkeys/options',
    'delete /v1/people/me/passkeys/{passkeyId}',
    'post /v1/people/me/recovery-codes',
    'post /v1/session',
    'get /v1/session',
    'delete /v1/session',
    'post /v1/session/confirm',
    'get /v1/sessions',
    'delete /v1/sessions/{sessionId}',
    'post /v1/invitations',
    'get /v1/invitations',
    'delete /v1/invitations/{invitationId}',
    'get /v1/people/{personId}/credentials',
    'post /v1/scan/image',
    'get /v1/scan/image/{jobId}',
    'delete /v1/scan/image/{jobId}',
    'get /v1/scan/image/{jobId}/stream',
    'get /v1/scan/image/{jobId}/stream/by-ticket',
    'post /v1/webhooks',
    'get /v1/webhooks',
    'get /v1/webhooks/{webhookId}',
    'patch /v1/webhooks/{webhookId}',
    'delete /v1/webhooks/{webhookId}',
    'post /v1/webhooks/{webhookId}/rotate',
    'post /v1/webhooks/{webhookId}/test',
    'get /v1/webhooks/{webhookId}/deliveries',
    'post /v1/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver',
    'get /v1/operator/status',
    'get /v1/operator/scans',
    'get /v1/operator/webhooks',
    'get /v1/operator/sessions',
    'get /v1/operator/events',
    'delete /v1/operator/sessions/{sessionId}',
    'get /v1/operator/backup',
    'get /v1/operator/catalogues',
    'post /v1/operator/catalogues/{catalogueId}/activate',
    'post /v1/operator/imports',
    'get /v1/operator/imports',
    'get /v1/operator/imports/{importId}',
    'delete /v1/operator/imports/{importId}',
    'put /v1/operator/imports/{importId}/file',
    'get /v1/operator/imports/{importId}/stream',
    'get /',
    'get /healthz',
    'get /readyz',
    'get /metrics',
    'get /foods/search',
    'post /foods/parse',
    'get /foods/barcode/{upc}',
    'get /foods/barcode',
    'get /foods',
    'post /scan/image',
    'get /scan/image/{jobId}',
  ]);
  for (const [name, operation] of operations) {
    const { responses, security } = operation;
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['400', '429', '500', '503']));
    expect(Object.keys(responses).includes('401')).toBe(
      security.length > 0 || name === 'post /v1/auth/token',
    );
    for (const [status, answer] of Object.entries(responses)) {
      if (Number(status) >= 400) expect(examplesOf(answer)).not.toEqual({});
    }
  }
});

it('describes the details of each error code', () => {
  for (const [path, item] of Object.entries(document.paths))
    for (const [method, { responses }] of Object.entries(item))
      for (const [status, stated] of Object.entries(responses)) {
        // Errors of OAuth have no details.
        if (Number(status) < 400 || stated.$ref.includes('OAuthError')) continue;
        const examples = Object.entries(examplesOf(stated) as Record<string, Example>);
        for (const [code, { value }] of examples) {
          const missing = (details: object) => {
            const body = JSON.stringify({ error: { ...value.error, details } });
            const headers = { 'content-type': 'application/json' };
            const answer = { statusCode: Number(status), headers, body, json: () => JSON.parse(body) };
            return described.missingFor(`${method} ${path}`, answer);
          };
          expect([code, missing(value.error.details)]).toEqual([code, []]);
          const shapes = examples.map(([each]) => ERROR_DETAILS[each as ErrorCode].shape);
          if (shapes.every((shape) => Object.keys(shape).length === 0)) continue;
          expect([code, missing({ ...value.error.details, other: 1 })]).not.toEqual([code, []]);
          if (examples.length > 1) continue;
          const isRequired = !ERROR_DETAILS[code as ErrorCode].safeParse({}).success;
          expect([code, missing({}).length > 0]).toEqual([code, isRequired]);
        }
      }
});

interface Example {
  readonly value: { readonly error: { readonly details: object } };
}

interface Sent {
  readonly payload?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request with a key that may read and write every diary. */
const ask = (method: 'GET' | 'POST' | 'PUT', url: string, { payload, headers }: Sent = {}) =>
  fixture.ask({
    method,
    url,
    headers: { authorization: `Bearer ${key}`, ...headers },
    ...(payload !== undefined && { payload }),
  });

const FOUND_LATE = ['/v1/invitations', '/v1/keys/{keyId}/rotate'];

it('rejects an empty body exactly where the service does', async () => {
  const all = await fixture.createKey(SCOPES);
  const headers = { authorization: `Bearer ${all}`, 'x-api-key': all };
  const ids: Record<string, string> = { userId: 'empty', date: '2026-01-31' };
  const send = (method: string, path: string, payload: object) =>
    fixture.ask({
      method: method.toUpperCase() as 'POST',
      url: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name]!),
      headers,
      payload,
    });
  for (const [name, path] of [
    ['entryId', '/v1/users/{userId}/diary'],
    ['recipeId', '/v1/users/{userId}/recipes'],
    ['measurementId', '/v1/users/{userId}/measurements'],
    ['mealId', '/v1/users/{userId}/meals'],
    ['favouriteId', '/v1/users/{userId}/favourites'],
    ['keyId', '/v1/keys'],
    ['webhookId', '/v1/webhooks'],
    ['id', '/v1/foods'],
  ] as const) {
    const { content } = document.paths[path]!['post']!.requestBody!;
    ids[name] = (await send('POST', path, content['application/json']!.example!)).json().id;
  }
  const taking = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((method) => item[method]!.requestBody?.content['application/json'] !== undefined)
      .map((method) => [method, path] as const),
  );
  const expected = taking.map(([method, path]) => [
    `${method} ${path}`,
    described.refusalsOf(`${method} ${path}`, {}).length === 0,
  ]);
  const answered = [];
  for (const [method, path] of taking) {
    const { statusCode } = await send(method, path, {});
    // The key is not an owner of the household, and was already rotated, which is detected after the body is
    // read.
    answered.push([
      `${method} ${path}`,
      statusCode < 300 || (statusCode === 404 && FOUND_LATE.includes(path)),
    ]);
  }
  expect(answered).toEqual(expected);
});

it('rejects an ingredient with two sources, like the service', async () => {
  const path = '/v1/users/{userId}/recipes';
  const payload = { name: 'Soup', servings: 4, ingredients: [{ foodId: 'off:1', quantity: 1 }] };
  expect(described.refusalsOf(`post ${path}`, payload)).not.toEqual([]);
  expect((await ask('POST', path.replace('{userId}', 'ann'), { payload })).statusCode).toBe(400);
});

it('has an Idempotency-Key for every POST except those that write nothing, take a file or sign in', () => {
  const without = Object.entries(document.paths).filter(
    ([, { post }]) => post !== undefined && !post.parameters.some(({ name }) => name === 'Idempotency-Key'),
  );
  expect(without.map(([path]) => path)).toEqual([
    '/v1/foods/parse',
    '/v1/foods/import',
    '/v1/users/{userId}/changes/ticket',
    '/v1/users/{userId}/import',
    '/v1/auth/token',
    '/v1/people',
    '/v1/people/password',
    '/v1/session/openid',
    '/v1/people/me/identities',
    '/v1/session/confirm/openid',
    '/v1/session/passkey/options',
    '/v1/session/passkey',
    '/v1/session/confirm/passkey',
    '/v1/people/me/passkeys/options',
    '/v1/session',
    '/v1/session/confirm',
    '/foods/parse',
  ]);
});

it.each([
  ['', 'date=2026-01-31'],
  ['', 'date=2026-01-31&remaining=true'],
  ['/days', 'from=2026-01-30&to=2026-02-01'],
  ['/days', 'from=2026-01-30&to=2026-02-01&remaining=true'],
])('describes the totals that totals%s?%s returns', async (below, query) => {
  const meal = { ...SOUP, calories: 15_000 };
  await ask('POST', '/v1/users/totals/diary/batch', { payload: [meal, meal] });
  await ask('PUT', '/v1/users/totals/goals', { payload: { from: '2026-01-31', calories: 200 } });
  const answer = await ask('GET', `/v1/users/totals/diary/totals${below}?${query}`);
  expect(answer.statusCode).toBe(200);
  expect(described.missingFor(`get /v1/users/{userId}/diary/totals${below}`, answer)).toEqual([]);
});

it.each([
  ['post /v1/scan/image', { clientId: 'phone-1', contentType: 'image/jpeg' }],
  ['post /v1/keys/{keyId}/rotate', {}],
])('%s: fields with a default are optional', (name, body) => {
  expect(described.refusalsOf(name, body)).toEqual([]);
});

it.each(['csv', 'json'])('describes the export as %s', async (format) => {
  await ask('POST', '/v1/users/export/diary', { payload: SOUP });
  const answer = await ask('GET', `/v1/users/export/diary/export?format=${format}`);
  expect(answer.statusCode).toBe(200);
  expect(described.missingFor('get /v1/users/{userId}/diary/export', answer)).toEqual([]);
});

it('describes repeated responses, including errors', async () => {
  for (const [named, payload, status] of [
    ['created', SOUP, 201],
    ['refused', { ...SOUP, fat: -1 }, 400],
  ] as const) {
    const send = () =>
      ask('POST', '/v1/users/again/diary', { payload, headers: { 'idempotency-key': named } });
    await send();
    const answer = await send();
    expect([answer.statusCode, answer.headers['idempotency-replayed']]).toEqual([status, 'true']);
    expect(described.missingFor('post /v1/users/{userId}/diary', answer)).toEqual([]);
  }
});

it('describes request headers, the end of a stream and accepted forms', () => {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ name: `${method} ${path}`, ...operation })),
  );
  const reading = (header: string) =>
    operations
      .filter(({ parameters }) =>
        parameters.some(({ in: place, name }) => place === 'header' && name === header),
      )
      .map(({ name }) => name);
  const deletable = [
    '/v1/foods/{id}',
    '/v1/users/{userId}/diary/{entryId}',
    '/v1/users/{userId}/recipes/{recipeId}',
    '/v1/users/{userId}/measurements/{measurementId}',
    '/v1/users/{userId}/meals/{mealId}',
    '/v1/users/{userId}/favourites/{favouriteId}',
  ];
  const alwaysThere = ['/v1/users/{userId}/diary/days/{date}', '/v1/users/{userId}/settings'];
  expect(reading('If-Match').toSorted()).toEqual(
    [
      ...deletable.flatMap((path) => [`patch ${path}`, `delete ${path}`]),
      ...['put', 'patch', 'delete'].map((method) => `${method} /v1/users/{userId}/goals`),
      ...alwaysThere.flatMap((path) => [`put ${path}`, `patch ${path}`]),
    ].toSorted(),
  );
  const streams = ['stream', 'stream/by-ticket'].map((end) => `get /v1/scan/image/{jobId}/${end}`);
  expect(reading('Last-Event-ID')).toEqual([
    'get /v1/users/{userId}/changes/stream',
    'get /v1/users/{userId}/changes/stream/by-ticket',
    ...streams,
  ]);
  for (const { name, responses } of operations)
    if (streams.includes(name)) expect(Object.keys(responses['204']!)).toEqual(['description', 'headers']);
  const types = operations.map(
    ({ name, requestBody }) => [name, Object.keys(requestBody?.content ?? {})] as const,
  );
  expect(types.filter(([, names]) => names.length > 1)).toEqual([
    [
      'post /v1/foods/import',
      ['text/csv', 'text/tab-separated-values', 'text/plain', 'application/octet-stream'],
    ],
    ['post /v1/users/{userId}/recipes', ['application/json', 'application/ld+json']],
    [
      'post /v1/users/{userId}/import',
      [
        'text/csv',
        'application/x-ndjson',
        'application/jsonl',
        'application/json',
        'text/tab-separated-values',
        'text/plain',
        'application/octet-stream',
      ],
    ],
    ['post /v1/auth/token', ['application/json', 'application/x-www-form-urlencoded']],
  ]);
});
