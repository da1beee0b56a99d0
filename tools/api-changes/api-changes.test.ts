import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { ALLOWED } from './allowed.ts';
import { type ApiDocument, breakingChanges } from './api-changes.ts';
import { frozenChanges } from './frozen.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests change any part of the document.
type Editable = any;

const read = (name: string): ApiDocument => JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8'));
const DOCUMENT = read('released-openapi.json');
const FROZEN = read('released-openapi-unversioned.json');

function changed(change: (document: Editable, schemas: Editable) => void): string[] {
  const document: Editable = structuredClone(DOCUMENT);
  change(document, document.components.schemas);
  return breakingChanges(DOCUMENT, document, ALLOWED);
}

function without<T>(list: readonly T[], value: T): T[] {
  expect(list).toContain(value);
  return list.filter((other) => other !== value);
}

it('equal documents are compatible', () => {
  expect(changed(() => {})).toEqual([]);
});

it.each<[string, (document: Editable, schemas: Editable) => void, string]>([
  ['an operation that is gone', ({ paths }) => delete paths['/v1/foods'].post, 'POST /v1/foods: is gone'],
  ['another id', ({ paths }) => (paths['/healthz'].get.operationId = 'x'), 'its id was getHealth and is x'],
  ['a closed door', ({ paths }) => (paths['/healthz'].get.security = [{ bearer: [] }]), 'is no longer open'],
  [
    'another credential',
    ({ paths }) => (paths['/v1/foods'].get.security = [{ x: [] }]),
    'takes no longer bearer',
  ],
  [
    'a parameter that is gone',
    ({ paths }) => {
      const { get } = paths['/v1/foods/search'];
      get.parameters = get.parameters.filter(({ name }: { readonly name?: string }) => name !== 'limit');
    },
    'GET /v1/foods/search: query parameter limit is gone',
  ],
  [
    'a parameter that has to be there',
    ({ paths }) => (paths['/v1/foods/search'].get.parameters[1].required = true),
    'query parameter q is newly required',
  ],
  [
    'a new parameter that has to be there',
    ({ paths }) =>
      paths['/v1/foods'].get.parameters.push({ name: 'x', in: 'query', required: true, schema: {} }),
    'query parameter x is newly required',
  ],
  [
    'a type of body that is gone',
    ({ paths }) =>
      delete paths['/v1/auth/token'].post.requestBody.content['application/x-www-form-urlencoded'],
    'takes no longer application/x-www-form-urlencoded',
  ],
  [
    'a field that has to be sent',
    (_, { FoodInput }) => FoodInput.required.push('brand'),
    'body.brand: is newly',
  ],
  ['a field that is refused', (_, { FoodInput }) => delete FoodInput.properties.brand, 'body.brand: is gone'],
  [
    'a body that takes known fields alone',
    (_, { NamedEntryInput }) => (NamedEntryInput.additionalProperties = false),
    'body: refuses fields that it does not know',
  ],
  ['a value that is refused', (_, { MealType }) => MealType.enum.pop(), 'takes no longer snacks'],
  [
    'a value in no such list',
    (_, { MealType }) => MealType.enum.push('tea'),
    '[].mealType: may newly be tea',
  ],
  [
    'a lower limit',
    (_, { NamedEntryInput }) => (NamedEntryInput.properties.calories.maximum = 10),
    'body.calories: maximum was 20000 and is 10',
  ],
  ['a new limit', (_, { FoodText }) => (FoodText.minLength = 2), 'minLength was'],
  [
    'another pattern',
    (_, { TextInput }) => (TextInput.properties.userId.pattern = '^x$'),
    'body.userId: its pattern',
  ],
  ['a form of the body that is gone', (_, { DiaryEntryInput }) => DiaryEntryInput.oneOf.pop(), 'body'],
  [
    'another status',
    ({ paths }) => {
      const { responses } = paths['/v1/foods'].post;
      responses['200'] = responses['201'];
      delete responses['201'];
    },
    'POST /v1/foods: answers no longer 201',
  ],
  [
    'a header that is gone',
    ({ paths }) => delete paths['/v1/foods'].post.responses['201'].headers.ETag,
    '201 has no longer the header ETag',
  ],
  [
    'another type of content',
    ({ paths }) => delete paths['/v1/users/{userId}/diary/export'].get.responses['200'].content['text/csv'],
    '200 is no longer text/csv',
  ],
  ['a field that is gone', (_, { Food }) => delete Food.properties.brand, '200[].brand: is gone'],
  [
    'a field that may be absent',
    (_, { Food }) => (Food.required = without(Food.required, 'name')),
    '200[].name: may newly be absent',
  ],
  [
    'a field of another type',
    (_, { Food }) => (Food.properties.name.type = 'number'),
    'was string and is number',
  ],
  [
    'a field that may be null',
    (_, { Food }) => (Food.properties.name.type = ['string', 'null']),
    'its type was string and is string or null',
  ],
  [
    'a time that becomes a date',
    (_, { Measurement }) => (Measurement.properties.measuredAt.format = 'date'),
    'measuredAt: its format was date-time and is date',
  ],
  [
    'a field that a webhook no longer tells',
    (_, { DiaryChangedData }) => delete DiaryChangedData.properties.cursor,
    'event diary.changed: body.data.cursor: is gone',
  ],
  [
    'a webhook that is gone',
    ({ webhooks }) => delete webhooks['food.changed'],
    'event food.changed: is gone',
  ],
  ['another form of the response', (_, { Change }) => Change.oneOf.push({ type: 'string' }), 'its type was'],
  [
    'details that an error no longer has',
    (_, { BarcodeNotFoundDetails }) => (BarcodeNotFoundDetails.required = []),
    '404.error.details.candidates: may newly be absent',
  ],
])('%s breaks clients', (_, change, problem) => {
  expect(changed(change).join('\n')).toContain(problem);
});

