import { expect, test } from 'vitest';
import { IN_MEMORY, openDatabase } from '../../db/sqlite/database.ts';
import { SigningKeyStore } from './signing-key-store.ts';
import { SigningKeyRing } from './signing-keys.ts';

test('cached keys verify tokens while the store does not respond', async () => {
  const db = await openDatabase({ file: IN_MEMORY });
  let isSilent = false;
  const store = new (class extends SigningKeyStore {
    override list() {
      return isSilent ? new Promise<never>(() => {}) : super.list();
    }
  })(db);
  let nowMs = 1_700_000_000_000;
  const ring = new SigningKeyRing({ store, nowMs: () => nowMs, createKid: () => 'first' });
  const { kid } = await ring.signing();
  isSilent = true;
  for (let look = 0; look < 3; look++) {
    nowMs += 3_600_000;
    expect(await ring.verifying(kid)).toBeDefined();
  }
  await db.close();
});
