import fc from 'fast-check';
import { afterAll, expect, inject, test } from 'vitest';
import { SCOPES } from '../../src/access/scope.ts';
import { DescribedAnswers } from '../support/described-answers.ts';
import { BANANA, COLA } from '../support/foods.ts';
import { anyBreak, broken, oddText } from '../support/generated/broken-values.ts';
import {
  type ApiDocument,
  type Operation,
  operationsOf,
  type Parameter,
  resolver,
} from '../support/generated/operations.ts';
import { valuesOf } from '../support/generated/schema-values.ts';
import { type SocketAnswer, SocketClient, type SocketRequest } from '../support/generated/socket-client.ts';
import { runs } from '../support/runs.ts';
import { openTestServer } from '../support/test-server.ts';

/** Requests of one run; a cluster answers more slowly. `LARDER_PROPERTY_RUNS=50` makes a million of them. */
const REQUESTS = runs(inject('cluster') === undefined ? 20_000 : 2_000);
const LIFETIMES = runs(40);
const NEVER_MS = 2 ** 31 - 1;
/** Long enough for a million requests. */
const TIMEOUT_MS = 4 * 60 * 60_000;

const seed = inject('propertyRuns').seed ?? Date.now() % 2 ** 31;
const thoroughly = { seed, interruptAfterTimeLimit: NEVER_MS };
process.stdout.write(`generated requests: ${REQUESTS} with LARDER_PROPERTY_SEED=${seed}\n`);

const fixture = await openTestServer();
const client = new SocketClient(await fixture.listen());
afterAll(() => {
  client[Symbol.dispose]();
  return fixture[Symbol.asyncDispose]();
});
const key = await fixture.createKey(SCOPES);
const expiredKey = await fixture.createKey(SCOPES, Math.floor(Date.now() / 1000) - 60);
const strangersKey = await fixture.createKey(SCOPES, undefined, 'stranger');
const document = (
  await client.send({ method: 'GET', url: '/openapi.json', headers: {} })
).json() as ApiDocument;
const described = new DescribedAnswers(document);
const resolve = resolver(document);
// A stream of a scan that goes on does not end. Erasing a user and revoking a key take from others what they test with.
const operations = operationsOf(document).filter(({ path }) => !/stream|events/.test(path));

/**
 * Operations that refuse some requests which are valid by their schema, with 400: rules between fields that JSON Schema
 * cannot state. `schemathesis.toml` names the same ones.
 */
const HAS_OTHER_RULES = new Set([
  'listDiaryEntries',
  'getDiaryTotals',
  'exportDiary',
  'createDiaryEntries',
  'changeDiaryEntry',
  'createRecipe',
  'changeRecipe',
  'createFood',
  'changeFood',
  'createKey',
  'putGoals',
]);
const DONE = [200, 201, 204, 304];
/** Not there, not in this version, named before, or a quota is used up: the request was understood. */
const UNDERSTOOD = [403, 404, 409, 412];
const REFUSED = [400, 404, 409, 412];

/** Ids of whatever earlier requests made, so that later ones meet what is there. */
const made: string[] = [BANANA.id, COLA.id];
const MAX_MADE = 500;

/** Parameters, encoded in their places. */
type Parameters = ReadonlyMap<Parameter, string>;

interface Prepared {
  readonly operation: Operation;
  readonly parameters: Parameters;
  readonly body: unknown;
}

function parametersOf({ parameters }: Operation): fc.Arbitrary<Parameters> {
  const values = parameters.map((parameter) => {
    const generated = valuesOf(parameter.schema, resolve)
      .filter((value) => described.refusalsBy(parameter.schema, value).length === 0)
      .map(String)
      .filter((text) => parameter.in !== 'path' || (text !== '' && text !== '.' && text !== '..'))
      // Other characters cannot be sent in a header.
      .filter((text) => parameter.in !== 'header' || /^[!-~]([ -~]*[!-~])?$/.test(text));
    const isFree = parameter.in === 'path' && parameter.schema.pattern === undefined;
    const known = fc.nat().map((at) => made[at % made.length]!);
    const userId = fc.constantFrom('ann', 'ben');
    const chosen = isFree ? known : parameter.name === 'userId' ? userId : generated;
    const often = fc.oneof({ weight: 3, arbitrary: chosen }, { weight: 1, arbitrary: generated });
    if (parameter.required === true) return often;
    const absent = { weight: parameter.in === 'header' ? 9 : 1, arbitrary: fc.constant(undefined) };
    return fc.oneof(absent, { weight: 2, arbitrary: often });
  });
  return fc
    .tuple(...values)
    .map(
      (all) =>
        new Map(parameters.flatMap((parameter, at) => (all[at] === undefined ? [] : [[parameter, all[at]]]))),
    );
}

function bodyOf({ body }: Operation): fc.Arbitrary<unknown> {
  if (body === undefined) return fc.constant(undefined);
  const valid = valuesOf(body.schema, resolve).filter(
    (value) => described.refusalsBy(body.schema, value).length === 0,
  );
  return body.required ? valid : fc.option(valid, { nil: undefined });
}

