import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Day } from '../records/day.ts';
import { CURSOR_FORM, type FeedPosition, parseCursor, toCursor } from './feed-position.ts';

const owner = { tenant: 'acme', userId: 'ann' };
const id = fc.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/);
const seq = fc.nat(Number.MAX_SAFE_INTEGER);
const position: fc.Arbitrary<FeedPosition> = fc.record({
  diary: fc.record({
    seq,
    reading: fc.option(
      fc.oneof(
        fc.record({ kind: fc.constant('recipe' as const), after: fc.oneof(fc.constant(''), id) }),
        fc.constant({ kind: 'goals' as const }),
        fc.record({ kind: fc.constant('measurement' as const), after: fc.oneof(fc.constant(''), id) }),
        fc.record({
          kind: fc.constant('record' as const),
          after: fc.constantFrom(
            { kind: '', id: '' },
            { kind: 'day', id: '2026-01-31' },
            { kind: 'meal', id: '01900000-0000-7000-8000-000000000000' },
            { kind: 'settings', id: 'settings' },
          ),
        }),
        fc.constant({ kind: 'entry' as const }),
        fc.record({
          kind: fc.constant('entry' as const),
          after: fc.record({ date: fc.constant('2026-01-31' as Day), id }),
        }),
      ),
      { nil: undefined },
    ),
  }),
  foods: fc.option(
    fc.record({
      seq,
      reading: fc.option(
        fc.oneof(
          fc.constant(''),
          id.map((key) => `manual:${key}`),
        ),
        { nil: undefined },
      ),
    }),
    { nil: undefined },
  ),
});

test('a cursor is parsed to the position that it was made from', () => {
  fc.assert(
    fc.property(position, (at) => {
      const cursor = toCursor(at, owner, 'epoch');
      expect(cursor).toMatch(new RegExp(`^${CURSOR_FORM}$`));
      expect(parseCursor(cursor, owner, 'epoch')).toEqual(at);
    }),
  );
});

function readOrExpired(cursor: string): FeedPosition | 'expired' {
  try {
    return parseCursor(cursor, owner, 'epoch');
  } catch (error) {
    expect(error).toMatchObject({ code: 'cursor_expired' });
    return 'expired';
  }
}

test('an invalid cursor never becomes a position with anything but ids and days', () => {
  const parts = fc.array(
    fc.oneof(fc.string({ unit: 'binary-ascii' }), fc.constantFrom('1', '-', 'g', 'e', 'r\0', '>\0')),
    {
      minLength: 6,
      maxLength: 6,
    },
  );
  const made = toCursor({ diary: { seq: 1 } }, owner, 'epoch');
  const key = Buffer.from(made, 'base64url').toString().split('~')[1]!;
  fc.assert(
    fc.property(parts, ([, , ...rest]) => {
      const cursor = Buffer.from(['1', key, ...rest].join('~')).toString('base64url');
      const read = readOrExpired(cursor);
      expect(JSON.stringify(read)).not.toMatch(/\\u0|[^\x20-\x7e]/);
    }),
  );
  expect(readOrExpired(`${made}AAAA`)).toBe('expired');
});

test('a cursor of another user, tenant or epoch has expired', () => {
  const cursor = toCursor({ diary: { seq: 1 } }, owner, 'epoch');
  for (const [of, epoch] of [
    [{ ...owner, userId: 'bob' }, 'epoch'],
    [{ ...owner, tenant: 'other' }, 'epoch'],
    [owner, 'another'],
  ] as const)
    expect(() => parseCursor(cursor, of, epoch)).toThrow(expect.objectContaining({ code: 'cursor_expired' }));
});
