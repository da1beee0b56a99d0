import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { USER_ID_PATTERN } from '../access/api-key.ts';
import { parseDay } from '../diary/records/day.ts';
import { parseFoodName } from '../diary/records/entry.ts';
import { dateText, line, text, userIdText, visibleText } from './text-schemas.ts';

/** Returns whether the OpenAPI document allows the value. */
function isDescribed(schema: z.ZodType, value: string): boolean {
  const { pattern, minLength = 0, maxLength } = z.toJSONSchema(schema, { io: 'input' });
  const length = [...value].length;
  return new RegExp(pattern!, 'u').test(value) && length >= minLength && length <= (maxLength ?? length);
}

function isTaken(parse: (value: string) => unknown): (value: string) => boolean {
  return (value) => {
    try {
      parse(value);
      return true;
    } catch {
      return false;
    }
  };
}

const character = fc.oneof(
  fc.constantFrom(
    ' ',
    '\t',
    '\n',
    '\u0000',
    '\u0085',
    '\u00a0',
    '\u2028',
    '\ufeff',
    '-',
    '\u2010',
    '\u2016',
    '0',
    '7',
    'é',
    '😀',
  ),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
);
const anyText = fc.array(character, { maxLength: 20 }).map((characters) => characters.join(''));
const padded = (number: number, digits: number) => String(number).padStart(digits, '0');
const almostDate = fc
  .tuple(fc.nat(9999), fc.nat(13), fc.nat(32), fc.constantFrom('', ' ', 'T'))
  .map(([year, month, day, end]) => `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}${end}`);
const MAX = 12;

test.each([
  ['a date', dateText, isTaken((value) => parseDay(value)), fc.oneof(almostDate, anyText)],
  [
    'a user id',
    userIdText,
    (value: string) => USER_ID_PATTERN.test(value),
    fc.oneof(anyText, fc.string({ maxLength: 130 })),
  ],
  ['text', text(MAX), (value: string) => text(MAX).safeParse(value).success, anyText],
])('the document describes %s as the service reads it', (_, schema, isRead, values) => {
  fc.assert(
    fc.property(values, (value) => {
      fc.pre(value.isWellFormed());
      expect([value, isDescribed(schema, value)]).toEqual([value, isRead(value)]);
    }),
    { numRuns: 2_000 },
  );
});

// Surrounding white space may exceed the documented length: it is trimmed before the length is checked.
test.each([
  ['a line', line(300), (value: string) => line(300).safeParse(value).success],
  ['a name', visibleText(300), isTaken((value) => parseFoodName(value))],
])('the document describes %s as the service reads it', (_, schema, isRead) => {
  fc.assert(
    fc.property(anyText, (value) => {
      fc.pre(value.isWellFormed());
      expect([value, isDescribed(schema, value)]).toEqual([value, isRead(value)]);
    }),
    { numRuns: 2_000 },
  );
});

test('lengths are counted in characters, not in UTF-16 units', () => {
  expect(line(2).safeParse('😀😀').success).toBe(true);
  expect(line(2).safeParse('😀😀😀').success).toBe(false);
  expect(parseFoodName('😀'.repeat(300))).toHaveLength(600);
  expect(() => parseFoodName('😀'.repeat(301))).toThrow();
});
