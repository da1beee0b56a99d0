import { list, type Queries, raw, type Sql, sql } from '../../db/sql.ts';
import type { NewScan, ScanOwner } from '../scan-job.ts';
import type { ScanCounts, ScanLimits } from './scan-queue.ts';
import { toNewRow } from './scan-rows.ts';

type Owner = Pick<ScanOwner, 'tenant' | 'userId'>;

/** To be executed for one scan of a tenant at a time, so that the counts are exact. */
export function addUnlessTooMany(scan: NewScan, limits: ScanLimits): Sql {
  const { tenant, userId } = scan;
  const row = toNewRow(scan);
  const ofUser = sql`and (${unfinished(scan, limits)}) < ${limits.perUser}`;
  return sql`
    insert into scans (${raw(Object.keys(row).join())})
    select ${list(Object.values(row))} from (${images(tenant, limits)}) as stored
    where stored.images < ${limits.images} and stored.bytes <= ${limits.imageBytes - scan.imageBytes}
      and (${unfinished({ tenant }, limits)}) < ${limits.perTenant} ${userId === undefined ? sql`` : ofUser}
    on conflict do nothing`;
}

export async function countScans(db: Queries, owner: Owner, limits: ScanLimits): Promise<ScanCounts> {
  const { tenant, userId } = owner;
  const counting = sql<Record<'images' | 'bytes' | 'of_tenant' | 'of_user', unknown>>`
    select stored.*, (${unfinished({ tenant }, limits)}) as of_tenant, (${unfinished(owner, limits)}) as of_user
    from (${images(tenant, limits)}) as stored`;
  const { images: stored, bytes, of_tenant, of_user } = (await counting.first(db))!;
  return {
    ofTenant: Number(of_tenant),
    ofUser: userId === undefined ? 0 : Number(of_user),
    images: Number(stored),
    imageBytes: Number(bytes),
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

function unfinished({ tenant, userId }: Owner, { expiredBeforeMs }: ScanLimits) {
  return sql`select count(*) from scans
    where tenant_id = ${tenant} ${userId === undefined ? sql`` : sql`and user_id = ${userId}`} and settled_at_ms is null
      and (status = 'processing' or upload_expires_at_ms >= ${expiredBeforeMs})`;
}

/** Counts the images of the tenant that are stored or expected, up to the limit. */
function images(tenant: string, limits: ScanLimits) {
  // `has_image` has the form of the index, so that query planners see that the index applies.
  return sql`select count(*) as images, coalesce(sum(image_bytes), 0) as bytes from (
      select image_bytes from scans where tenant_id = ${tenant} and has_image = 1 limit ${limits.images}
    ) as counted`;
}
