import { expect, test } from 'vitest';
import { wholeDocument } from '../../tools/client/whole-document.ts';
import { describedApi } from './openapi/described-api.ts';
import type { ApiVariant } from './openapi/document-files.ts';

/** Reserved names in a language or a client generator. */
const TAKEN = ['Error', 'Date', 'Object', 'Map', 'Set', 'List', 'Type', 'Response', 'Request', 'Function'];

interface Document {
  readonly paths: Record<string, unknown>;
  readonly components: { readonly schemas: Record<string, unknown>; readonly responses: object };
}
const read = (variant: ApiVariant): Document => JSON.parse(JSON.stringify(describedApi(variant)));
const document = wholeDocument(read('versioned'), read('unversioned'));
const names = Object.keys(document.components.schemas);

function visit(
  value: unknown,
  path: string,
  see: (schema: Record<string, unknown>, path: string) => void,
): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) see(value as Record<string, unknown>, path);
  for (const [key, inner] of Object.entries(value)) visit(inner, `${path}/${key}`, see);
}

test('no schema has a name that generators rename, or that differs from another one only in case', () => {
  expect(names.filter((name) => TAKEN.includes(name))).toEqual([]);
  // `New` before a name is the name of a constructor in Go: call what clients send Input or Patch.
  expect(names.filter((name) => name.startsWith('New') && names.includes(name.slice('New'.length)))).toEqual(
    [],
  );
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
});

type Schema = Record<string, unknown>;
const membersOf = ({ oneOf, anyOf }: Schema) => [oneOf, anyOf].flat().filter((each) => each !== undefined);
const componentOf = (schema: unknown) => {
  const { $ref } = schema as { $ref?: string };
  return ($ref === undefined ? schema : document.components.schemas[$ref.split('/').at(-1)!]) as Schema;
};

function pathsOf(isFound: (schema: Schema) => boolean): string[] {
  const found: string[] = [];
  visit(document, '', (schema, path) => {
    if (isFound(schema)) found.push(path);
  });
  return found;
}

test('rules between fields are descriptions, because generators do not support not and allOf', () => {
  expect(pathsOf((schema) => 'not' in schema || 'allOf' in schema)).toEqual([]);
});

test('members of unions, or the items of arrays in them, are named: Rust derives the names of its variants from them', () => {
  const isNamed = (member: Schema) => '$ref' in member || '$ref' in Object(member['items']);
  const isNull = ({ type }: Schema) => type === 'null';
  expect(
    pathsOf((schema) =>
      membersOf(schema).some((member) => !isNamed(member as Schema) && !isNull(member as Schema)),
    ),
  ).toEqual([]);
});

test('null is a type beside others or, in anyOf, beside one named schema; other unions are oneOf', () => {
  const isOptional = (members: unknown[]) =>
    members.length === 2 && '$ref' in Object(members[0]) && Object(members[1]).type === 'null';
  expect(
    pathsOf((schema) => Array.isArray(schema['anyOf']) && !isOptional(schema['anyOf'] as unknown[])),
  ).toEqual([]);
  expect(
    pathsOf(({ oneOf }) => Array.isArray(oneOf) && oneOf.some(({ type }: Schema) => type === 'null')),
  ).toEqual([]);
});

test('texts beside lists are a union of named schemas: generators use the first of several types, or none', () => {
  expect(pathsOf(({ type }) => Array.isArray(type) && !(type.length === 2 && type.includes('null')))).toEqual(
    [],
  );
});

test('an item of a list in a union is not another member of it: typescript-fetch would import it twice', () => {
  const twice = pathsOf((schema) => {
    const members = membersOf(schema) as Schema[];
    const listed = members.map(({ items }) => Object(items).$ref).filter((name) => name !== undefined);
    return members.some(({ $ref }) => listed.includes($ref));
  });
  expect(twice).toEqual([]);
});

test('objects have names: give each z.object(…).meta({ id })', () => {
  const isNamed = /^\/components\/schemas\/\w+$/;
  const inline = pathsOf((schema) => schema['type'] === 'object' && 'properties' in schema);
  expect(inline.filter((path) => !isNamed.test(path))).toEqual([]);
});

test('no union is a member of another one, and neither is an array of it', () => {
  const isUnion = (schema: unknown) => membersOf(componentOf(schema)).length > 0;
  expect(
    pathsOf((schema) =>
      membersOf(schema).some((member) => isUnion(member) || isUnion((member as Schema)['items'] ?? {})),
    ),
  ).toEqual([]);
});

