import { expect, test } from 'vitest';
import { describedApi } from './api-operations.ts';

/** Names that a language or a generator of clients has taken. */
const TAKEN = ['Error', 'Date', 'Object', 'Map', 'Set', 'List', 'Type', 'Response', 'Request', 'Function'];

const document = JSON.parse(JSON.stringify(describedApi())) as {
  components: { schemas: Record<string, unknown> };
};
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

test('no schema has a name that generators rename or that two schemas share but for case', () => {
  expect(names.filter((name) => TAKEN.includes(name))).toEqual([]);
  // `New` before a name is the name of a constructor in Go: call what clients send Input or Patch.
  expect(names.filter((name) => name.startsWith('New') && names.includes(name.slice('New'.length)))).toEqual(
    [],
  );
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
});

test('null is a type beside others or beside one named schema, since generators fail at other unions with null', () => {
  const found: string[] = [];
  visit(document, '', ({ anyOf, oneOf }, path) => {
    const members = [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
    const isNamedOrNull = members.length === 2 && members.some((member) => '$ref' in Object(member));
    const hasNull = members.some((member) => (member as { type?: unknown }).type === 'null');
    if (hasNull && !isNamedOrNull) found.push(path);
  });
  expect(found).toEqual([]);
});

test('members of unions in answers have names: give each z.object(…).meta({ id })', () => {
  const found: string[] = [];
  visit(document.components.schemas, '', ({ oneOf }, path) => {
    const isInline =
      Array.isArray(oneOf) &&
      oneOf.some((member) => 'properties' in Object(member) && !('$ref' in member) && 'type' in member);
    if (isInline) found.push(path);
  });
  expect(found).toEqual([]);
});
