import { describe } from 'vitest';
import { SigningKeyStore } from '../../src/access/tokens/signing-key-store.ts';
import { SealedSecrets } from '../../src/db/sealed-secrets.ts';
import type { SqlDatabase } from '../../src/db/sql-database.ts';
import { hasPgbouncer, hasPostgres, openPooledTwice, openPostgresTwice } from '../support/postgres.ts';
import { signingKeyStoreContract } from './signing-key-store.ts';

const secrets = SealedSecrets.random();
const open = (sql: SqlDatabase) => new SigningKeyStore({ ...sql, secrets });

describe.skipIf(!hasPostgres)('where PostgreSQL is installed', () => {
  signingKeyStoreContract('PostgreSQL', () => openPostgresTwice(open));
});

describe.skipIf(!hasPgbouncer)('where pgbouncer is installed', () => {
  signingKeyStoreContract('PostgreSQL through pgbouncer', () => openPooledTwice(open));
});
