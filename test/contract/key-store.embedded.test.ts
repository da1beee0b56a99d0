import { KeyStore } from '../../src/access/key-store.ts';
import type { SqlDatabase } from '../../src/db/sql-database.ts';
import { openTwice } from '../support/sqlite.ts';
import { keyStoreContract } from './key-store.ts';

const open = (sql: SqlDatabase) => new KeyStore(sql);

keyStoreContract('SQLite', () => openTwice(open));
