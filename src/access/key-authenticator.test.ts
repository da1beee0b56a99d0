import { randomBytes } from 'node:crypto';
import { AppError, BusyError, OutageError } from '@larder/core/errors.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Pause } from '../base/pause.ts';
import { IN_MEMORY, type OpenSqlDatabase, openDatabase } from '../db/sqlite/database.ts';
import type { Caller } from './api-key.ts';
import { KeyAuthenticator } from './key-authenticator.ts';
import { createKeyText } from './key-format.ts';
import { type IssuedKey, KeyIssuer } from './key-issuer.ts';
import { KeyStore } from './key-store.ts';

const START_MS = 1_800_000_000_000;
const refusal = (code: string) => expect.objectContaining({ code, constructor: AppError });

describe('with a key of tenant acme', () => {
  let db: OpenSqlDatabase;
  let store: KeyStore;
  let nowMs: number;
  /** Ends the wait for a slow store. */
  let wake: () => void;
  let patience: AbortSignal;
  const pause: Pause = (_ms, { signal } = {}) =>
    new Promise<void>((resolve, reject) => {
      wake = resolve;
      patience = signal!;
      patience.addEventListener('abort', reject);
    });
  let lookUps: number;
  let issuer: KeyIssuer;
  let authenticator: KeyAuthenticator;
  let issued: IssuedKey;
  let holder: Caller;

  beforeEach(async () => {
    db = await openDatabase({ file: IN_MEMORY });
    store = new KeyStore(db);
    nowMs = START_MS;
    lookUps = 0;
    const clock = () => nowMs;
    issuer = new KeyIssuer({ store, nowMs: clock, randomBytes });
    const counted = {
      find: (id: string) => {
        lookUps++;
        return store.find(id);
      },
    };
    authenticator = new KeyAuthenticator({ store: counted, nowMs: clock, pause });
    issued = await issuer.create({ tenant: 'acme', scopes: ['scan'], limits: { search: 7 } });
    holder = { tenant: 'acme', scopes: ['scan'], key: issued.key };
    return () => db.close();
  });

  test('the text of a key identifies its holder', async () => {
    expect(await authenticator.authenticate(issued.text)).toEqual(holder);
    expect(issued.key).toMatchObject({ tenant: 'acme', scopes: ['scan'], limits: { search: 7 } });
  });

  test('a key in use is looked up twice a second, however many requests arrive', async () => {
    const ask = () => Promise.all(Array.from({ length: 50 }, () => authenticator.authenticate(issued.text)));
    await ask();
    nowMs += 499;
    await ask();
    expect(lookUps).toBe(1);
    nowMs += 1;
    await ask();
    expect(lookUps).toBe(2);
  });

  test('a revoked key is refused within a second, although it was cached', async () => {
    await authenticator.authenticate(issued.text);
    await issuer.revoke(issued.key.id);
    nowMs += 999;
    await expect(authenticator.authenticate(issued.text)).rejects.toEqual(refusal('invalid_api_key'));
  });

  test('a revoked key is refused although the clock was set back since it was cached', async () => {
    await authenticator.authenticate(issued.text);
    nowMs -= 3_600_000;
    await issuer.revoke(issued.key.id);
    await expect(authenticator.authenticate(issued.text)).rejects.toEqual(refusal('invalid_api_key'));
  });

  test('an expired key is refused from its last second on, although it was cached', async () => {
    const expiring = await issuer.create({
      tenant: 'acme',
      scopes: ['scan'],
      expiresAt: START_MS / 1000 + 10,
    });
    nowMs += 9_999;
    await authenticator.authenticate(expiring.text);
    nowMs += 1;
    await expect(authenticator.authenticate(expiring.text)).rejects.toEqual(refusal('expired_api_key'));
  });

  test('malformed, mistyped, unknown and forged keys get the same error', async () => {
    const unknown = createKeyText(START_MS / 1000, randomBytes);
    const mistyped = `${issued.text.slice(0, -1)}~`;
    await store.add({ key: { ...issued.key, id: unknown.slice(4, 16) }, secretHash: randomBytes(32) });
    const forged = unknown;
    const never = createKeyText(START_MS / 1000, randomBytes);
    const refusals = await Promise.all(
      ['', 'secret', mistyped, forged, never].map((text) =>
        Promise.resolve(authenticator.authenticate(text)).catch((error) => error),
      ),
    );
    for (const error of refusals) expect(error).toEqual(refusal('invalid_api_key'));
    expect(new Set(refusals.map((error) => error.message)).size).toBe(1);
    expect(lookUps).toBe(2);
  });

  test('guesses do not evict keys in use', async () => {
    await authenticator.authenticate(issued.text);
    const guesses = Array.from({ length: 12_000 }, () => createKeyText(START_MS / 1000, randomBytes));
    for (const guess of guesses)
      await Promise.resolve(authenticator.authenticate(guess)).catch(() => undefined);
    lookUps = 0;
    await authenticator.authenticate(issued.text);
    expect(lookUps).toBe(0);
  });

  test('a failed look-up is reported and not cached', async () => {
    let broken = true;
    const flaky = { find: (id: string) => (broken ? Promise.reject(new Error('disk')) : store.find(id)) };
    const fragile = new KeyAuthenticator({ store: flaky, nowMs: () => nowMs, pause });
    await expect(fragile.authenticate(issued.text)).rejects.toThrow('disk');
    broken = false;
    expect(await fragile.authenticate(issued.text)).toEqual(holder);
  });

  describe('an unavailable or slow store', () => {
    const AWAY_MS = 60_000;
    const SLOW_MS = 5_000;
    let find: KeyStore['find'];
    let bridging: KeyAuthenticator;
    beforeEach(async () => {
      find = (id) => store.find(id);
      bridging = new KeyAuthenticator({ store: { find: (id) => find(id) }, nowMs: () => nowMs, pause });
      await bridging.authenticate(issued.text);
      nowMs += 500;
    });
    const away = () => Promise.reject(new OutageError('away'));
    const busy = () => Promise.reject(new BusyError('busy'));

    test('during an outage a key in use stays valid for a minute, and no other key is accepted', async () => {
      const unused = await issuer.create({ tenant: 'acme', scopes: ['scan'] });
      find = away;
      for (; nowMs < START_MS + AWAY_MS; nowMs += 1_000) {
        expect(await bridging.authenticate(issued.text)).toEqual(holder);
        await expect(bridging.authenticate(unused.text)).rejects.toThrow('away');
      }
      nowMs = START_MS + AWAY_MS;
      await expect(bridging.authenticate(issued.text)).rejects.toThrow('away');
    });

    test('during a known outage no request waits for the store', async () => {
      find = away;
      await bridging.authenticate(issued.text);
      nowMs += 500;
      find = () => new Promise(() => {});
      expect(await bridging.authenticate(issued.text)).toEqual(holder);
    });

    test('an overloaded store is no reason to use an earlier result, and rejects no key afterwards', async () => {
      find = busy;
      await expect(bridging.authenticate(issued.text)).rejects.toThrow(BusyError);
      find = away;
      expect(await bridging.authenticate(issued.text)).toEqual(holder);
      find = (id) => store.find(id);
      nowMs += SLOW_MS;
      await issuer.revoke(issued.key.id);
      await expect(bridging.authenticate(issued.text)).rejects.toEqual(refusal('invalid_api_key'));
    });

    test('an earlier result counts for the same text only, and until the key expires', async () => {
      find = away;
      const other = issued.text.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
      await expect(bridging.authenticate(other)).rejects.toEqual(refusal('invalid_api_key'));
    });

    test('a slow store does not delay known keys, and its late result counts', async () => {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      find = () => promise;
      const asked = bridging.authenticate(issued.text);
      wake();
      expect(await asked).toEqual(holder);
      resolve(undefined);
      await promise;
      find = (id) => store.find(id);
      await issuer.revoke(issued.key.id);
      await expect(bridging.authenticate(issued.text)).rejects.toEqual(refusal('invalid_api_key'));
    });

    test('the wait for a store ends with its result', async () => {
      expect(await bridging.authenticate(issued.text)).toEqual(holder);
      expect(patience.aborted).toBe(true);
    });

    test('a slow store is waited for once the earlier result is five seconds old', async () => {
      await issuer.revoke(issued.key.id);
      const { promise, resolve } = Promise.withResolvers<void>();
      find = (id) => promise.then(() => store.find(id));
      nowMs = START_MS + SLOW_MS;
      const asked = bridging.authenticate(issued.text);
      wake();
      resolve();
      await expect(asked).rejects.toEqual(refusal('invalid_api_key'));
    });

    test('after an outage the second request sees a revocation, or the first one after five seconds', async () => {
      const other = await issuer.create({ tenant: 'acme', scopes: ['scan'] });
      await bridging.authenticate(other.text);
      find = away;
      nowMs += 500;
      await Promise.all([bridging.authenticate(issued.text), bridging.authenticate(other.text)]);
      for (const { key } of [issued, other]) await issuer.revoke(key.id);
      find = (id) => store.find(id);
      nowMs += 500;
      await bridging.authenticate(issued.text);
      await store.find(issued.key.id);
      await expect(bridging.authenticate(issued.text)).rejects.toEqual(refusal('invalid_api_key'));

      find = away;
      await expect(bridging.authenticate(createKeyText(START_MS / 1000, randomBytes))).rejects.toThrow();
      find = (id) => store.find(id);
      nowMs += SLOW_MS;
      await expect(bridging.authenticate(other.text)).rejects.toEqual(refusal('invalid_api_key'));
    });
  });

  describe('rotation', () => {
    test('gives the new key all rights of the old one, and both are valid during the overlap', async () => {
      const successor = (await issuer.rotate(issued.key.id, 60))!;
      expect(successor.key).toMatchObject({ tenant: 'acme', scopes: ['scan'], limits: { search: 7 } });
      expect(successor.key.id).not.toBe(issued.key.id);
      await authenticator.authenticate(issued.text);
      await authenticator.authenticate(successor.text);
      nowMs += 60_000;
      await expect(authenticator.authenticate(issued.text)).rejects.toEqual(refusal('invalid_api_key'));
      await authenticator.authenticate(successor.text);
    });

    test('gives the new key a new lifetime and no revocation', async () => {
      const old = await issuer.create({ tenant: 'acme', scopes: ['scan'], expiresAt: START_MS / 1000 + 100 });
      nowMs += 90_000;
      const first = (await issuer.rotate(old.key.id, 600))!;
      const second = (await issuer.rotate(old.key.id, 600))!;
      for (const { key } of [first, second]) {
        expect(key.expiresAt).toBe(START_MS / 1000 + 190);
        expect(key).not.toHaveProperty('revokedAt');
      }
    });

    test('refuses an unknown and a revoked key', async () => {
      await issuer.revoke(issued.key.id);
      expect(await issuer.rotate(issued.key.id, 60)).toBeUndefined();
      expect(await issuer.rotate('unknown', 60)).toBeUndefined();
    });
  });
});
