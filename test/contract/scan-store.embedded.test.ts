import type { SqlDatabase } from '../../src/db/sql-database.ts';
import { ScanStore } from '../../src/scan/jobs/scan-store.ts';
import { openTwice } from '../support/sqlite.ts';
import { scanStoreContract } from './scan-store.ts';
import { scanTurnsContract } from './scan-turns.ts';

const open = (sql: SqlDatabase) => new ScanStore(sql);

scanStoreContract('SQLite', () => openTwice(open));
scanTurnsContract('SQLite', () => openTwice(open));