function requestsOf(operation: Operation): fc.Arbitrary<Prepared> {
  return fc.record({
    operation: fc.constant(operation),
    parameters: parametersOf(operation),
    body: bodyOf(operation),
  });
}

const prepared: fc.Arbitrary<Prepared> = fc.constantFrom(...operations).chain((operation) =>
  fc.record({
    operation: fc.constant(operation),
    parameters: parametersOf(operation),
    body: bodyOf(operation),
  }),
);

function toRequest({ operation, parameters, body }: Prepared, credential: string | undefined): SocketRequest {
  const { method, path, credential: kind } = operation;
  const of = (place: Parameter['in']) => [...parameters].filter(([parameter]) => parameter.in === place);
  const filled = of('path').reduce(
    (url, [{ name }, value]) => url.replace(`{${name}}`, () => encodeURIComponent(value.toWellFormed())),
    path,
  );
  const query = of('query').map(([{ name }, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`);
  return {
    method,
    url: query.length === 0 ? filled : `${filled}?${query.join('&')}`,
    headers: {
      ...Object.fromEntries(of('header').map(([{ name }, value]) => [name.toLowerCase(), value])),
      ...(credential !== undefined && kind === 'bearer' && { authorization: `Bearer ${credential}` }),
      ...(credential !== undefined && kind === 'x-api-key' && { 'x-api-key': credential }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}

/** What a token request is made with stands in its body. */
function withSecret(request: Prepared): Prepared {
  if (request.operation.id !== 'createToken') return request;
  return {
    ...request,
    body: { ...(request.body as object), client_secret: key, user_id: 'ann', scope: 'foods:read' },
  };
}

let linesRead = 0;

/** Errors that were logged since the last call. */
function newErrors(): string[] {
  const lines = fixture.log.slice(linesRead);
  linesRead += lines.length;
  return lines.filter((line) => line.includes('"level":"error"'));
}

/** Holds for every answer: it is one that the document describes, and nothing went wrong with us. */
function expectDescribed({ name, method }: Operation, answer: SocketAnswer): void {
  expect(newErrors()).toEqual([]);
  expect(answer.statusCode).toBeLessThan(500);
  if (method !== 'HEAD') expect(described.missingFor(name, answer)).toEqual([]);
  expect(Object.keys(answer.headers)).toContain('x-request-id');
}

/** Keeps the id of what our tenant created. */
function keepId(answer: SocketAnswer): void {
  if (answer.statusCode !== 201) return;
  const { id, jobId } = answer.json() as { id?: string; jobId?: string };
  made.push(...[id, jobId].filter((each) => each !== undefined));
  if (made.length > MAX_MADE) made.splice(0, made.length - MAX_MADE / 2);
}

async function acceptsWhatIsValid(request: Prepared): Promise<void> {
  const { operation } = request;
  const answer = await client.send(toRequest(withSecret(request), key));
  expectDescribed(operation, answer);
  keepId(answer);
  const allowed = [...DONE, ...UNDERSTOOD, ...(HAS_OTHER_RULES.has(operation.id) ? [400] : [])];
  expect([operation.name, answer.body, allowed]).toEqual([
    operation.name,
    answer.body,
    expect.arrayContaining([answer.statusCode]),
  ]);
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

async function refusesWhatIsNot(request: Prepared, breaks: Parameters, brokenBody: unknown): Promise<void> {
  const { operation } = request;
  const body = operation.body === undefined ? request.body : brokenBody;
  const answer = await client.send(
    toRequest({ operation, parameters: new Map([...request.parameters, ...breaks]), body }, key),
  );
  expectDescribed(operation, answer);
  expect(REFUSED, `${operation.name} ${JSON.stringify(body)} ${answer.body}`).toContain(answer.statusCode);
}

const CREDENTIALS = {
  none: undefined,
  wrong: 'lrd_wrong',
  empty: '',
  odd: 'é',
  expired: expiredKey,
} as const;

async function refusesCredentials(request: Prepared, kind: keyof typeof CREDENTIALS): Promise<void> {
  const { operation } = request;
  const answer = await client.send(toRequest(request, CREDENTIALS[kind]));
  expectDescribed(operation, answer);
  if (operation.credential !== undefined) expect(answer.statusCode).toBe(401);
}

async function hidesOtherTenants(request: Prepared): Promise<void> {
  const { operation, parameters } = request;
  const answer = await client.send(toRequest(request, strangersKey));
  expectDescribed(operation, answer);
  const owned = [...parameters].filter(
    ([parameter, value]) =>
      parameter.in === 'path' && made.includes(value) && value !== BANANA.id && value !== COLA.id,
  );
  if (owned.length > 0 && operation.credential !== undefined) expect([400, 404]).toContain(answer.statusCode);
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

async function refusesOtherMethods(request: Prepared, method: string): Promise<void> {
  const { path } = request.operation;
  const known = Object.keys(document.paths[path]!).map((each) => each.toUpperCase());
  if (known.includes(method) || (method === 'HEAD' && known.includes('GET'))) return;
  const { body: _, ...bare } = toRequest(request, key);
  const answer = await client.send({ ...bare, method });
  expect(answer.statusCode).toBe(405);
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
  request: Prepared,
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

async function standsMissingHeaders(request: Prepared): Promise<void> {
  const { 'content-type': _, ...headers } = toRequest(withSecret(request), key).headers;
  const sent = toRequest(withSecret(request), key);
  const answer = await client.send({ ...sent, headers });
  expectDescribed(request.operation, answer);
  if (sent.body !== undefined) expect([401, 415]).toContain(answer.statusCode);
}

const headerValue = fc.constantFrom('x', '"1"', '*', 'application/json', 'text/plain', 'Bearer x', '1,2,,3');

/** A request and what is wrong with it. */
const trial = fc.oneof(
  { weight: 6, arbitrary: prepared.map((request) => () => acceptsWhatIsValid(request)) },
  { weight: 6, arbitrary: prepared.chain(brokenTrial) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(prepared, fc.constantFrom(...(Object.keys(CREDENTIALS) as (keyof typeof CREDENTIALS)[])))
      .map(
        ([request, kind]) =>
          () =>
            refusesCredentials(request, kind),
      ),
  },
  { weight: 2, arbitrary: prepared.map((request) => () => hidesOtherTenants(request)) },
  {
    weight: 1,
    arbitrary: fc.tuple(prepared, fc.constantFrom(...METHODS)).map(
      ([request, method]) =>
        () =>
          refusesOtherMethods(request, method),
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        prepared,
        fc.uniqueArray(fc.constantFrom(...DOUBLED), { minLength: 1, maxLength: 2 }),
        headerValue,
      )
      .map(
        ([request, names, value]) =>
          () =>
            standsDoubledHeaders(request, names, value),
      ),
  },
  { weight: 1, arbitrary: prepared.map((request) => () => standsMissingHeaders(request)) },
);

/** Breaks the body of an operation that has one, otherwise a parameter that has a rule. */
function brokenTrial(request: Prepared): fc.Arbitrary<() => Promise<void>> {
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

test('every generated request is answered as the document says', { timeout: TIMEOUT_MS }, async () => {
  await fc.assert(
    fc.asyncProperty(trial, (attempt) => attempt()),
    { ...thoroughly, numRuns: REQUESTS, endOnFailure: true },
  );
});

/** Operations that create something, each with what can be asked of it afterwards. A revoked key can still be read. */
const lifetimes = operations.flatMap((create) => {
  const ofOne = operations.filter(
    ({ path }) => path !== create.path && path.replace(/\/\{[^/]+\}$/, '') === create.path,
  );
  const remove = ofOne.find(({ method }) => method === 'DELETE');
  if (create.method !== 'POST' || remove === undefined || create.id === 'createKey') return [];
  return [{ create, remove, ofOne }];
});

/** The parameters of one request, for another operation on the thing with this id. */
function onOne(operation: Operation, created: Parameters, id: string, own: Parameters): Parameters {
  const shared = new Map([...created].map(([{ name }, value]) => [name, value]));
  const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
  return new Map([
    ...own,
    ...inPath.map((parameter) => [parameter, shared.get(parameter.name) ?? id] as const),
  ]);
}

/** Accepted for certain, unlike generated ones. */
const exampleOf = (operation: Operation) =>
  requestsOf(operation).map((request) => ({ ...request, body: operation.body!.example }));

test.each(lifetimes.map((each) => [each.create.path, each] as const))(
  'nothing made at %s answers after its deletion',
  { timeout: TIMEOUT_MS },
  async (_, { create, remove, ofOne }) => {
    let deletions = 0;
    const property = fc.asyncProperty(
      fc.oneof(requestsOf(create), exampleOf(create)),
      fc.tuple(...ofOne.map(requestsOf)),
      async (creation, requests) => {
        const answer = await client.send(toRequest(creation, key));
        expectDescribed(create, answer);
        if (answer.statusCode !== 201) return;
        const { id, jobId } = [answer.json()].flat()[0] as { id?: string; jobId?: string };
        const one = (id ?? jobId)!;
        const deletion = {
          operation: remove,
          parameters: onOne(remove, creation.parameters, one, new Map()),
        };
        const deleted = await client.send(toRequest({ ...deletion, body: undefined }, key));
        expect(deleted.statusCode).toBe(204);
        deletions++;
        for (const request of requests) {
          const { operation } = request;
          const parameters = onOne(operation, creation.parameters, one, request.parameters);
          const gone = await client.send(toRequest({ ...request, parameters }, key));
          expectDescribed(operation, gone);
          expect([operation.name, gone.statusCode]).toEqual([operation.name, 404]);
        }
      },
    );
    await fc.assert(property, { ...thoroughly, numRuns: LIFETIMES, endOnFailure: true });
    expect(deletions).toBeGreaterThan(0);
  },
);
