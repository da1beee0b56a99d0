import { sql } from 'kysely';
import type { NewScan, ScanOwner } from '../../scan/scan-job.ts';
import type { UnfinishedLimits, UnfinishedScans } from '../../scan/scan-store.ts';
import { toNewRow } from './scan-rows.ts';
import type { QueryBuilder } from './sql-database.ts';

type Owner = Pick<ScanOwner, 'tenant' | 'userId'>;

/** To be carried out for one scan of a tenant at a time, so that the counts are exact. False where no row was added. */
export async function addUnlessTooMany(
  db: QueryBuilder,
  scan: NewScan,
  limits: UnfinishedLimits,
): Promise<boolean> {
  const row = toNewRow(scan);
  const columns = Object.keys(row) as (keyof typeof row)[];
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('scans')
    .columns(columns)
    .expression(
      db
        .selectNoFrom((eb) => columns.map((column) => eb.val(row[column]).as(column)))
        .where(unfinished(db, { tenant: scan.tenant }, limits), '<', limits.perTenant)
        .$if(scan.userId !== undefined, (query) =>
          query.where(unfinished(db, scan, limits), '<', limits.perUser),
        ),
    )
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

export async function countUnfinished(
  db: QueryBuilder,
  { tenant, userId }: Owner,
  limits: UnfinishedLimits,
): Promise<UnfinishedScans> {
  const { ofTenant, ofUser } = await db
    .selectNoFrom([
      unfinished(db, { tenant }, limits).as('ofTenant'),
      unfinished(db, { tenant, ...(userId !== undefined && { userId }) }, limits).as('ofUser'),
    ])
    .executeTakeFirstOrThrow();
  return { ofTenant: Number(ofTenant), ofUser: userId === undefined ? 0 : Number(ofUser) };
}

export function isTooMany({ ofTenant, ofUser }: UnfinishedScans, limits: UnfinishedLimits): boolean {
  return ofTenant >= limits.perTenant || ofUser >= limits.perUser;
}

function unfinished(db: QueryBuilder, { tenant, userId }: Owner, { expiredBeforeMs }: UnfinishedLimits) {
  return db
    .selectFrom('scans')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('tenant_id', '=', tenant)
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId!))
    .where('settled_at_ms', 'is', null)
    .where((row) =>
      row.or([row('status', '=', sql.lit('processing')), row('upload_expires_at_ms', '>=', expiredBeforeMs)]),
    );
}
