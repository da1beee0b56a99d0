import { randomBytes } from 'node:crypto';
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
import { AppError, OutageError } from '../../errors.ts';
import { SqlKeyStore } from '../../storage/key-store.ts';
import { SqlSigningKeyStore } from '../../storage/signing-key-store.ts';
import { IN_MEMORY, openDatabase } from '../../storage/sqlite/database.ts';
import { KeyAuthenticator } from '../key-authenticator.ts';
import { type IssuedKey, KeyIssuer } from '../key-issuer.ts';
import { createAuthentication } from './bearer.ts';
import type { SigningKeyStore } from './signing-keys.ts';
import { SigningKeyRing } from './signing-keys.ts';
import { TokenIssuer } from './token-issuer.ts';
import { TokenVerifier } from './token-verifier.ts';

const START_MS = 1_800_000_000_000;
const DAY_MS = 86_400_000;
const LIFETIME_MS = 900_000;
const refusal = (code: string) => expect.objectContaining({ code, constructor: AppError });

let nowMs: number;
let loads: number;
let isAway: boolean;
let signingKeys: SigningKeyStore;
let issuer: KeyIssuer;
let issued: IssuedKey;
let authenticator: KeyAuthenticator;
let here: ReturnType<typeof openThread>;

beforeEach(async () => {
  nowMs = START_MS;
  loads = 0;
  isAway = false;
  const db = await openDatabase({ file: IN_MEMORY });
  const store = new SqlKeyStore(db);
  signingKeys = new SqlSigningKeyStore(db);
  issuer = new KeyIssuer({ store, nowMs: () => nowMs, randomBytes });
  authenticator = new KeyAuthenticator({ store, nowMs: () => nowMs, sleep: () => new Promise(() => {}) });
  here = openThread();
  issued = await issuer.create({
    tenant: 'acme',
    scopes: ['foods:read', 'diary:read', 'diary:write', 'admin', 'metrics'],
  });
  return () => db.close();
});

/** The parts of one API thread. */
function openThread() {
  const counted: SigningKeyStore = {
    list: () => {
      loads++;
      return isAway ? Promise.reject(new OutageError('away')) : signingKeys.list();
    },
    addUnlessNewer: (key, newest) => signingKeys.addUnlessNewer(key, newest),
    removeOlder: (oldest) => signingKeys.removeOlder(oldest),
  };
  const clock = () => nowMs;
  const ring = new SigningKeyRing({
    store: counted,
    nowMs: clock,
    createKid: () => randomBytes(6).toString('hex'),
  });
  const verifier = new TokenVerifier({ ring, authenticator, nowMs: clock });
  return { ring, verifier, tokens: new TokenIssuer({ ring, nowMs: clock }) };
}

const mint = async (scope?: string) =>
  (await here.tokens.issue({ key: issued.key, userId: 'ann', ...(scope !== undefined && { scope }) })).token;
const verify = (token: string) => here.verifier.verify(token);

