import { SqlKeyStore } from '../../src/access/sql-key-store.ts';
import type { SqlDatabase } from '../../src/db/sql-database.ts';
import { openTwice } from '../support/sqlite.ts';
import { keyStoreContract } from './key-store.ts';

const open = (sql: SqlDatabase) => new SqlKeyStore(sql);

keyStoreContract('SQLite', () => openTwice(open));
