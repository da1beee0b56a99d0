import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

// The rules of docs/api-conventions.md that a document can break.

interface Schema {
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name?: string; readonly in?: string; readonly $ref?: string }[];
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly $ref?: string;
        readonly headers?: object;
        readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
      }
    >
  >;
}
interface Document {
  readonly webhooks: Readonly<
    Record<
      string,
      {
        readonly post: {
          readonly requestBody: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
        };
      }
    >
  >;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters?: Readonly<Record<string, { readonly name: string }>>;
  };
}

const DOCUMENT: Document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../openapi.json'), 'utf8'),
);
const { schemas, parameters = {} } = DOCUMENT.components;
const VERSIONED = Object.entries(DOCUMENT.paths)
  .filter(([path]) => path.startsWith('/v1/'))
  .flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      path,
      method,
      operation,
    })),
  );

const CAMEL_CASE = /^[a-z][a-zA-Z0-9]*$/;
const TIME = /At$/;
/** Names that OAuth, JSON-LD and the contract fix. */
const FIXED_NAMES =
  /^(?:access_token|token_type|expires_in|grant_type|client_id|client_secret|user_id|error_description|created_at|@type)$/;
/** Words for which the API has another one. */
const OTHER_WORDS = [
  'state',
  'timestamp',
  'uuid',
  'locale',
  'scanId',
  'pageSize',
  'start_date',
  'incomplete',
  'disabled',
  'energyKcal',
  'amounts',
];
/** Words that are names of the language in some generated client. */
const RESERVED = /^(?:Default|Object|Type|Self|Error|Result|Option|String|Map|Set|List|Function|Any|None)$/;
/** Names of the contract and of Standard Webhooks. */
const OTHER_TIMES = ['created_at', 'timestamp'];
/** The diary of a day is complete, as are the totals of a range of days; an export is one file. */
const WHOLE_LISTS = [
  'GET /v1/users/{userId}/diary',
  'GET /v1/users/{userId}/diary/totals/days',
  'GET /v1/users/{userId}/diary/export',
];

function namesOf({ operation }: (typeof VERSIONED)[number]): string[] {
  return (operation.parameters ?? []).map(
    ({ name, $ref }) => name ?? parameters[$ref!.split('/').at(-1)!]!.name,
  );
}

function answerOf(operation: Operation) {
  return (
    operation.responses['200'] ?? operation.responses['201'] ?? { content: undefined, headers: undefined }
  );
}

function schemaOf(operation: Operation): Schema | undefined {
  const schema = answerOf(operation).content?.['application/json']?.schema;
  return schema?.$ref === undefined ? schema : schemas[schema.$ref.split('/').at(-1)!];
}

test('segments of addresses are in lower case, with hyphens', () => {
  const segments = VERSIONED.flatMap(({ path }) => path.split('/')).filter((part) => !part.startsWith('{'));
  expect(segments.filter((part) => !/^(?:[a-z0-9]+(?:-[a-z0-9]+)*)?$/.test(part))).toEqual([]);
  // Keys and webhooks of all tenants are at the addresses of those of one.
  expect(segments).not.toContain('admin');
});

test('operation ids are unique verbs with a thing', () => {
  const ids = VERSIONED.map(({ operation }) => operation.operationId);
  expect(
    ids.filter((id, index) => ids.indexOf(id) !== index || !CAMEL_CASE.test(id) || /V\d+$/.test(id)),
  ).toEqual([]);
});

test('parameters and fields are in camelCase, with one word a thing', () => {
  const fields = Object.entries(schemas).flatMap(([title, { properties = {} }]) =>
    // Standard Webhooks name the time of a delivery.
    Object.keys(properties).filter((name) => !(title.endsWith('Event') && name === 'timestamp')),
  );
  const queries = VERSIONED.flatMap(({ operation }) =>
    (operation.parameters ?? []).flatMap((each) => (each.in === 'query' ? [each.name!] : [])),
  );
  const names = [...fields, ...queries];
  expect(names.filter((name) => !CAMEL_CASE.test(name) && !FIXED_NAMES.test(name))).toEqual([]);
  expect(names.filter((name) => OTHER_WORDS.includes(name))).toEqual([]);
});