describe('a token', () => {
  test('stands for one user of the tenant of its key, on every thread', async () => {
    const token = await mint();
    for (const thread of [here, openThread()]) {
      expect(await thread.verifier.verify(token)).toEqual({
        tenant: 'acme',
        userId: 'ann',
        key: issued.key,
        scopes: ['foods:read', 'diary:read', 'diary:write'],
      });
    }
  });

  test('is an RFC 9068 access token without anything secret in it', async () => {
    const token = await mint('diary:read');
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'EdDSA', typ: 'at+jwt', kid: expect.any(String) });
    expect(decodeJwt(token)).toEqual({
      iss: 'larder',
      aud: 'larder',
      sub: 'ann',
      client_id: issued.key.id,
      scope: 'diary:read',
      iat: START_MS / 1000,
      exp: (START_MS + LIFETIME_MS) / 1000,
    });
  });

  test('has only the scopes that were asked for, and never admin or metrics', async () => {
    expect((await verify(await mint('diary:read'))).scopes).toEqual(['diary:read']);
    expect((await verify(await mint())).scopes).toEqual(['foods:read', 'diary:read', 'diary:write']);
  });

  test.each(['admin', 'metrics', 'scan', 'foods:eat', 'diary:read scan', ' '])(
    'cannot be had for the scope %j',
    async (scope) => {
      await expect(mint(scope)).rejects.toEqual(refusal('invalid_request'));
    },
  );

  test.each(['', 'a b', 'a\n', 'é', 'x'.repeat(129)])('cannot be had for the user %j', async (userId) => {
    await expect(here.tokens.issue({ key: issued.key, userId })).rejects.toEqual(refusal('invalid_request'));
  });

  test('never outlives its key', async () => {
    const short = await issuer.create({ tenant: 'acme', scopes: ['scan'], expiresAt: START_MS / 1000 + 60 });
    expect((await here.tokens.issue({ key: short.key, userId: 'ann' })).expiresInSeconds).toBe(60);
  });

  test('is told from a key by its form', async () => {
    const authenticate = createAuthentication({ authenticator, verifier: here.verifier });
    expect(await authenticate(await mint(), 'bearer')).toHaveProperty('userId', 'ann');
    expect(await authenticate(issued.text, 'bearer')).not.toHaveProperty('userId');
    await expect(authenticate('a.b.c', 'bearer')).rejects.toEqual(refusal('invalid_token'));
    await expect(authenticate('a.b.c', 'x-api-key')).rejects.toEqual(refusal('invalid_api_key'));
    await expect(authenticate('a.b.c.d', 'bearer')).rejects.toEqual(refusal('invalid_api_key'));
    await expect(authenticate('secret', 'bearer')).rejects.toEqual(refusal('invalid_api_key'));
  });
});

test('while the store of signing keys is away, tokens are verified and signed with the keys known so far', async () => {
  const tokens = [await mint('diary:read'), await mint()];
  await verify(tokens[0]!);
  isAway = true;
  nowMs += 60_000;
  tokens.push(await mint());
  for (const token of tokens) expect(await verify(token)).toMatchObject({ userId: 'ann' });
  await expect(openThread().verifier.verify(tokens[0]!)).rejects.toThrow(OutageError);
});

describe('a token is refused', () => {
  test('when its time is over, also when it was accepted before', async () => {
    const token = await mint();
    await verify(token);
    nowMs += LIFETIME_MS - 1;
    await verify(token);
    nowMs += 1;
    await expect(verify(token)).rejects.toEqual(refusal('expired_token'));
    await expect(openThread().verifier.verify(token)).rejects.toEqual(refusal('expired_token'));
  });

  test('within a second when its key is revoked, also when it was accepted before', async () => {
    const token = await mint();
    await verify(token);
    await issuer.revoke(issued.key.id);
    nowMs += 999;
    await expect(verify(token)).rejects.toEqual(refusal('invalid_token'));
  });

  test('when any of its characters was changed', async () => {
    const token = await mint();
    // Without the last one, of which some bits have no meaning.
    for (let at = 0; at < token.length - 1; at += 7) {
      const other = token[at] === 'A' ? 'B' : 'A';
      await expect(verify(token.slice(0, at) + other + token.slice(at + 1))).rejects.toEqual(
        refusal('invalid_token'),
      );
    }
  });

  test.each(['', '..', 'a.b.c', `${'a'.repeat(3_000)}.b.c`])('when it is %.20j', async (token) => {
    await expect(verify(token)).rejects.toEqual(refusal('invalid_token'));
  });

  describe('when it is signed', () => {
    const claims = () => ({ ...decodeJwt(token), jti: 'forged' });
    let token: string;
    let header: { alg: string; typ: string; kid: string };
    let privateKey: Awaited<ReturnType<typeof importJWK>>;
    beforeEach(async () => {
      token = await mint();
      header = decodeProtectedHeader(token) as typeof header;
      const [stored] = await signingKeys.list();
      privateKey = await importJWK(stored!.privateJwk, 'EdDSA');
    });
    const sign = (changed: object, newHeader: object = {}) =>
      new SignJWT({ ...claims(), ...changed }).setProtectedHeader({ ...header, ...newHeader });

    test('by nobody', async () => {
      await expect(verify(new UnsecuredJWT(claims()).encode())).rejects.toEqual(refusal('invalid_token'));
      const none = Buffer.from(JSON.stringify({ ...header, alg: 'none' })).toString('base64url');
      await expect(verify(`${none}.${token.split('.')[1]}.`)).rejects.toEqual(refusal('invalid_token'));
    });

    test('by somebody else, under our key id or their own', async () => {
      const foreign = await generateKeyPair('EdDSA');
      for (const kid of [header.kid, 'theirs']) {
        await expect(verify(await sign({}, { kid }).sign(foreign.privateKey))).rejects.toEqual(
          refusal('invalid_token'),
        );
      }
    });

    test('with our public key as if it were a shared secret', async () => {
      const publicJwk = (await here.ring.publicJwks()).keys[0]!;
      for (const secret of [JSON.stringify(publicJwk), publicJwk.x!]) {
        const forged = await sign({}, { alg: 'HS256' }).sign(new TextEncoder().encode(secret.padEnd(32)));
        await expect(verify(forged)).rejects.toEqual(refusal('invalid_token'));
      }
    });

    test('with a key that it brings along', async () => {
      const own = await generateKeyPair('EdDSA');
      const jwk = await exportJWK(own.publicKey);
      await expect(verify(await sign({}, { jwk }).sign(own.privateKey))).rejects.toEqual(
        refusal('invalid_token'),
      );
    });

    test.each([
      ['another audience', { aud: 'elsewhere' }],
      ['another issuer', { iss: 'elsewhere' }],
      ['a time that has not come', { nbf: START_MS / 1000 + 60 }],
      ['no expiry', { exp: undefined }],
      ['no user', { sub: undefined }],
      ['no key behind it', { client_id: undefined }],
      ['an unknown key behind it', { client_id: 'aaaaaaaaaaaa' }],
      ['no scope', { scope: undefined }],
    ])('by us for %s', async (_, changed) => {
      await expect(verify(await sign(changed).sign(privateKey))).rejects.toEqual(refusal('invalid_token'));
    });

    test('by us as another kind of JWT', async () => {
      await expect(verify(await sign({}, { typ: 'JWT' }).sign(privateKey))).rejects.toEqual(
        refusal('invalid_token'),
      );
    });

    test('by us, and only then accepted', async () => {
      expect(await verify(await sign({}).sign(privateKey))).toHaveProperty('userId', 'ann');
    });
  });
});

