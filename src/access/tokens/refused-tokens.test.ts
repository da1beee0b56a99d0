import { AppError } from '@larder/core/errors.ts';
import {
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  importJWK,
  SignJWT,
  UnsecuredJWT,
} from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import { LIFETIME_MS, openTokens, START_MS, type TokenFixture } from '../../../test/support/open-tokens.ts';

const LEEWAY_MS = 60_000;
const refusal = (code: string) => expect.objectContaining({ code, constructor: AppError });

let fixture: TokenFixture;
beforeEach(async () => {
  fixture = await openTokens();
  return () => fixture.close();
});

describe('a token is refused', () => {
  test('after it expired, although it was accepted before', async () => {
    const token = await fixture.mint();
    await fixture.verify(token);
    fixture.nowMs += LIFETIME_MS + LEEWAY_MS - 1;
    await fixture.verify(token);
    fixture.nowMs += 1;
    await expect(fixture.verify(token)).rejects.toEqual(refusal('expired_token'));
    await expect(fixture.verify(token)).rejects.toThrow(
      'expired at 2027-01-15T08:15:00.000Z; the clock of this service says 2027-01-15T08:16:00.000Z. Ask for a new one.',
    );
    await expect(fixture.openThread().verifier.verify(token)).rejects.toEqual(refusal('expired_token'));
  });

  test('within a second after its key was revoked, although it was accepted before', async () => {
    const token = await fixture.mint();
    await fixture.verify(token);
    await fixture.issuer.revoke(fixture.issued.key.id);
    fixture.nowMs += 999;
    await expect(fixture.verify(token)).rejects.toEqual(refusal('invalid_token'));
  });

  test('if any of its characters was changed', async () => {
    const token = await fixture.mint();
    // The last character is left out, since some of its bits are padding.
    for (let at = 0; at < token.length - 1; at += 7) {
      const other = token[at] === 'A' ? 'B' : 'A';
      await expect(fixture.verify(token.slice(0, at) + other + token.slice(at + 1))).rejects.toEqual(
        refusal('invalid_token'),
      );
    }
  });

  test.each(['', '..', 'a.b.c', `${'a'.repeat(3_000)}.b.c`])('if it is %.20j', async (token) => {
    await expect(fixture.verify(token)).rejects.toEqual(refusal('invalid_token'));
  });

  describe('if it is signed', () => {
    const claims = () => ({ ...decodeJwt(token), jti: 'forged' });
    let token: string;
    let header: { alg: string; typ: string; kid: string };
    let privateKey: Awaited<ReturnType<typeof importJWK>>;
    beforeEach(async () => {
      token = await fixture.mint();
      header = decodeProtectedHeader(token) as typeof header;
      const [stored] = await fixture.signingKeys.list();
      privateKey = await importJWK(stored!.privateJwk, 'EdDSA');
    });
    const sign = (changed: object, newHeader: object = {}) =>
      new SignJWT({ ...claims(), ...changed }).setProtectedHeader({ ...header, ...newHeader });

    test('by nobody', async () => {
      await expect(fixture.verify(new UnsecuredJWT(claims()).encode())).rejects.toEqual(
        refusal('invalid_token'),
      );
      const none = Buffer.from(JSON.stringify({ ...header, alg: 'none' })).toString('base64url');
      await expect(fixture.verify(`${none}.${token.split('.')[1]}.`)).rejects.toEqual(
        refusal('invalid_token'),
      );
    });

    test('by another key, under our key id or its own', async () => {
      const foreign = await generateKeyPair('EdDSA');
      for (const kid of [header.kid, 'theirs']) {
        await expect(fixture.verify(await sign({}, { kid }).sign(foreign.privateKey))).rejects.toEqual(
          refusal('invalid_token'),
        );
      }
    });

    test('with our public key as a shared secret', async () => {
      const publicJwk = (await fixture.here.ring.publicJwks()).keys[0]!;
      for (const secret of [JSON.stringify(publicJwk), publicJwk.x!]) {
        const forged = await sign({}, { alg: 'HS256' }).sign(new TextEncoder().encode(secret.padEnd(32)));
        await expect(fixture.verify(forged)).rejects.toEqual(refusal('invalid_token'));
      }
    });

    test('with a key from its own header', async () => {
      const own = await generateKeyPair('EdDSA');
      const jwk = await exportJWK(own.publicKey);
      await expect(fixture.verify(await sign({}, { jwk }).sign(own.privateKey))).rejects.toEqual(
        refusal('invalid_token'),
      );
    });

    test.each([
      ['another audience', { aud: 'elsewhere' }],
      ['another issuer', { iss: 'elsewhere' }],
      ['a time that has not come', { nbf: START_MS / 1000 + 1e300 }],
      ['no expiry', { exp: undefined }],
      ['no user', { sub: undefined }],
      ['no key behind it', { client_id: undefined }],
      ['an unknown key behind it', { client_id: 'aaaaaaaaaaaa' }],
      ['no scope', { scope: undefined }],
    ])('by us for %s', async (_, changed) => {
      await expect(fixture.verify(await sign(changed).sign(privateKey))).rejects.toEqual(
        refusal('invalid_token'),
      );
    });

    test.each([
      ['nbf', { nbf: START_MS / 1000 + 61 }],
      ['iat', { iat: START_MS / 1000 + 61 }],
    ])('by us for a %s more than a minute ahead, naming both clocks', async (claim, changed) => {
      const ahead = await sign(changed).sign(privateKey);
      await expect(fixture.verify(ahead)).rejects.toEqual(refusal('invalid_token'));
      await expect(fixture.verify(ahead)).rejects.toThrow(
        `its ${claim} is 2027-01-15T08:01:01.000Z, the clock of this service says 2027-01-15T08:00:00.000Z. It is 61 s ahead, and 60 s are allowed`,
      );
      fixture.nowMs += 1_000;
      expect(await fixture.verify(ahead)).toHaveProperty('userId', 'ann');
    });

    test('by us as another kind of JWT', async () => {
      await expect(fixture.verify(await sign({}, { typ: 'JWT' }).sign(privateKey))).rejects.toEqual(
        refusal('invalid_token'),
      );
    });

    test('unless we sign it for this service', async () => {
      expect(await fixture.verify(await sign({}).sign(privateKey))).toHaveProperty('userId', 'ann');
    });
  });
});
