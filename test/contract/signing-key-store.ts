import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SigningKey, SigningKeyStore } from '../../src/access/tokens/signing-key-store.ts';

export interface OpenSigningKeyStore {
  readonly store: SigningKeyStore;
  /** Another connection to the same keys, as another process has it. */
  readonly other: SigningKeyStore;
  close(): Promise<void>;
}

const newKey = (kid: string, createdAt: number): SigningKey => ({
  kid,
  createdAt,
  privateJwk: { kty: 'OKP', crv: 'Ed25519', x: `x of ${kid}`, d: `d of ${kid}` },
});

/** Contract of `SigningKeyStore`, run over each adapter. `open` returns a store without keys. */
export function signingKeyStoreContract(adapter: string, open: () => Promise<OpenSigningKeyStore>): void {
  describe(`SigningKeyStore over ${adapter}`, () => {
    let opened: OpenSigningKeyStore;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.close());

    test('keys are listed complete and newest first on every instance', async () => {
      const keys = [newKey('a', 100), newKey('b', 200), newKey('c', 300)];
      for (const key of keys) expect(await opened.store.addUnlessNewer(key, key.createdAt - 50)).toBe(true);
      for (const reader of [opened.store, opened.other])
        expect(await reader.list()).toEqual(keys.toReversed());
    });

    test('only one of many concurrent attempts adds the next key', async () => {
      await opened.store.addUnlessNewer(newKey('old', 100), 0);
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          (at % 2 === 0 ? opened.store : opened.other).addUnlessNewer(newKey(`new ${at}`, 200), 150),
        ),
      );
      expect(answers.filter(Boolean)).toHaveLength(1);
      expect(await opened.store.list()).toHaveLength(2);
    });

    test('only keys created before the given time are removed', async () => {
      await opened.store.addUnlessNewer(newKey('a', 100), 0);
      await opened.store.addUnlessNewer(newKey('b', 200), 150);
      await opened.store.removeOlder(200);
      expect((await opened.other.list()).map(({ kid }) => kid)).toEqual(['b']);
    });
  });
}
