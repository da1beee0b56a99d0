import { AppError, OutageError } from '@larder/core/errors.ts';
import { decodeJwt, decodeProtectedHeader, generateKeyPair, SignJWT } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import { LIFETIME_MS, openTokens, START_MS, type TokenFixture } from '../../../test/support/open-tokens.ts';
import { Authentication } from './bearer.ts';

const DAY_MS = 86_400_000;
const refusal = (code: string) => expect.objectContaining({ code, constructor: AppError });

let fixture: TokenFixture;
beforeEach(async () => {
  fixture = await openTokens();
  return () => fixture.close();
});

describe('an access token', () => {
  test('stands for one user of the tenant of its key, on every thread', async () => {
    const token = await fixture.mint();
    for (const thread of [fixture.here, fixture.openThread()]) {
      expect(await thread.verifier.verify(token)).toEqual({
        tenant: 'acme',
        userId: 'ann',
        key: fixture.issued.key,
        scopes: ['foods:read', 'diary:read', 'diary:write'],
      });
    }
  });

  test('is an RFC 9068 access token without anything secret in it', async () => {
    const token = await fixture.mint('diary:read');
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'EdDSA', typ: 'at+jwt', kid: expect.any(String) });
    expect(decodeJwt(token)).toEqual({
      iss: 'larder',
      aud: 'larder',
      sub: 'ann',
      client_id: fixture.issued.key.id,
      scope: 'diary:read',
      iat: START_MS / 1000,
      exp: (START_MS + LIFETIME_MS) / 1000,
    });
  });

  test('that lives longer than the service issues is refused, even with a signature of the service', async () => {
    const { kid, key } = await fixture.here.ring.signing();
    const sign = (seconds: number) =>
      new SignJWT({ client_id: fixture.issued.key.id, scope: 'diary:read' })
        .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid })
        .setIssuer('larder')
        .setAudience('larder')
        .setSubject('ann')
        .setIssuedAt(START_MS / 1000)
        .setExpirationTime(START_MS / 1000 + seconds)
        .sign(key);
    expect((await fixture.verify(await sign(LIFETIME_MS / 1000))).userId).toBe('ann');
    await expect(fixture.verify(await sign(LIFETIME_MS / 1000 + 1))).rejects.toEqual(
      refusal('invalid_token'),
    );
    await expect(fixture.verify(await sign(10 * 365 * 86_400))).rejects.toEqual(refusal('invalid_token'));
  });

  test('has only the requested scopes, and never admin or metrics', async () => {
    expect((await fixture.verify(await fixture.mint('diary:read'))).scopes).toEqual(['diary:read']);
    expect((await fixture.verify(await fixture.mint())).scopes).toEqual([
      'foods:read',
      'diary:read',
      'diary:write',
    ]);
  });

  test.each(['admin', 'metrics', 'scan', 'foods:eat', 'diary:read scan', ' '])(
    'is refused for the scope %j',
    async (scope) => {
      await expect(fixture.mint(scope)).rejects.toEqual(refusal('invalid_request'));
    },
  );

  test.each(['', 'a b', 'a\n', 'é', 'x'.repeat(129)])('is refused for the user %j', async (userId) => {
    await expect(fixture.here.tokens.issue({ key: fixture.issued.key, userId })).rejects.toEqual(
      refusal('invalid_request'),
    );
  });

  test('expires no later than its key', async () => {
    const short = await fixture.issuer.create({
      tenant: 'acme',
      scopes: ['scan'],
      expiresAt: START_MS / 1000 + 60,
    });
    expect((await fixture.here.tokens.issue({ key: short.key, userId: 'ann' })).expiresInSeconds).toBe(60);
  });

  test('differs from a key in its form', async () => {
    const authentication = new Authentication({
      authenticator: fixture.authenticator,
      verifier: fixture.here.verifier,
    });
    expect(await authentication.authenticate(await fixture.mint(), 'bearer')).toHaveProperty('userId', 'ann');
    expect(await authentication.authenticate(fixture.issued.text, 'bearer')).not.toHaveProperty('userId');
    await expect(authentication.authenticate('a.b.c', 'bearer')).rejects.toEqual(refusal('invalid_token'));
    await expect(authentication.authenticate('a.b.c', 'x-api-key')).rejects.toEqual(
      refusal('invalid_api_key'),
    );
    const refusals = await Promise.allSettled(
      ['a.b.c', await fixture.mint()].map((token) => authentication.authenticate(token, 'x-api-key')),
    );
    expect(refusals[0]).toEqual(refusals[1]);
    await expect(authentication.authenticate('a.b.c.d', 'bearer')).rejects.toEqual(
      refusal('invalid_api_key'),
    );
    await expect(authentication.authenticate('secret', 'bearer')).rejects.toEqual(refusal('invalid_api_key'));
  });
});