test('times end in a verb with "At"', () => {
  const times = Object.entries(schemas).flatMap(([title, { properties = {} }]) =>
    Object.entries(properties)
      .filter(
        ([name, { format }]) => format === 'date-time' && !TIME.test(name) && !OTHER_TIMES.includes(name),
      )
      .map(([name]) => `${title}.${name}`),
  );
  expect(times).toEqual([]);
});

test('schemas have names that generated clients can use', () => {
  // An enum without a name is named by its field.
  const inline = Object.values(schemas).flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([name, { enum: values }]) =>
      values === undefined ? [] : [`${name[0]!.toUpperCase()}${name.slice(1)}`],
    ),
  );
  expect(inline).toContain('Status');
  // Generated models of Rust derive or use these by their bare names.
  expect(inline.filter((name) => ['Default', 'Option', 'Vec', 'Box', 'Self'].includes(name))).toEqual([]);
  expect(Object.keys(schemas).filter((name) => RESERVED.test(name))).toEqual([]);
});

test('every answer has one type', () => {
  const several = VERSIONED.filter(({ operation }) => {
    const schema = schemaOf(operation) as { readonly oneOf?: readonly Schema[] } | undefined;
    return schema?.oneOf?.some(({ type }) => type === 'array');
  });
  expect(several.map(({ name }) => name)).toEqual([]);
});

test('one thing is answered bare, not in a field of its name', () => {
  const wrapped = VERSIONED.filter(({ operation }) => {
    const fields = Object.values(schemaOf(operation)?.properties ?? {});
    return fields.length === 1 && fields[0]!.$ref !== undefined;
  });
  expect(wrapped.map(({ name }) => name)).toEqual([]);
});

test('lists are arrays in pages, with the address of the next one', () => {
  const lists = VERSIONED.filter(
    ({ name, method, operation }) =>
      method === 'get' && schemaOf(operation)?.type === 'array' && !WHOLE_LISTS.includes(name),
  );
  expect(lists.length).toBeGreaterThan(20);
  for (const list of lists) {
    const names = namesOf(list);
    expect([list.name, names.includes('limit')]).toEqual([list.name, true]);
    expect([list.name, names.includes('after') || names.includes('offset')]).toEqual([list.name, true]);
    expect([list.name, Object.keys(answerOf(list.operation).headers ?? {})]).toEqual([
      list.name,
      expect.arrayContaining(['Link', 'Limit-Applied']),
    ]);
  }
});

test('every event has a body of its own, with typed data', () => {
  const events = schemas['WebhookEventType']!.enum!;
  expect(Object.keys(DOCUMENT.webhooks)).toEqual([...events, 'webhook.test']);
  const bodies = Object.values(DOCUMENT.webhooks).map(
    ({ post }) => post.requestBody.content['application/json']!.schema.$ref!,
  );
  expect(new Set(bodies).size).toBe(events.length + 1);
  for (const body of bodies) {
    const { data } = schemas[body.split('/').at(-1)!]!.properties!;
    expect([body, JSON.stringify(data)]).toEqual([body, expect.stringContaining('#/components/schemas/')]);
  }
});

test('every POST that changes something and has a caller can be repeated with an Idempotency-Key', () => {
  const others = VERSIONED.filter(
    (each) =>
      each.method === 'post' &&
      answerOf(each.operation) === each.operation.responses['201'] &&
      !namesOf(each).includes('Idempotency-Key'),
  ).map(({ name }) => name);
  // They make sessions and people, without a credential.
  expect(others).toEqual(['POST /v1/people', 'POST /v1/session/passkey', 'POST /v1/session']);
});

test('an answer with a version has it as ETag, and its change takes If-Match', () => {
  const versioned = VERSIONED.filter(({ path, method, operation }) => {
    // A barcode leads to a food; its own address is that of its id.
    if (path.startsWith('/v1/foods/barcode')) return false;
    const { version } = schemaOf(operation)?.properties ?? {};
    return ['get', 'patch', 'put'].includes(method) && version?.type === 'integer';
  });
  expect(versioned.length).toBeGreaterThan(10);
  for (const each of versioned) {
    const { name, method, operation } = each;
    expect([name, Object.keys(answerOf(operation).headers ?? {})]).toEqual([
      name,
      expect.arrayContaining(['ETag']),
    ]);
    if (method !== 'get') expect([name, namesOf(each)]).toEqual([name, expect.arrayContaining(['If-Match'])]);
  }
});

