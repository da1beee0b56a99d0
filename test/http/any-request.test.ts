import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { SCOPES } from '../../src/access/scope.ts';
import { isCallerAccess, type Route } from '../../src/http/route.ts';
import { DescribedAnswers } from '../support/described-answers.ts';
import { BANANA, COLA } from '../support/foods.ts';
import { runs } from '../support/runs.ts';
import { openTestServer } from '../support/test-server.ts';

const fixture = await openTestServer();
afterAll(() => fixture[Symbol.asyncDispose]());
const key = await fixture.createKey(SCOPES);
const described = new DescribedAnswers((await fixture.server.inject('/openapi.json')).json());
// A stream of a scan that goes on does not end.
const routes = new Map(
  fixture.routes
    .filter(({ docs, path }) => docs !== undefined && !/stream|events/.test(path))
    .map((route) => [nameOf(route), route]),
);

/** What clients get wrong, and what databases, numbers and paths trip over. */
const ODD_TEXTS = [
  '',
  ' ',
  '0',
  '-1',
  '1e400',
  '9007199254740993',
  'NaN',
  'null',
  '\u0000',
  '\ud800',
  '\u202e',
  '..',
  '../..',
  "'; drop table api_keys; --",
  '%',
  '2030-02-30',
  '2030-01-01T00:00:00Z',
  '0000-01-01',
  '9999-12-31',
  '__proto__',
  'constructor',
  'é'.repeat(300),
  'x'.repeat(10_000),
];
const ODD_VALUES = [
  null,
  true,
  0,
  -0,
  -1,
  0.1,
  1e-320,
  1e21,
  1e308,
  2 ** 53,
  [],
  {},
  [[]],
  [null],
  ...ODD_TEXTS,
];

/** Ids of whatever earlier requests made, so that later ones meet what is there. */
const madeIds: string[] = [BANANA.id, COLA.id, '96385074', 'ann'];

const oddText = fc.oneof(fc.constantFrom(...ODD_TEXTS), fc.string({ unit: 'binary', maxLength: 40 }));
const oddValue = fc.oneof(fc.constantFrom(...ODD_VALUES), fc.jsonValue({ maxDepth: 3 }));
const parameter = fc.oneof(
  { weight: 4, arbitrary: fc.nat().map((at) => madeIds[at % madeIds.length]!) },
  { weight: 4, arbitrary: fc.constantFrom('ann', '2030-01-01', '10', 'banana', 'csv') },
  { weight: 1, arbitrary: oddText },
);

/** One change of an example: something in it is replaced, removed or added. */
interface Change {
  readonly at: number;
  readonly how: 'replace' | 'remove' | 'add';
  readonly name: string;
  readonly value: unknown;
}
const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat({ max: 100 }),
  how: fc.constantFrom('replace', 'replace', 'remove', 'add'),
  name: fc.constantFrom('foodId', 'unit', 'quantity', '__proto__', 'constructor', 'x', ''),
  value: fc.oneof(oddValue, parameter),
});

type Place = readonly [Record<string, unknown>, string];

function places(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((name) => [[holder, name] as const, ...places(holder[name])]);
}

function changed(example: unknown, changes: readonly Change[]): unknown {
  const body = structuredClone(example);
  for (const { at, how, name, value: shared } of changes) {
    const value = structuredClone(shared);
    const all = places(body);
    if (all.length === 0) return value;
    const [holder, old] = all[at % all.length]!;
    if (how === 'replace') holder[old] = value;
    else if (how === 'remove') delete holder[old];
    else Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true });
  }
  return body;
}

/** Once in so many requests. */
function rarely<T>(times: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.oneof({ weight: times - 1, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });
}

const request = fc.record({
  name: fc.constantFrom(...routes.keys()),
  parameters: fc.array(parameter, { minLength: 8, maxLength: 8 }),
  changes: fc.oneof(fc.constant([]), fc.array(change, { maxLength: 3 })),
  rawBody: rarely(20, fc.oneof(fc.constantFrom('', '{', '[]', 'null', '"x"', '[[[[', '{"a":1}{'), oddText)),
  contentType: rarely(
    20,
    fc.constantFrom(
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=latin1',
      '',
    ),
  ),
  ifMatch: rarely(3, fc.constantFrom('*', '"1"', '1', 'W/"1"', '""', 'é')),
  idempotencyKey: rarely(4, fc.constantFrom('a', 'b', '', 'x'.repeat(300))),
});
type AnyRequest = typeof request extends fc.Arbitrary<infer T> ? T : never;

function send({ name, parameters, changes, rawBody, contentType, ifMatch, idempotencyKey }: AnyRequest) {
  const { docs, access, method, path: pattern } = routes.get(name)!;
  const values = [...parameters];
  const path = pattern.replace(/:\w+/g, () => segment(values.shift()!));
  const query = Object.keys(docs!.query?.shape ?? {}).flatMap((name) => {
    const value = values.shift();
    return value === undefined ? [] : [`${name}=${encoded(value)}`];
  });
  const credential = isCallerAccess(access) ? access.credential : undefined;
  const body = docs!.body && (rawBody ?? JSON.stringify(changed(docs!.body.example, changes)));
  return fixture.server.inject({
    method,
    url: query.length === 0 ? path : `${path}?${query.join('&')}`,
    headers: {
      ...(credential === 'bearer' && { authorization: `Bearer ${key}` }),
      ...(credential === 'x-api-key' && { 'x-api-key': key }),
      ...(body !== undefined && { 'content-type': contentType ?? 'application/json' }),
      ...(ifMatch !== null && { 'if-match': ifMatch, 'if-none-match': ifMatch }),
      ...(idempotencyKey !== null && { 'idempotency-key': idempotencyKey }),
    },
    ...(body !== undefined && { payload: body }),
  });
}

/** Empty ones and dots would lead to another route. */
function segment(text: string): string {
  return /^\.{0,2}$/.test(text) ? 'x' : encoded(text);
}

/** Lone surrogates, which cannot be encoded, become the sign for what is no character. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function nameOf({ method, path }: Route): string {
  return `${method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')}`;
}

test('whatever is sent, the answer is one that the API describes, and never a fault of ours', async () => {
  const property = fc.asyncProperty(request, async (sent) => {
    const answer = await send(sent);
    const { id, jobId } = answer.statusCode === 201 ? answer.json() : {};
    madeIds.push(...[id, jobId].filter((each) => each !== undefined));
    expect(fixture.log.filter((line) => line.includes('"level":"error"'))).toEqual([]);
    expect(described.missingFor(sent.name, answer)).toEqual([]);
  });
  await fc.assert(property, { numRuns: runs(300) });
});
