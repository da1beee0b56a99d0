import fc from 'fast-check';
import { afterAll, expect, inject, test } from 'vitest';
import { APP_SCOPES, SCOPES } from '../../src/access/api-key.ts';
import { anyBreak, broken, oddText } from '../support/generated/broken-values.ts';
import { openDescribedService } from '../support/generated/described-service.ts';
import type { Parameter } from '../support/generated/operations.ts';
import { type GeneratedRequest, type Parameters, toRequest } from '../support/generated/request-generator.ts';
import { NIGHTLY, seeded } from '../support/generated/seeded.ts';
import { runs } from '../support/runs.ts';

/** With a new seed in each run, so the runs of all changes add up. `LARDER_PROPERTY_RUNS=200` sends a million. */
const REQUESTS = runs(inject('cluster') === undefined ? 5_000 : 1_000);

const service = await openDescribedService();
afterAll(() => service[Symbol.asyncDispose]());
const { fixture, client, document, described, key, operations, expectDescribed, keepId, isCreated } = service;
const expiredKey = await fixture.createKey(SCOPES, Math.floor(Date.now() / 1000) - 60);
const strangersKey = await fixture.createKey(APP_SCOPES, undefined, 'stranger');
const anyRequest = service.requests.any(operations);

/**
 * Operations that refuse some requests which are valid by their schema, with 400: rules that JSON Schema cannot state. `schemathesis.toml` names the same ones.
 */
const HAS_OTHER_RULES = new Set([
  'getFoodByBarcode',
  'getFoodByCode',
  'unversionedGetFoodByBarcode',
  'unversionedGetFoodByCode',
  'listDiaryEntriesOfRange',
  'listDailyTotals',
  'exportDiary',
  'createDiaryEntry',
  'createDiaryEntries',
  'createDiaryEntriesFromText',
  'createDiaryEntriesFromScan',
  'changeDiaryEntry',
  'changeDiaryEntries',
  'createRecipe',
  'changeRecipe',
  'createFood',
  'changeFood',
  'createKey',
  'putGoals',
  'changeGoals',
  'deleteGoals',
  'createFavourite',
  'changeFavourite',
  'createSavedMeal',
  'changeSavedMeal',
  'startImport',
  'importUser',
  'createWebhook',
  'changeWebhook',
]);
const DONE = [200, 201, 204, 304];
/**
 * Not there, not in this version, named before, of an earlier time, a text names no food, or a quota is used up: the request was
 * understood.
 */
const UNDERSTOOD = [403, 404, 409, 410, 412, 422];
const REFUSED = [400, 404, 409, 412, 413, 422];

/** What a token request is made with stands in its body. */
function withSecret(request: GeneratedRequest): GeneratedRequest {
  if (request.operation.id !== 'createToken') return request;
  return {
    ...request,
    body: { ...(request.body as object), client_secret: key, user_id: 'ann', scope: 'foods:read' },
  };
}

async function acceptsWhatIsValid(request: GeneratedRequest): Promise<void> {
  const { operation } = request;
  const answer = await client.send(toRequest(withSecret(request), key));
  expectDescribed(operation, answer);
  keepId(answer);
  const allowed = [
    ...DONE,
    ...UNDERSTOOD,
    ...(HAS_OTHER_RULES.has(operation.id) ? [400] : []),
    // Few sign-ins are allowed for one name.
    ...(operation.id === 'createSession' ? [429] : []),
  ];
  const sent = `${operation.name} ${JSON.stringify(request.body)?.slice(0, 500)}`;
  expect(allowed, `${sent} ${answer.body}`).toContain(answer.statusCode);
}

/** Spaces around a text may make it longer than the schema says; they are dropped. */
function isBrokenForUs(schema: object, body: unknown): boolean {
  const trimmed = JSON.parse(JSON.stringify(body ?? null), (_name, value) =>
    typeof value === 'string' ? value.trim() : value,
  );
  return (
    described.refusalsBy(schema, body ?? null).length > 0 && described.refusalsBy(schema, trimmed).length > 0
  );
}