it.each<[string, (document: Editable, schemas: Editable) => void]>([
  ['an operation', ({ paths }) => (paths['/v1/new'] = paths['/healthz'])],
  [
    'an optional parameter',
    ({ paths }) => paths['/v1/foods'].get.parameters.push({ name: 'x', in: 'query', schema: {} }),
  ],
  ['an optional field of a request', (_, { FoodInput }) => (FoodInput.properties.x = { type: 'string' })],
  [
    'a field of a response',
    (_, { Food }) => {
      Food.properties.x = { type: 'string' };
      Food.required.push('x');
    },
  ],
  [
    'a value of a list that can grow',
    (_, { ErrorCode, Scope }) => [ErrorCode, Scope].map(({ enum: all }) => all.push('x')),
  ],
  ['a code of a failed scan', (_, { ScanFailure }) => ScanFailure.properties.code.enum.push('x')],
  ['a higher limit', (_, { NamedEntryInput }) => (NamedEntryInput.properties.calories.maximum = 1e9)],
  [
    'a pattern that matches all values of before',
    (_, { ScanInput }) => (ScanInput.properties.imageType = { type: 'string', pattern: '^[a-z]+$' }),
  ],
  ['another form of a request', (_, { DiaryEntryInput }) => DiaryEntryInput.oneOf.push({ type: 'string' })],
  ['prose', (_, { Food }) => (Food.properties.name.description = 'As people say it.')],
  [
    'a reference with words beside it',
    (_, { Food }) => {
      Food.properties.macros = { allOf: [Food.properties.macros, { description: 'In g.' }] };
    },
  ],
  [
    'an error',
    ({ paths }) => (paths['/healthz'].get.responses['418'] = paths['/healthz'].get.responses['500']),
  ],
])('%s more is compatible', (_, change) => {
  expect(changed(change)).toEqual([]);
});

it('each pattern that is allowed to be wider is wider', () => {
  for (const [before, after] of ALLOWED.widened) {
    fc.assert(
      fc.property(fc.stringMatching(new RegExp(before, 'u')), (text) => new RegExp(after, 'u').test(text)),
    );
  }
});

function frozen(change: (document: Editable, schemas: Editable) => void): string[] {
  const document: Editable = structuredClone(FROZEN);
  change(document, document.components.schemas);
  return frozenChanges(FROZEN, document);
}

