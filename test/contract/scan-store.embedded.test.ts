import { SqlScanStore } from '../../src/storage/scan-store.ts';
import type { SqlDatabase } from '../../src/storage/sql-database.ts';
import { openTwice } from '../support/sqlite.ts';
import { scanStoreContract } from './scan-store.ts';
import { scanTurnsContract } from './scan-turns.ts';

const open = (sql: SqlDatabase) => new SqlScanStore(sql);

scanStoreContract('SQLite', () => openTwice(open));
scanTurnsContract('SQLite', () => openTwice(open));