test('no two fields of an object become one name in camel case', () => {
  const plain = (name: string) => name.replaceAll(/[^a-z0-9]/gi, '').toLowerCase();
  expect(
    pathsOf(({ type, properties }) => {
      const fields = type === 'object' ? Object.keys(properties ?? {}) : [];
      return new Set(fields.map(plain)).size < fields.length;
    }),
  ).toEqual([]);
});

/** The schemas of answers, and those in them. */
function answeredSchemas(): Map<string, Schema> {
  const answered = new Map<string, Schema>();
  const follow = (value: unknown) =>
    visit(value, '', ({ $ref }) => {
      const name = String($ref).match(/^#\/components\/schemas\/(.+)/)?.[1];
      if (name === undefined || answered.has(name)) return;
      answered.set(name, componentOf({ $ref }));
      follow(componentOf({ $ref }));
    });
  visit(document.paths, '', ({ responses }) => follow(responses));
  follow(document.components.responses);
  return answered;
}

test('responses may have further fields, so that current clients can read future responses', () => {
  const answered = [...answeredSchemas()];
  expect(answered.length).toBeGreaterThan(40);
  const closed = answered.filter(([, { additionalProperties }]) => additionalProperties === false);
  expect(closed.map(([name]) => name)).toEqual([]);
});

test('unions in answers have a discriminator, because clients in Go read no others', () => {
  const unions = [...answeredSchemas()].filter(([, schema]) => JSON.stringify(schema).includes('"oneOf"'));
  expect(unions.length).toBeGreaterThan(0);
  for (const [name, { oneOf, discriminator }] of unions) {
    const { propertyName, mapping } = discriminator as { propertyName: string; mapping: object };
    expect([name, Object.values(mapping)]).toEqual([name, (oneOf as Schema[]).map(({ $ref }) => $ref)]);
    for (const member of oneOf as Schema[]) {
      const { properties, required } = componentOf(member) as { properties: Schema; required: string[] };
      expect(Object.keys(mapping)).toContain((properties[propertyName] as Schema)['const']);
      expect(required).toContain(propertyName);
    }
  }
});

test('tags are described; what webhooks get has one of its own, or it would replace the operations of its tag', () => {
  const { tags, webhooks } = read('versioned') as unknown as Record<'tags' | 'webhooks', { name: string }[]>;
  const tagsIn = (part: unknown) => {
    const found = new Set<string>();
    visit(part, '', (each) => {
      if (typeof each['operationId'] === 'string') found.add((each['tags'] as string[])[0]!);
    });
    return [...found];
  };
  const described = tags.map(({ name }) => name);
  const ofPaths = tagsIn(read('versioned').paths);
  expect(tagsIn(webhooks).filter((name) => ofPaths.includes(name))).toEqual([]);
  expect([...ofPaths, ...tagsIn(webhooks)].toSorted()).toEqual(described.toSorted());
});

test('members of a union are not closed: typescript-fetch omits closed ones', () => {
  const isClosed = (member: unknown) => componentOf(member)['additionalProperties'] === false;
  expect(pathsOf((schema) => membersOf(schema).some(isClosed))).toEqual([]);
});

test('objects with names that clients change are not closed: typescript-fetch sends both names', () => {
  const closed = pathsOf(
    ({ properties, additionalProperties }) =>
      additionalProperties === false && Object.keys(properties ?? {}).some((name) => /[^a-z0-9]/i.test(name)),
  );
  expect(closed).toEqual([]);
});

test('nullable fields are marked: clients send null in optional fields', () => {
  const nullable = pathsOf(({ type }) => Array.isArray(type) && type.includes('null'));
  expect(nullable.length).toBeGreaterThan(20);
  expect(pathsOf((schema) => schema['x-nullable'] === true)).toEqual(nullable);
});

test('no two named lists of values share a value, because values are package constants in Go', () => {
  const values = Object.values(document.components.schemas).flatMap(
    (schema) => (schema as { enum?: string[] }).enum ?? [],
  );
  expect(values.length).toBeGreaterThan(30);
  expect(values.filter((value, at) => values.indexOf(value) < at)).toEqual([]);
});

test('no boolean has a fixed value, because Java makes it a text', () => {
  expect(pathsOf((schema) => typeof schema['const'] === 'boolean')).toEqual([]);
});

test('no text has a pattern beside its format: Python matches the pattern with the converted value', () => {
  expect(pathsOf((schema) => 'format' in schema && 'pattern' in schema)).toEqual([]);
});