it.each<[string, (document: Editable, schemas: Editable) => void, string]>([
  ['an operation that is gone', ({ paths }) => delete paths['/foods'].get, '/paths/~1foods/get: is gone'],
  [
    'a higher limit',
    (_, { FoodText }) => (FoodText.maxLength = 1e6),
    '/FoodText/maxLength: was 2000 and is 1000000',
  ],
  [
    'an optional parameter that is gone',
    ({ paths }) => paths['/foods/search'].get.parameters.pop(),
    'is gone or different',
  ],
  [
    'a field that is no longer sure',
    (_, { UnversionedFood }) => UnversionedFood.required.pop(),
    '/UnversionedFood/required/',
  ],
  [
    'a field that is gone',
    (_, { UnversionedFood }) => delete UnversionedFood.properties.brand,
    '/UnversionedFood/properties/brand: is gone',
  ],
  [
    'a schema with another name',
    (_, schemas) => {
      schemas.Other = schemas.UnversionedFood;
      delete schemas.UnversionedFood;
    },
    '/UnversionedFood: is gone',
  ],
])('%s is no addition to the frozen document', (_, change, problem) => {
  expect(frozen(change).join('\n')).toContain(problem);
});

it.each<[string, (document: Editable, schemas: Editable) => void]>([
  ['nothing', () => {}],
  ['a path', ({ paths }) => (paths['/new'] = paths['/foods'])],
  [
    'a parameter before the others',
    ({ paths }) => paths['/foods'].get.parameters.unshift({ name: 'x', in: 'query', schema: {} }),
  ],
  ['a value', (_, { ErrorCode }) => ErrorCode.enum.unshift('x')],
  ['a field', (_, { UnversionedFood }) => (UnversionedFood.properties.x = { type: 'string' })],
  ['other words', (_, { UnversionedFood }) => (UnversionedFood.properties.id.description = 'Its id.')],
])('%s more is an addition to the frozen document', (_, change) => {
  expect(frozen(change)).toEqual([]);
});

/** Runs the program over copies of the released documents, of which one is changed; returns what it does to them. */
function program() {
  const folder = mkdtempSync(join(tmpdir(), 'larder-api-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = ['openapi.json', 'openapi-unversioned.json'].flatMap((file) => [file, `released-${file}`]);
  for (const file of [...files, 'released.sha256'])
    copyFileSync(join(import.meta.dirname, file.replace(/^(?=openapi)/, 'released-')), join(folder, file));
  return {
    change(file: string, change: (document: Editable) => void) {
      const document: Editable = JSON.parse(readFileSync(join(folder, file), 'utf8'));
      change(document);
      writeFileSync(join(folder, file), JSON.stringify(document));
    },
    run(...options: string[]) {
      const check = join(import.meta.dirname, 'check.ts');
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', check, ...options, folder, folder],
        { encoding: 'utf8' },
      );
      return [status, stdout + stderr];
    },
  };
}

it('CI refuses a change that breaks clients of the last release, also as a release', () => {
  const { change, run } = program();
  expect(run()).toEqual([0, 'No change breaks clients of the last release.\n']);
  change('openapi.json', ({ paths }) => delete paths['/v1/foods'].post);
  for (const options of [[], ['--release']])
    expect(run(...options)).toEqual([1, expect.stringContaining('POST /v1/foods: is gone')]);
  const ci = readFileSync(join(import.meta.dirname, '../../.ci/run'), 'utf8');
  expect(ci).toMatch(/^beside .* npm run --silent api-changes$/m);
});

it('the documents of the last release are replaced by a release alone', () => {
  const { change, run } = program();
  change('openapi.json', ({ paths }) => (paths['/v1/new'] = paths['/healthz']));
  expect(run('--release')).toEqual([0, expect.stringContaining('last release now')]);
  change('openapi.json', ({ paths }) => delete paths['/v1/new']);
  expect(run()).toEqual([1, expect.stringContaining('GET /v1/new: is gone')]);
  change('released-openapi.json', ({ paths }) => delete paths['/v1/new']);
  for (const options of [[], ['--release']])
    expect(run(...options)).toEqual([
      1,
      expect.stringContaining('released-openapi.json is not the document of the last release'),
    ]);
});
