import { SqlKeyStore } from '../../src/storage/key-store.ts';
import type { SqlDatabase } from '../../src/storage/sql-database.ts';
import { openTwice } from '../support/sqlite.ts';
import { keyStoreContract } from './key-store.ts';

const open = (sql: SqlDatabase) => new SqlKeyStore(sql);

keyStoreContract('SQLite', () => openTwice(open));
