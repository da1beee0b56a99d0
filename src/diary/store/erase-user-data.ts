import { type Queries, raw, sql } from '../../db/sql.ts';
import { type Change, KEPT_DELETIONS_MS, toStatement, type Writer } from '../../db/writer.ts';
import { foodsLock } from '../../foods/custom/custom-food-store.ts';
import type { DiaryOwner } from '../records/entry.ts';
import { diaryLock, isOwned } from './store-writes.ts';

/** Maximum rows that one step erases, some 10 ms of the writer. */
const SLICE_ROWS = 2_000;

interface ErasedTable {
  readonly table: string;
  /** The column with the user. */
  readonly user?: string;
  /** Key of the table, where a user may have any number of rows. */
  readonly key?: string;
}

/**
 * The log goes first: what is written meanwhile has a head and is in the log.
 * Stored responses about a user repeat what the diary said, so they are erased too, whoever sent the requests; and so
 * are those to requests of the user.
 */
const TABLES: readonly ErasedTable[] = [
  { table: 'changes', key: 'tenant_id, user_id, kind, id' },
  { table: 'diary_entries', key: 'tenant_id, user_id, date, id' },
  { table: 'diary_recipes' },
  { table: 'diary_goals' },
  { table: 'diary_goal_versions' },
  { table: 'diary_measurements', key: 'tenant_id, user_id, id' },
  { table: 'remembered_photos', key: 'tenant_id, user_id, id' },
  { table: 'diary_records', key: 'tenant_id, user_id, kind, id' },
  { table: 'webhooks' },
  { table: 'webhook_deliveries', key: 'webhook_id, id' },
  { table: 'idempotent_requests', user: 'subject_user_id', key: 'tenant_id, user_id, idempotency_key' },
  { table: 'idempotent_requests', key: 'tenant_id, user_id, idempotency_key' },
];

/** Erases all data of a user, the custom foods included. */
export async function eraseUserData(
  { db, writer }: { readonly db: Queries; readonly writer: Writer },
  owner: DiaryOwner,
): Promise<void> {
  // The log is erased, too: this change only invalidates caches.
  const change: Change = { ...owner, kind: 'entry', ids: [] };
  const erased = TABLES.map(({ table, key, user = 'user_id' }) => {
    const rows = sql`${raw(table)} where tenant_id = ${owner.tenant} and ${raw(user)} = ${owner.userId}`;
    return { table, user, key, rows };
  });
  // Readers of the log start from the beginning.
  const endLog = toStatement(
    sql`update change_heads set seq = seq + 1, start = seq + 1 where ${isOwned(owner)}`.prepared('end-log'),
  );
  // Rows are erased in slices, between which others write; the rest is erased at once.
  for (const { table, user, key, rows } of erased) {
    if (key === undefined) continue;
    const isLarge = sql`select 1 from ${rows} limit 1 offset ${SLICE_ROWS}`;
    const slice = sql`
      delete from ${raw(table)} where (${raw(key)}) in (select ${raw(key)} from ${rows} limit ${SLICE_ROWS})`;
    while ((await isLarge.first(db)) !== undefined)
      await writer.write({
        statements: [toStatement(slice.prepared(`slice-${table}-${user}`)), endLog],
        change,
      });
  }
  // The lock of the head keeps writers waiting, and waits for them, the first one of a user included.
  const lockHead = toStatement(sql`
    insert into change_heads (tenant_id, user_id, start, seq) values (${owner.tenant}, ${owner.userId}, 0, 0)
    on conflict (tenant_id, user_id) do update set seq = change_heads.seq`);
  const endHead = toStatement(sql`delete from change_heads where ${isOwned(owner)}`);
  const deletions = erased.map(({ rows }) => toStatement(sql`delete from ${rows}`));
  await writer.write({
    statements: [lockHead, endHead, ...deletions],
    change,
    lock: diaryLock(owner),
    isErasure: true,
  });
  await eraseFoods({ db, writer }, owner);
  await forgetViewer({ db, writer }, owner);
}

/** Each food gets a number of its own in the tenant's log, as by single deletions, under the lock of the tenant's foods. */
async function eraseFoods(
  { db, writer }: { readonly db: Queries; readonly writer: Writer },
  { tenant, userId }: DiaryOwner,
): Promise<void> {
  const foods = sql`live_foods where tenant_id = ${tenant} and user_id = ${userId}`;
  const head = sql`tenant_id = ${tenant} and user_id = ''`;
  // This is checked first, since erasing foods blocks all other writers of the tenant's foods.
  if ((await sql`select 1 from ${foods} limit 1`.first(db)) === undefined) return;
  await writer.write({
    statements: [
      toStatement(sql`update change_heads set seq = seq + (select count(*) from ${foods}) where ${head}`),
      toStatement(sql`
        insert into changes (tenant_id, user_id, kind, id, seq, deleted, forget_after_ms)
        select tenant_id, '', 'food', id,
          (select seq from change_heads where ${head}) - count(*) over () + row_number() over (order by id), 1,
          cast(${Date.now() + KEPT_DELETIONS_MS} as bigint)
        from ${foods}
        on conflict (tenant_id, user_id, kind, id) do update set
          seq = excluded.seq, deleted = excluded.deleted, forget_after_ms = excluded.forget_after_ms`),
      toStatement(sql`delete from ${foods}`),
    ],
    lock: foodsLock(tenant),
    change: { tenant, userId: '', kind: 'food', ids: [] },
    isErasure: true,
  });
}

/**
 * Removes the user's name from deletions of foods that only this user saw. All readers of the tenant then get these deletions, which mean
 * nothing to them: a reader of this user who began before the erasure must get them.
 */
async function forgetViewer(
  { db, writer }: { readonly db: Queries; readonly writer: Writer },
  { tenant, userId }: DiaryOwner,
): Promise<void> {
  const seen = sql`changes where tenant_id = ${tenant} and user_id = '' and seen_by = ${userId}`;
  if ((await sql`select 1 from ${seen} limit 1`.first(db)) === undefined) return;
  await writer.write({
    statements: [
      toStatement(sql`
        update changes set seen_by = null where tenant_id = ${tenant} and user_id = '' and seen_by = ${userId}`),
    ],
    lock: foodsLock(tenant),
    isErasure: true,
  });
}
