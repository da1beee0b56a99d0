import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/support/runs.ts';
import { JsonMembers } from './json-members.ts';

const NAMES = ['code', 'name', 'na"me', 'é', '', 'nested', '__proto__'] as const;

function find(text: string) {
  const bytes = Buffer.from(text);
  const members = new JsonMembers(NAMES);
  if (!members.find(bytes, 0, bytes.length)) return undefined;
  return NAMES.map((name) => members.parse(name));
}

/** Escapes more than needed and adds white space where JSON allows it. */
function writeLoosely(value: unknown, escapes: boolean, space: string): string {
  const json = JSON.stringify(value, null, space);
  return escapes ? json.replace(/(?<!\\)[a-f]/g, (char) => loose(char, json)) : json;
}
const loose = (char: string, json: string) =>
  /\\u|true|false|null|\de|\dE/.test(json) ? char : `\\u00${char.charCodeAt(0).toString(16)}`;

describe('members of a JSON object', () => {
  test('equal the result of JSON.parse, whatever surrounds them', () => {
    const name = fc.oneof(
      fc.constantFrom(...NAMES),
      fc.string(),
      fc.constantFrom('a\\', '"', '\\"', '{', '}'),
    );
    const value = fc.jsonValue({ maxDepth: 3 });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(name, value), { maxLength: 12 }),
        fc.boolean(),
        fc.constantFrom('', ' ', '\t', '  '),
        (entries, escapes, space) => {
          const text = writeLoosely(Object.fromEntries(entries), escapes, space);
          const parsed = JSON.parse(text) as Record<string, unknown>;
          const expected = NAMES.map((key) => (Object.hasOwn(parsed, key) ? parsed[key] : undefined));
          expect(find(text)).toEqual(expected);
          expect(find(` ${text}\r`)).toEqual(expected);
        },
      ),
      { numRuns: runs(1_000) },
    );
  });

  test('a truncated object is rejected', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...NAMES), fc.jsonValue({ maxDepth: 2 })),
        fc.nat(),
        (object, nat) => {
          const text = JSON.stringify(object);
          expect(find(text.slice(0, nat % text.length))).toBeUndefined();
        },
      ),
    );
  });

  test('the last of several members with one name counts, as for JSON.parse', () => {
    expect(find('{"code":1,"code":2}')?.[0]).toBe(2);
    expect(find('{"code":1,"\\u0063ode":3}')?.[0]).toBe(3);
  });

  test.each([
    '',
    '[]',
    '"a"',
    '{} x',
    '{"code"}',
    '{"code":}',
    '{"code":1,}',
    '{"code":1 "name":2}',
    '{code:1}',
  ])('%j is rejected', (text) => {
    expect(find(text)).toBeUndefined();
  });

  test('an invalid value throws when it is read', () => {
    expect(() => find('{"code":tru}')).toThrow(SyntaxError);
    expect(() => find('{"code":"a\u0001b"}')).toThrow(SyntaxError);
  });
});
