import { SigningKeyStore } from '../../src/access/tokens/signing-key-store.ts';
import { SealedSecrets } from '../../src/db/sealed-secrets.ts';
import type { SqlDatabase } from '../../src/db/sql-database.ts';
import { openTwice } from '../support/sqlite.ts';
import { signingKeyStoreContract } from './signing-key-store.ts';

const secrets = SealedSecrets.random();
const open = (sql: SqlDatabase) => new SigningKeyStore({ ...sql, secrets });

signingKeyStoreContract('SQLite', () => openTwice(open));
