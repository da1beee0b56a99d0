import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createKeyText, hashKeyText, parseKeyId } from '../../src/access/key-format.ts';
import type { KeyStore, StoredKey } from '../../src/access/key-store.ts';
import { LIMITED_OPERATIONS } from '../../src/limits/operations.ts';

export interface OpenKeyStore {
  readonly store: KeyStore;
  /** Another connection to the same keys, as another process has it. */
  readonly other: KeyStore;
  close(): Promise<void>;
}

const CREATED_AT = 1_700_000_000;

function newKey(more: Partial<StoredKey['key']> = {}): StoredKey {
  const text = createKeyText(more.createdAt ?? CREATED_AT, randomBytes);
  const key = {
    id: parseKeyId(text)!,
    tenant: 'acme',
    scopes: ['foods:read'] as const,
    createdAt: CREATED_AT,
    ...more,
  };
  return { key, secretHash: hashKeyText(text) };
}

/** Contract of `KeyStore`, run over each adapter. `open` returns a store without keys. */
export function keyStoreContract(adapter: string, open: () => Promise<OpenKeyStore>): void {
  describe(`KeyStore over ${adapter}`, () => {
    let opened: OpenKeyStore;
    let store: KeyStore;
    beforeEach(async () => {
      opened = await open();
      store = opened.store;
    });
    afterEach(() => opened.close());

    test('a key is found unchanged on every instance, with all fields or only the required ones', async () => {
      const plain = newKey();
      const full = newKey({
        name: 'Küche „1“ 🍓',
        scopes: ['foods:read', 'scan', 'admin'],
        expiresAt: CREATED_AT + 60,
        revokedAt: CREATED_AT + 30,
        limits: { search: 5, other: 1_000_000 },
      });
      for (const added of [plain, full]) {
        await store.add(added);
        for (const reader of [store, opened.other]) {
          const found = await reader.find(added.key.id);
          expect(found?.key).toEqual(added.key);
          expect(Buffer.from(found!.secretHash)).toEqual(added.secretHash);
        }
      }
    });

    test('an unknown id is not found, and ids are case-sensitive', async () => {
      const added = newKey({ id: 'aaaaaaaaaaaa' });
      await store.add(added);
      expect(await store.find('AAAAAAAAAAAA')).toBeUndefined();
      expect(await store.find('')).toBeUndefined();
      expect(await store.find("' or 1=1 --")).toBeUndefined();
    });

    test('existing keys are found by many ids in one call', async () => {
      const keys = [newKey(), newKey({ expiresAt: CREATED_AT + 60 }), newKey()];
      for (const added of keys) await store.add(added);
      const asked = [keys[2]!.key.id, 'unknown', keys[1]!.key.id];
      const found = await opened.other.findAll(asked);
      expect(new Map(found.map(({ key }) => [key.id, key]))).toEqual(
        new Map([keys[1]!, keys[2]!].map(({ key }) => [key.id, key])),
      );
      for (const { key, secretHash } of found)
        expect(Buffer.from(secretHash)).toEqual(keys.find((one) => one.key.id === key.id)!.secretHash);
    });

    test('an id can be used only once', async () => {
      const added = newKey();
      await store.add(added);
      await expect(store.add({ ...newKey(), key: added.key })).rejects.toThrow();
    });

    test('only one of many concurrent attempts adds the first key', async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? store : opened.other).addFirst(newKey())),
      );
      expect(answers.filter(Boolean)).toHaveLength(1);
      expect(await store.list({ limit: 100 })).toHaveLength(1);
      expect(await store.addFirst(newKey())).toBe(false);
    });

    test('keys are listed by creation, page by page, for all tenants or one', async () => {
      const keys = Array.from({ length: 7 }, (_, at) =>
        newKey({ createdAt: CREATED_AT + at, tenant: at % 2 === 0 ? 'acme' : 'other' }),
      );
      for (const added of keys.toReversed()) await store.add(added);
      const ids = keys.map(({ key }) => key.id);
      const listed = async (page: Parameters<KeyStore['list']>[0]) =>
        (await store.list(page)).map(({ id }) => id);

      expect(await listed({ limit: 100 })).toEqual(ids);
      expect(await listed({ limit: 3 })).toEqual(ids.slice(0, 3));
      expect(await listed({ after: ids[2]!, limit: 3 })).toEqual(ids.slice(3, 6));
      expect(await listed({ after: ids[6]!, limit: 3 })).toEqual([]);
      expect(await listed({ tenant: 'other', after: ids[1]!, limit: 3 })).toEqual([ids[3], ids[5]]);
      expect(await listed({ tenant: 'nobody', limit: 3 })).toEqual([]);
    });

    test('a revocation is permanent and visible to others, and the earliest time wins', async () => {
      const { key } = newKey();
      await store.add(newKey({ id: key.id }));
      expect(await store.revoke(key.id, 200)).toEqual({ ...key, revokedAt: 200 });
      expect(await opened.other.revoke(key.id, 100)).toEqual({ ...key, revokedAt: 100 });
      expect(await store.revoke(key.id, 300)).toEqual({ ...key, revokedAt: 100 });
      expect((await opened.other.find(key.id))?.key.revokedAt).toBe(100);
      expect(await store.revoke('unknown', 100)).toBeUndefined();
    });

    test('limits are changed one by one, or back to the default, visibly to others', async () => {
      const { key } = newKey();
      await store.add(newKey({ id: key.id }));
      expect(await store.changeLimits(key.id, { search: 5, barcode: 7 })).toEqual({
        ...key,
        limits: { search: 5, barcode: 7 },
      });
      expect((await opened.other.changeLimits(key.id, { search: null, other: 9 }))?.limits).toEqual({
        barcode: 7,
        other: 9,
      });
      expect((await store.find(key.id))?.key.limits).toEqual({ barcode: 7, other: 9 });
      expect(await store.changeLimits(key.id, { barcode: null, other: null, token: null })).toEqual(key);
      expect((await opened.other.find(key.id))?.key).toEqual(key);
      expect(await store.changeLimits('unknown', { search: 5 })).toBeUndefined();
    });

    test('concurrent changes to limits are all kept', async () => {
      const { key } = newKey();
      await store.add(newKey({ id: key.id, limits: { search: 1 } }));
      await Promise.all(
        LIMITED_OPERATIONS.map((operation, at) =>
          (at % 2 === 0 ? store : opened.other).changeLimits(key.id, { [operation]: 1_000 + at }),
        ),
      );
      expect((await store.find(key.id))?.key.limits).toEqual(
        Object.fromEntries(LIMITED_OPERATIONS.map((operation, at) => [operation, 1_000 + at])),
      );
    });

    test('a rotation adds the new key and revokes the old one', async () => {
      const old = newKey();
      const successor = newKey();
      await store.add(old);
      expect(await store.replace(old.key.id, 500, successor)).toBe('replaced');
      expect((await opened.other.find(old.key.id))?.key.revokedAt).toBe(500);
      expect((await opened.other.find(successor.key.id))?.key).toEqual(successor.key);
    });

    test('a failed rotation changes nothing', async () => {
      const old = newKey();
      await store.add(old);
      expect(await store.replace('unknown', 500, newKey())).toBe('missing');
      await expect(store.replace(old.key.id, 500, { ...newKey(), key: old.key })).rejects.toThrow();
      expect(await store.list({ limit: 10 })).toEqual([old.key]);
    });

    describe('with a quota of live keys', () => {
      const QUOTA = { keys: 5, endedKeys: 3, nowSeconds: CREATED_AT };
      const rooms = () => Promise.all([store.add(newKey(), QUOTA), opened.other.add(newKey(), QUOTA)]);
      const count = async (tenant = 'acme') => (await store.list({ tenant, limit: 100 })).length;

      test('concurrent additions stop exactly at the quota', async () => {
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? store : opened.other).add(newKey(), QUOTA)),
        );
        expect(answers.filter(Boolean)).toHaveLength(QUOTA.keys);
        expect(await count()).toBe(QUOTA.keys);
        expect(await store.add(newKey({ tenant: 'other' }), QUOTA)).toBe(true);
        expect(await store.add(newKey())).toBe(true);
        expect(await rooms()).toEqual([false, false]);
      });

      test('expired keys do not count, keys that expire later do', async () => {
        await store.add(newKey({ revokedAt: CREATED_AT }));
        await store.add(newKey({ expiresAt: CREATED_AT }));
        await store.add(newKey({ revokedAt: CREATED_AT - 1, expiresAt: CREATED_AT + 60 }));
        await store.add(newKey({ revokedAt: CREATED_AT + 1 }));
        await store.add(newKey({ expiresAt: CREATED_AT + 1 }));
        const added = [await rooms(), await rooms()].flat();
        expect(added.filter(Boolean)).toHaveLength(3);
        expect(await store.add(newKey(), { ...QUOTA, nowSeconds: CREATED_AT + 1 })).toBe(true);
      });

      test('only the latest expired keys of a tenant are kept, and those of others stay', async () => {
        const end = (secondsAgo: number, tenant = 'acme') =>
          newKey({
            tenant,
            ...(secondsAgo % 2 === 0
              ? { revokedAt: CREATED_AT - secondsAgo }
              : { expiresAt: CREATED_AT - secondsAgo }),
          });
        const ended = [4, 1, 6, 3, 5, 2].map((secondsAgo) => end(secondsAgo));
        const kept = [newKey(), end(9, 'other'), newKey({ expiresAt: CREATED_AT + 1 })];
        for (const key of [...ended, ...kept]) await store.add(key);
        const added = newKey();
        expect(await store.add(added, QUOTA)).toBe(true);
        const latest = ended.filter(({ key }) => (key.revokedAt ?? key.expiresAt!) >= CREATED_AT - 3);
        const ids = (await store.list({ limit: 100 })).map(({ id }) => id);
        expect(ids.toSorted()).toEqual([...latest, ...kept, added].map(({ key }) => key.id).toSorted());

        const successor = newKey();
        await store.replace(added.key.id, CREATED_AT, successor, QUOTA);
        expect((await store.list({ tenant: 'acme', limit: 100 })).map(({ id }) => id).toSorted()).toEqual(
          [
            ...latest.filter(({ key }) => (key.revokedAt ?? key.expiresAt!) >= CREATED_AT - 2),
            kept[0]!,
            kept[2]!,
            added,
            successor,
          ]
            .map(({ key }) => key.id)
            .toSorted(),
        );
      });

      test('a tenant at its quota can rotate keys, with one overlap at a time', async () => {
        const keys = Array.from({ length: QUOTA.keys }, () => newKey());
        for (const added of keys) await store.add(added);
        // Uses one instance: in SQLite a transaction of several statements blocks a second connection of the
        // same thread.
        const replace = (at: number, revokedAt: number) =>
          store.replace(keys[at]!.key.id, revokedAt, newKey(), QUOTA);
        expect(await replace(0, CREATED_AT)).toBe('replaced');
        const outcomes = await Promise.all([1, 2, 3, 4].map((at) => replace(at, CREATED_AT + 60)));
        expect(outcomes.toSorted()).toEqual(['full', 'full', 'full', 'replaced']);
        expect(await count()).toBe(QUOTA.keys + 2);
        const refused = keys[1 + outcomes.indexOf('full')]!.key;
        expect((await store.find(refused.id))?.key).toEqual(refused);
        expect(await store.replace('unknown', CREATED_AT, newKey(), QUOTA)).toBe('missing');
      });
    });
  });
}
