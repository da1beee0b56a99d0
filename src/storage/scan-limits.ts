import { type Compilable, sql } from 'kysely';
import type { ScanCounts, ScanLimits } from '../scan/jobs/scan-store.ts';
import type { NewScan, ScanOwner } from '../scan/scan-job.ts';
import { toNewRow } from './scan-rows.ts';
import type { QueryBuilder } from './sql-database.ts';

type Owner = Pick<ScanOwner, 'tenant' | 'userId'>;

/** To be carried out for one scan of a tenant at a time, so that the counts are exact. */
export function addUnlessTooMany(db: QueryBuilder, scan: NewScan, limits: ScanLimits): Compilable {
  const row = toNewRow(scan);
  const columns = Object.keys(row) as (keyof typeof row)[];
  return db
    .insertInto('scans')
    .columns(columns)
    .expression(
      db
        .selectFrom(images(db, scan, limits).as('stored'))
        .select((eb) => columns.map((column) => eb.val(row[column]).as(column)))
        .where('stored.images', '<', limits.images)
        .where('stored.imageBytes', '<=', limits.imageBytes - scan.imageBytes)
        .where(unfinished(db, { tenant: scan.tenant }, limits), '<', limits.perTenant)
        .$if(scan.userId !== undefined, (query) =>
          query.where(unfinished(db, scan, limits), '<', limits.perUser),
        ),
    )
    .onConflict((conflict) => conflict.doNothing());
}

export async function countScans(
  db: QueryBuilder,
  { tenant, userId }: Owner,
  limits: ScanLimits,
): Promise<ScanCounts> {
  const counted = await db
    .selectFrom(images(db, { tenant }, limits).as('stored'))
    .selectAll()
    .select([
      unfinished(db, { tenant }, limits).as('ofTenant'),
      unfinished(db, { tenant, ...(userId !== undefined && { userId }) }, limits).as('ofUser'),
    ])
    .executeTakeFirstOrThrow();
  return {
    ofTenant: Number(counted.ofTenant),
    ofUser: userId === undefined ? 0 : Number(counted.ofUser),
    images: Number(counted.images),
    imageBytes: Number(counted.imageBytes),
  };
}

export function isTooMany(
  { ofTenant, ofUser, images, imageBytes }: ScanCounts,
  limits: ScanLimits,
  addedBytes: number,
): boolean {
  return (
    ofTenant >= limits.perTenant ||
    ofUser >= limits.perUser ||
    images >= limits.images ||
    imageBytes + addedBytes > limits.imageBytes
  );
}

function unfinished(db: QueryBuilder, { tenant, userId }: Owner, { expiredBeforeMs }: ScanLimits) {
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

/** Those of the tenant that are stored or expected; counts no further than the limit. */
function images(db: QueryBuilder, { tenant }: Pick<ScanOwner, 'tenant'>, limits: ScanLimits) {
  const stored = db
    .selectFrom('scans')
    .select('image_bytes')
    .where('tenant_id', '=', tenant)
    // As the index says it, so that engines see that it fits.
    .where('has_image', '=', sql.lit(1))
    .limit(limits.images);
  return db
    .selectFrom(stored.as('counted'))
    .select((row) => [
      row.fn.countAll<number>().as('images'),
      row.fn.coalesce(row.fn.sum<number>('image_bytes'), sql.lit(0)).as('imageBytes'),
    ]);
}
