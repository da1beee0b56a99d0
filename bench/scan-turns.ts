/**
 * What does the fair queue of scans cost, and how long does one image wait behind a user who sent 1,000? Over PostgreSQL and
 * SQLite, with 100,000 waiting jobs of 1,000 tenants; compared with taking the longest waiting job.
 *
 *     npm run bench -- scan-turns
 */
import { join } from 'node:path';
import { toSql } from '../src/db/postgres/database.ts';
import { DatabasePool } from '../src/db/postgres/database-pool.ts';
import { sql } from '../src/db/sql.ts';
import type { SqlDatabase } from '../src/db/sql-database.ts';
import { openDatabase } from '../src/db/sqlite/database.ts';
import { ScanStore } from '../src/scan/jobs/scan-store.ts';
import { DATABASE_LIMITS } from '../test/support/database-limits.ts';
import { createMigratedDatabase } from '../test/support/migrated-database.ts';
import { ANY_NUMBER, newScan } from '../test/support/new-scan.ts';
import { startPostgres, stopPostgres } from '../test/support/postgres-server.ts';
import { tempFolder } from '../test/support/temp-folder.ts';

const WAITING = 100_000;
const HEAVY = 1_000;
const CLAIMS = 200;
const NOW_MS = 1_000_000;

using folder = tempFolder();
const sqlite = await openDatabase({ file: join(folder.path, 'larder.db') });
await measure('SQLite', sqlite);
await sqlite.close();
const server = startPostgres();
try {
  const pool = new DatabasePool({ url: await createMigratedDatabase(server), limits: DATABASE_LIMITS });
  await measure('PostgreSQL', toSql(pool));
  await pool.end();
} finally {
  stopPostgres(server);
}

async function measure(name: string, database: SqlDatabase): Promise<void> {
  const store = new ScanStore(database);
  await fill(database, HEAVY, 1);
  const light = newScan({ tenant: 'tenant-0', userId: 'light' });
  await store.create(light, ANY_NUMBER);
  await store.arrive(light, { nowMs: NOW_MS });
  let before = 0;
  while ((await claim(store))?.job.id !== light.id) before++;
  console.log(
    `${name}: behind ${HEAVY} images of another user, one waits for ${before}; by age for ${HEAVY}`,
  );
  await sql`delete from scans`.all(database.db);
  await fill(database, WAITING, 1_000);
  const times: number[] = [];
  for (let index = 0; index < CLAIMS; index++) {
    const startedAtMs = performance.now();
    await claim(store);
    times.push(performance.now() - startedAtMs);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(share * CLAIMS)]!.toFixed(2);
  console.log(`${name}: a claim with ${WAITING} waiting: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms`);
}

function claim(store: ScanStore) {
  return store.claim({ nowMs: NOW_MS, leaseUntilMs: NOW_MS + 60_000, maxAttempts: 3 });
}

/** Waiting jobs with their turns. */
async function fill({ db }: SqlDatabase, count: number, tenants: number): Promise<void> {
  await sql`
    with recursive number (n) as (select 0 union all select n + 1 from number where n + 1 < ${count})
    insert into scans (tenant_id, id, user_id, client_id, content_type, image_type, status, created_at_ms,
      upload_expires_at_ms, due_at_ms, tenant_turn, user_turn)
    select 'tenant-' || (n % ${tenants}), 'scan-' || n, 'heavy', 'phone', 'image/jpeg', 'photo', 'processing', 1, 2,
      n, 1 + n / ${tenants}, 1 + n / ${tenants} from number`.all(db);
  await sql`analyze`.all(db);
}
