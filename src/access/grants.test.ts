import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../test/support/runs.ts';
import { DEFAULT_LIMITS, LIMITED_OPERATIONS } from '../limits/operations.ts';
import { SCOPES, type Scope } from './api-key.ts';
import { grantFrom, type Rights, requireHeld, requireHeldLimits } from './grants.ts';

const limits = fc.dictionary(fc.constantFrom(...LIMITED_OPERATIONS), fc.integer({ min: 1, max: 700 }));
const rights: fc.Arbitrary<Rights> = fc.record(
  { scopes: fc.subarray([...SCOPES], { minLength: 1 }), limits, expiresAt: fc.integer({ min: 1, max: 5 }) },
  { requiredKeys: ['scopes'] },
);

/** Everything that these rights allow: each scope, at each time, at each rate. */
function* deeds({ scopes, limits, expiresAt = 9 }: Rights): Generator<string> {
  for (const scope of scopes) {
    for (let time = 0; time < expiresAt; time++) yield `${scope} at ${time}`;
  }
  for (const operation of LIMITED_OPERATIONS) {
    const limit = limits?.[operation] ?? DEFAULT_LIMITS[operation];
    for (let count = 1; count <= limit; count++) yield `${operation} ${count} times`;
  }
}

function holdsAll(holder: Rights, asked: Rights): boolean {
  const own = new Set(deeds(holder));
  return deeds(asked).every((deed) => own.has(deed));
}

function answer<T>(run: () => T): T | 'refused' {
  try {
    return run();
  } catch (error) {
    expect(error).toMatchObject({ code: 'forbidden' });
    return 'refused';
  }
}

test('`requireHeld` accepts exactly the rights that the holder has', () => {
  fc.assert(
    fc.property(rights, rights, (holder, other) => {
      expect(answer(() => requireHeld(holder, other)) !== 'refused').toBe(holdsAll(holder, other));
    }),
    { numRuns: runs(300) },
  );
});

const isOfOperators = (scope: Scope) => scope === 'metrics' || scope === 'operator';

test('a key grants only its own rights, without those of operators, and can grant all of the rest', () => {
  fc.assert(
    fc.property(rights, rights, (holder, asked) => {
      const granted = answer(() => grantFrom(holder, asked));
      if (granted !== 'refused') {
        expect(holdsAll(holder, granted)).toBe(true);
        expect(granted.scopes.some(isOfOperators)).toBe(false);
      } else {
        const whole = { ...holder, ...asked, limits: { ...holder.limits, ...asked.limits } };
        expect(asked.scopes.some(isOfOperators) || !holdsAll(holder, whole)).toBe(true);
      }
    }),
    { numRuns: runs(300) },
  );
});

test('rights not asked for default to the holder’s, except for limits above the defaults', () => {
  const holder: Rights = { scopes: ['scan', 'admin'], limits: { search: 5, other: 900 }, expiresAt: 4 };
  expect(grantFrom(holder, { scopes: ['scan'] })).toEqual({
    scopes: ['scan'],
    limits: { search: 5 },
    expiresAt: 4,
  });
  const asked: Rights = { scopes: ['scan'], limits: { search: 1, other: 900 }, expiresAt: 2 };
  expect(grantFrom(holder, asked)).toEqual(asked);
});

test('limits can be changed up to those of the holder, and unchanged ones do not count', () => {
  const holder: Rights = { scopes: ['admin'], limits: { search: 5, other: 900 } };
  for (const change of [
    {},
    { search: 5 },
    { other: 900 },
    { barcode: 100 },
    { barcode: null, other: null },
  ]) {
    expect(answer(() => requireHeldLimits(holder, change))).toBeUndefined();
  }
  for (const change of [{ search: 6 }, { search: null }, { other: 901 }, { barcode: 101, token: 1 }]) {
    expect(answer(() => requireHeldLimits(holder, change))).toBe('refused');
  }
});
