import { describe, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import type { SqlDatabase } from '../../src/db/sql-database.ts';
import { ScanStore } from '../../src/scan/jobs/scan-store.ts';
import { newScan } from '../support/new-scan.ts';
import { hasPgbouncer, openPooledTwice, openPostgresTwice, postgresPrograms } from '../support/postgres.ts';
import { scanStoreContract } from './scan-store.ts';
import { scanTurnsContract } from './scan-turns.ts';

const open = (sql: SqlDatabase) => new ScanStore(sql);

describe.skipIf(postgresPrograms === undefined)('where PostgreSQL is installed', () => {
  scanStoreContract('PostgreSQL', () => openPostgresTwice(open));
  scanTurnsContract('PostgreSQL', () => openPostgresTwice(open));

  // Which writes null for the user of a scan that is no user's.
  test('a scan created by a node of the previous version is found and processed', async () => {
    const opened = await openPostgresTwice((sql) => ({ store: open(sql), db: sql.db }));
    const { store, db } = opened.store;
    const { tenant, id } = newScan();
    await sql`insert into scans (tenant_id, id, user_id, client_id, content_type, image_type, status,
        created_at_ms, upload_expires_at_ms)
      values (${tenant}, ${id}, null, 'phone-1', 'image/jpeg', 'photo', 'upload_pending', 1000, 901000)`.all(
      db,
    );
    const found = await store.find({ tenant, id });
    expect(found).not.toHaveProperty('userId');
    expect(await store.arrive(found!, { nowMs: 2_000 })).toBe(true);
    await opened.close();
  });
});

describe.skipIf(!hasPgbouncer)('where pgbouncer is installed', () => {
  scanStoreContract('PostgreSQL through pgbouncer', () => openPooledTwice(open));
});
