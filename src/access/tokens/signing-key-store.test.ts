import { expect, test } from 'vitest';
import { SealedSecrets } from '../../db/sealed-secrets.ts';
import { sql } from '../../db/sql.ts';
import { IN_MEMORY, openDatabase } from '../../db/sqlite/database.ts';
import { SigningKeyStore } from './signing-key-store.ts';

const OLD = 'the secret of last year';
const NEW = 'the secret of this year';
const KEY = { kid: 'a', createdAt: 100, privateJwk: { kty: 'OKP', d: 'very private' } };

test('private keys are sealed, by the current secret after a rotation, and lost without it', async () => {
  const database = await openDatabase({ file: IN_MEMORY });
  const by = (...secrets: string[]) =>
    new SigningKeyStore({ ...database, secrets: new SealedSecrets(secrets) });
  const stored = () => sql<{ private_jwk: string }>`select private_jwk from signing_keys`.all(database.db);
  await by(OLD).addUnlessNewer(KEY, 0);
  expect(JSON.stringify(await stored())).not.toContain('very private');

  expect(await by(NEW).list()).toEqual([]);
  expect(await by(NEW, OLD).list()).toEqual([KEY]);
  expect(await by(NEW, OLD).seal()).toEqual({ sealed: 1, lost: 0 });
  expect(await by(NEW).list()).toEqual([KEY]);
  expect(await by(NEW).seal()).toEqual({ sealed: 0, lost: 0 });
  expect(await by(OLD).seal()).toEqual({ sealed: 0, lost: 1 });
  expect(await stored()).toEqual([]);
  await database.close();
});

test('a key that was stored in clear is used, and sealed at the next start', async () => {
  const database = await openDatabase({ file: IN_MEMORY });
  const store = new SigningKeyStore(database);
  await sql`insert into signing_keys values ('a', 100, ${JSON.stringify(KEY.privateJwk)})`.all(database.db);
  expect(await store.list()).toEqual([KEY]);
  expect(await store.seal()).toEqual({ sealed: 1, lost: 0 });
  expect(await store.list()).toEqual([KEY]);
  const [row] = await sql<{ private_jwk: string }>`select private_jwk from signing_keys`.all(database.db);
  expect(row!.private_jwk).toMatch(/^s1\./);
  await database.close();
});