/** Schemas of answers; those of bodies are named so. */
const ANSWERS = Object.entries(schemas).filter(([title]) => !/(?:Input|Patch)$/.test(title));
const fieldsOf = ({ properties = {} }: Schema) => Object.entries(properties);

test('null stands only in bodies, where it removes', () => {
  const takesNull = ({ type, anyOf = [] }: Schema): boolean =>
    [type].flat().includes('null') || anyOf.some(takesNull);
  const found = ANSWERS.flatMap(([title, schema]) =>
    fieldsOf(schema).flatMap(([name, field]) => (takesNull(field) ? [`${title}.${name}`] : [])),
  );
  expect(found).toEqual([]);
});

test('nutrients are beside the macros and calories of every answer, in one vocabulary', () => {
  const withNutrition = ANSWERS.filter(
    ([, { properties = {} }]) => 'macros' in properties || 'calories' in properties,
  );
  expect(withNutrition.length).toBeGreaterThan(15);
  const vocabulary = Object.keys(schemas['Nutrients']!.properties!);
  for (const [title, { properties = {} }] of withNutrition) {
    const { $ref, properties: own } = properties['nutrients'] ?? {};
    const of = $ref === undefined ? own : schemas[$ref.split('/').at(-1)!]!.properties;
    expect([title, Object.keys(of ?? {})]).toEqual([title, vocabulary]);
  }
  // Goals that nobody stated are absent; saved meals and stored analyses may be older than the vocabulary.
  const optional = withNutrition.filter(([, { required = [] }]) => !required.includes('nutrients'));
  expect(optional.filter(([title]) => !/Goals|GoalAmounts|^SavedMealItem$|^Analysis/.test(title))).toEqual(
    [],
  );
  const included = VERSIONED.filter((operation) => namesOf(operation).includes('include'));
  expect(included.map(({ name }) => name)).toEqual([
    'GET /v1/foods/search',
    'GET /v1/foods/barcode/{upc}',
    'GET /v1/foods/barcode',
    'GET /v1/foods/{id}',
  ]);
});

test('what is not fully known is a list of names, what is not resolved the part of an item', () => {
  for (const [title, schema] of ANSWERS)
    for (const [name, { type, items }] of fieldsOf(schema)) {
      if (name === 'unknown') expect([title, type, items?.type]).toEqual([title, 'array', 'string']);
      if (name === 'unresolved') expect([title, type]).toEqual([title, 'string']);
    }
});

test('amounts are a quantity with a unit, but for those of the contract', () => {
  const amounts = Object.entries(schemas).flatMap(([title, schema]) =>
    fieldsOf(schema).flatMap(([name]) => (name === 'amount' ? [title] : [])),
  );
  // What a code states is an amount with both fields.
  expect(amounts).toEqual(['ScannedFacts']);
});

test('the language of a person is `language`, that of words `lang`', () => {
  const named = Object.entries(schemas).filter(([, { properties = {} }]) => 'language' in properties);
  expect(named.map(([title]) => title)).toEqual(['UserSettings', 'UserSettingsInput', 'UserSettingsPatch']);
});

test('schemathesis.toml names operations that exist, and all that compare versions', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../schemathesis.toml'), 'utf8');
  const rules = text.split('[[operations]]').slice(1);
  const namedIn = (rule: string) =>
    [...rule.matchAll(/include-operation-id = (\[[^\]]*\])/g)].flatMap(([, ids]) =>
      [...ids!.matchAll(/"(\w+)"/g)].map(([, id]) => id!),
    );
  const known = VERSIONED.map(({ operation }) => operation.operationId);
  expect(rules.flatMap(namedIn).filter((id) => !known.includes(id))).toEqual([]);
  const comparing = VERSIONED.filter((operation) => namesOf(operation).includes('If-Match'));
  expect(comparing.length).toBeGreaterThan(15);
  const may412 = rules.filter((rule) => rule.includes('"412"')).flatMap(namedIn);
  expect(may412.toSorted()).toEqual(comparing.map(({ operation }) => operation.operationId).toSorted());
});
