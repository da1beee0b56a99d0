import { SigningKeyStore } from '../../src/access/tokens/signing-key-store.ts';
import type { SqlDatabase } from '../../src/db/sql-database.ts';
import { openTwice } from '../support/sqlite.ts';
import { signingKeyStoreContract } from './signing-key-store.ts';

const open = (sql: SqlDatabase) => new SigningKeyStore(sql);

signingKeyStoreContract('SQLite', () => openTwice(open));
