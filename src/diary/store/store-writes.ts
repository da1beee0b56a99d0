import { AppError } from '@larder/core/errors.ts';
import type { NamedRequest } from '../../base/time-ordered-id.ts';
import { list, type Queries, type Sql, sql } from '../../db/sql.ts';
import type { Change, ChangeKind, Lock, Statement, Writer } from '../../db/writer.ts';
import { noteOf } from '../../idempotency/idempotency-store.ts';
import type { DiaryOwner } from '../records/entry.ts';

/** `conflict`: the record has another version than expected. */
export type WriteOutcome = 'done' | 'missing' | 'conflict';

/** Condition for the rows of one diary. */
export function isOwned({ tenant, userId }: DiaryOwner): Sql {
  return sql`tenant_id = ${tenant} and user_id = ${userId}`;
}

/** Held by writes that erase or replace many rows of a diary, so that they do not wait for each other's rows. */
export function diaryLock({ tenant, userId }: DiaryOwner): Lock {
  return { name: `diary of ${tenant} ${userId}` };
}

const NO_ID = '';

/** Pads ids to a power of two, so that lists have few lengths and few statements are prepared. */
export function toFewLengths(ids: readonly string[]): readonly string[] {
  if (ids.length === 0) return [];
  const length = 2 ** Math.ceil(Math.log2(ids.length));
  return [...ids, ...Array.from({ length: length - ids.length }, () => NO_ID)];
}

/** Returns those of the ids that deleted records of this kind had. */
export async function findDeleted(
  db: Queries,
  owner: DiaryOwner,
  kind: ChangeKind,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const asked = toFewLengths(ids);
  if (asked.length === 0) return new Set();
  const query = sql<{ readonly id: string }>`
    select id from changes where ${isOwned(owner)} and kind = ${kind} and id in (${list(asked)}) and deleted = 1`;
  const rows = await query.prepared(`find-deleted-${asked.length}`).all(db);
  return new Set(rows.map(({ id }) => id));
}

export function changeOf(
  { tenant, userId }: DiaryOwner,
  kind: ChangeKind,
  ids: readonly string[],
  isDeleted = false,
): Change {
  return { tenant, userId, kind, ids, isDeleted };
}

/** Notes that a request was executed, if it has a name. */
export function noted(request: NamedRequest | undefined): Statement[] {
  return request === undefined ? [] : [noteOf(request)];
}

/** False where the first statement did not find all that it needs, so that nothing happened. */
export async function writeIf(
  writer: Writer,
  change: Change,
  first: Statement,
  ...others: readonly Statement[]
): Promise<boolean> {
  const { changes } = await writer.write({ statements: [first, ...others], firstDecides: true, change });
  return changes >= first.runs.length;
}

export function full(message: string, max: number): AppError {
  return new AppError({ code: 'invalid_request', message, details: { max } });
}