async function refusesWhatIsNot(
  request: GeneratedRequest,
  breaks: Parameters,
  brokenBody: unknown,
): Promise<void> {
  const { operation } = request;
  const body = operation.body === undefined ? request.body : brokenBody;
  const answer = await client.send(
    toRequest({ operation, parameters: new Map([...request.parameters, ...breaks]), body }, key),
  );
  expectDescribed(operation, answer);
  if (refusesEach(answer)) return;
  // A token request holds its credential in the body.
  const allowed = operation.id === 'createToken' ? [...REFUSED, 401] : REFUSED;
  expect(allowed, `${operation.name} ${JSON.stringify(body)?.slice(0, 500)} ${answer.body}`).toContain(
    answer.statusCode,
  );
}

/** Whether a batch did nothing: it answers an error for each of its elements. */
function refusesEach({ statusCode, body }: { readonly statusCode: number; readonly body: string }): boolean {
  if (statusCode !== 200 || !body.startsWith('[{"id":')) return false;
  return (JSON.parse(body) as { error?: object }[]).every(({ error }) => error !== undefined);
}

const CREDENTIALS = {
  none: undefined,
  wrong: 'lrd_wrong',
  empty: '',
  odd: 'é',
  expired: expiredKey,
} as const;

async function refusesCredentials(request: GeneratedRequest, kind: keyof typeof CREDENTIALS): Promise<void> {
  const { operation } = request;
  const answer = await client.send(toRequest(request, CREDENTIALS[kind]));
  expectDescribed(operation, answer);
  if (operation.credential !== undefined) expect(answer.statusCode).toBe(401);
}

async function hidesOtherTenants(request: GeneratedRequest): Promise<void> {
  const { operation, parameters } = request;
  const answer = await client.send(toRequest(request, strangersKey));
  expectDescribed(operation, answer);
  const owned = [...parameters].filter(([parameter, value]) => parameter.in === 'path' && isCreated(value));
  if (owned.length === 0 || operation.credential === undefined) return;
  const refusals = operation.path.startsWith('/v1/operator/') ? [400, 403] : [400, 404];
  expect(refusals).toContain(answer.statusCode);
}

const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'QUERY',
  'LINK',
];

/** Methods of addresses that browsers open, which are not in the document. */
const OF_BROWSERS: Readonly<Record<string, readonly string[]>> = { '/v1/session/openid': ['GET', 'HEAD'] };

async function refusesOtherMethods(request: GeneratedRequest, method: string): Promise<void> {
  const { path } = request.operation;
  const known = Object.keys(document.paths[path]!).map((each) => each.toUpperCase());
  if (known.includes(method) || (method === 'HEAD' && known.includes('GET'))) return;
  if (OF_BROWSERS[path]?.includes(method) === true) return;
  const { body: _, ...bare } = toRequest(request, key);
  const answer = await client.send({ ...bare, method });
  expect([bare.url, method, answer.statusCode]).toEqual([bare.url, method, 405]);
  expect(String(answer.headers['allow']).split(', ')).toEqual(expect.arrayContaining(known));
}

const DOUBLED = [
  'authorization',
  'x-api-key',
  'if-match',
  'if-none-match',
  'idempotency-key',
  'content-type',
  'accept',
  'x-request-id',
  'origin',
];

async function standsDoubledHeaders(
  request: GeneratedRequest,
  names: readonly string[],
  value: string,
): Promise<void> {
  const sent = toRequest(withSecret(request), key);
  const doubled = Object.fromEntries(
    names.map((name) => [name, [String(sent.headers[name] ?? value), value]]),
  );
  const answer = await client.send({ ...sent, headers: { ...sent.headers, ...doubled } });
  expectDescribed(request.operation, answer);
}

async function standsMissingHeaders(request: GeneratedRequest): Promise<void> {
  const { 'content-type': _, ...headers } = toRequest(withSecret(request), key).headers;
  const sent = toRequest(withSecret(request), key);
  const answer = await client.send({ ...sent, headers });
  expectDescribed(request.operation, answer);
  if (sent.body !== undefined) expect([401, 415]).toContain(answer.statusCode);
}

async function standsOddParameters(request: GeneratedRequest, texts: readonly string[]): Promise<void> {
  const { operation } = request;
  const odd = operation.parameters.flatMap((parameter, at) => {
    const text = texts[at % texts.length]!;
    const isSent = parameter.in === 'query' || (parameter.in === 'path' && !/^\.{0,2}$/.test(text));
    return isSent ? [[parameter, text] as const] : [];
  });
  const parameters = new Map([...request.parameters, ...odd]);
  expectDescribed(operation, await client.send(toRequest({ ...request, parameters }, key)));
}