describe('signing keys', () => {
  test('are published without their private half', async () => {
    await mint();
    const { keys } = await here.ring.publicJwks();
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

  test('rotate after a week; the old one is published while what it signed may be valid, then forgotten', async () => {
    await mint();
    nowMs += 7 * DAY_MS - 1;
    const last = await mint();
    nowMs += 1;
    const next = await mint();
    expect(decodeProtectedHeader(next)['kid']).not.toBe(decodeProtectedHeader(last)['kid']);
    expect((await here.ring.publicJwks()).keys).toHaveLength(2);
    await verify(last);
    nowMs += DAY_MS + LIFETIME_MS + 1_000;
    expect((await here.ring.publicJwks()).keys).toHaveLength(1);
    nowMs += 7 * DAY_MS;
    await mint();
    expect((await signingKeys.list()).map(({ kid }) => kid)).not.toContain(
      decodeProtectedHeader(last)['kid'],
    );
  });

  test('are one, when threads that have none all need one at once', async () => {
    const threads = Array.from({ length: 5 }, openThread);
    const minted = await Promise.all(
      threads.map(({ tokens }) => tokens.issue({ key: issued.key, userId: 'ann' })),
    );
    expect(new Set(minted.map(({ token }) => decodeProtectedHeader(token)['kid'])).size).toBe(1);
  });

  test('of another thread are found at once, and unknown ones are looked for once a second', async () => {
    // A read of a moment ago does not delay the next one.
    expect(await here.ring.publicJwks()).toEqual({ keys: [] });
    const elsewhere = openThread();
    const { token } = await elsewhere.tokens.issue({ key: issued.key, userId: 'ann' });
    expect(await verify(token)).toHaveProperty('userId', 'ann');
    loads = 0;
    for (let guess = 0; guess < 50; guess++) {
      const foreign = await generateKeyPair('EdDSA');
      const forged = await new SignJWT({})
        .setProtectedHeader({ alg: 'EdDSA', kid: `${guess}` })
        .sign(foreign.privateKey);
      await expect(verify(forged)).rejects.toEqual(refusal('invalid_token'));
    }
    expect(loads).toBe(0);
  });
});
