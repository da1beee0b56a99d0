import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SealedSecrets } from './sealed-secrets.ts';

const OLD = 'a secret of long ago';
const NEW = 'the secret of today!';
const before = new SealedSecrets([OLD]);
const after = new SealedSecrets([NEW, OLD]);

test('every text is opened as it was sealed, and is not part of what is stored', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 5 }), (text) => {
      const sealed = before.seal(text, 'row');
      expect(before.open(sealed, 'row')).toBe(text.toWellFormed());
      expect(sealed).not.toContain(text);
      expect(before.seal(text, 'row')).not.toBe(sealed);
    }),
  );
});

test('after a rotation the previous key still opens, and only the current one seals', () => {
  const sealed = before.seal('whsec_1', 'row');
  expect([after.open(sealed, 'row'), after.isCurrent(sealed)]).toEqual(['whsec_1', false]);
  const again = after.seal('whsec_1', 'row');
  expect([after.isCurrent(again), before.open(again, 'row')]).toEqual([true, undefined]);
});

test('a text of another row, or one that was changed, is not opened', () => {
  const sealed = before.seal('whsec_1', 'row 1');
  expect(before.open(sealed, 'row 2')).toBeUndefined();
  const at = sealed.length - 3;
  const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
  expect(before.open(changed, 'row 1')).toBeUndefined();
  expect(before.open('s1.00000000.AAAA', 'row 1')).toBeUndefined();
});

test('a text from before is returned as it is, and not current', () => {
  expect([before.open('{"kty":"OKP"}', 'row'), before.isCurrent('{"kty":"OKP"}')]).toEqual([
    '{"kty":"OKP"}',
    false,
  ]);
});