async function standsOddBodies(
  request: GeneratedRequest,
  body: string,
  type: string | undefined,
): Promise<void> {
  const { operation } = request;
  if (operation.body === undefined) return;
  const { headers, ...sent } = toRequest(request, key);
  const typed = { ...headers, 'content-type': type };
  expectDescribed(operation, await client.send({ ...sent, headers: typed, body }));
}

const rawBody = fc.oneof(fc.constantFrom('', '{', '[]', 'null', '"x"', '[[[[', '{"a":1}{'), oddText);
const contentType = fc.constantFrom(
  'application/json',
  'application/json; charset=latin1',
  'application/x-www-form-urlencoded',
  'text/plain',
  '',
);
const headerValue = fc.constantFrom('x', '"1"', '*', 'application/json', 'text/plain', 'Bearer x', '1,2,,3');

/** A request and what is wrong with it. */
const trial = fc.oneof(
  { weight: 6, arbitrary: anyRequest.map((request) => () => acceptsWhatIsValid(request)) },
  { weight: 6, arbitrary: anyRequest.chain(brokenTrial) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(anyRequest, fc.constantFrom(...(Object.keys(CREDENTIALS) as (keyof typeof CREDENTIALS)[])))
      .map(
        ([request, kind]) =>
          () =>
            refusesCredentials(request, kind),
      ),
  },
  { weight: 2, arbitrary: anyRequest.map((request) => () => hidesOtherTenants(request)) },
  {
    weight: 1,
    arbitrary: fc.tuple(anyRequest, fc.constantFrom(...METHODS)).map(
      ([request, method]) =>
        () =>
          refusesOtherMethods(request, method),
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        anyRequest,
        fc.uniqueArray(fc.constantFrom(...DOUBLED), { minLength: 1, maxLength: 2 }),
        headerValue,
      )
      .map(
        ([request, names, value]) =>
          () =>
            standsDoubledHeaders(request, names, value),
      ),
  },
  { weight: 1, arbitrary: anyRequest.map((request) => () => standsMissingHeaders(request)) },
  {
    weight: 1,
    arbitrary: fc.tuple(anyRequest, fc.array(oddText, { minLength: 1, maxLength: 4 })).map(
      ([request, texts]) =>
        () =>
          standsOddParameters(request, texts),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(anyRequest, rawBody, contentType).map(
      ([request, body, type]) =>
        () =>
          standsOddBodies(request, body, type),
    ),
  },
);

/** Breaks the body of an operation that has one, otherwise a parameter that has a rule. */
function brokenTrial(request: GeneratedRequest): fc.Arbitrary<() => Promise<void>> {
  const { body, parameters } = request.operation;
  if (body !== undefined) {
    return anyBreak
      .map((change) => broken(request.body, change))
      .filter((wrong) => wrong !== undefined && isBrokenForUs(body.schema, wrong))
      .map((wrong) => () => refusesWhatIsNot(request, new Map(), wrong));
  }
  const ruled = parameters.filter((parameter) => parameter.in !== 'header' && hasRule(parameter));
  if (ruled.length === 0) return fc.constant(() => acceptsWhatIsValid(request));
  return fc
    .tuple(fc.constantFrom(...ruled), oddText)
    .filter(([parameter, text]) => isWrong(parameter, text))
    .map(
      ([parameter, text]) =>
        () =>
          refusesWhatIsNot(request, new Map([[parameter, text]]), undefined),
    );
}

function hasRule({ schema }: Parameter): boolean {
  return schema.type !== 'string' || schema.pattern !== undefined || schema.enum !== undefined;
}

/** Whether the service, which reads text, has to refuse it. */
function isWrong({ in: place, name, schema }: Parameter, text: string): boolean {
  // Another path, or no path at all.
  if (place === 'path' && /^\.{0,2}$/.test(text)) return false;
  const sent = text.toWellFormed();
  if (schema.type === 'integer')
    return !/^\d+$/.test(sent) || described.refusalsBy(schema, Number(sent)).length > 0;
  if (schema.type === 'boolean') return sent !== 'true' && sent !== 'false';
  // U+FFFD stands in the place of what cannot be sent.
  return name !== 'q' && described.refusalsBy(schema, sent).length > 0;
}

test('every response to a generated request matches the API document', NIGHTLY, async () => {
  await fc.assert(
    fc.asyncProperty(trial, (attempt) => attempt()),
    seeded(REQUESTS),
  );
});
