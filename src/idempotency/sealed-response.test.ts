import fc from 'fast-check';
import { expect, it } from 'vitest';
import { seal, unseal } from './sealed-response.ts';

it('a response is read with the credential that sealed it, and with no other', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (text, credential, other) => {
      const sealed = seal(text, credential);
      expect(unseal(sealed, credential)).toBe(text);
      if (other !== credential) expect(unseal(sealed, other)).toBeUndefined();
      if (text.length > 3) expect(Buffer.from(sealed, 'base64').includes(text)).toBe(false);
    }),
  );
});