test('during an outage of the store of signing keys, tokens are verified and signed with the known keys', async () => {
  const tokens = [await fixture.mint('diary:read'), await fixture.mint()];
  await fixture.verify(tokens[0]!);
  fixture.isAway = true;
  fixture.nowMs += 60_000;
  tokens.push(await fixture.mint());
  for (const token of tokens) expect(await fixture.verify(token)).toMatchObject({ userId: 'ann' });
  await expect(fixture.openThread().verifier.verify(tokens[0]!)).rejects.toThrow(OutageError);
});

describe('signing keys', () => {
  test('are published without their private half', async () => {
    await fixture.mint();
    const { keys } = await fixture.here.ring.publicJwks();
    expect(keys).toEqual([
      {
        kty: 'OKP',
        crv: 'Ed25519',
        x: expect.any(String),
        kid: expect.any(String),
        alg: 'EdDSA',
        use: 'sig',
      },
    ]);
  });

  test('rotate after a week; the old one is published while its signatures may be valid, then deleted', async () => {
    await fixture.mint();
    fixture.nowMs += 7 * DAY_MS - 1;
    const last = await fixture.mint();
    fixture.nowMs += 1;
    const next = await fixture.mint();
    expect(decodeProtectedHeader(next)['kid']).not.toBe(decodeProtectedHeader(last)['kid']);
    expect((await fixture.here.ring.publicJwks()).keys).toHaveLength(2);
    await fixture.verify(last);
    fixture.nowMs += DAY_MS + LIFETIME_MS + 1_000;
    expect((await fixture.here.ring.publicJwks()).keys).toHaveLength(1);
    fixture.nowMs += 7 * DAY_MS;
    await fixture.mint();
    expect((await fixture.signingKeys.list()).map(({ kid }) => kid)).not.toContain(
      decodeProtectedHeader(last)['kid'],
    );
  });

  test('are created once, when several threads need the first one', async () => {
    const threads = Array.from({ length: 5 }, fixture.openThread);
    const minted = await Promise.all(
      threads.map(({ tokens }) => tokens.issue({ key: fixture.issued.key, userId: 'ann' })),
    );
    expect(new Set(minted.map(({ token }) => decodeProtectedHeader(token)['kid'])).size).toBe(1);
  });

  test('of another thread are found at once, and unknown ones are looked for once a second', async () => {
    // A recent read does not delay the next one.
    expect(await fixture.here.ring.publicJwks()).toEqual({ keys: [] });
    const elsewhere = fixture.openThread();
    const { token } = await elsewhere.tokens.issue({ key: fixture.issued.key, userId: 'ann' });
    expect(await fixture.verify(token)).toHaveProperty('userId', 'ann');
    fixture.loads = 0;
    for (let guess = 0; guess < 50; guess++) {
      const foreign = await generateKeyPair('EdDSA');
      const forged = await new SignJWT({})
        .setProtectedHeader({ alg: 'EdDSA', kid: `${guess}` })
        .sign(foreign.privateKey);
      await expect(fixture.verify(forged)).rejects.toEqual(refusal('invalid_token'));
    }
    expect(fixture.loads).toBe(0);
  });
});
