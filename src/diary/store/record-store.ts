import type { NamedRequest } from '../../base/time-ordered-id.ts';
import type { Columns, Dialect, Row } from '../../db/dialect.ts';
import { list, type Queries, raw, sql } from '../../db/sql.ts';
import { type Statement, toStatement, type UserRecordKind, type Writer } from '../../db/writer.ts';
import type { DiaryOwner } from '../records/entry.ts';
import type { RecordKind, UserRecord } from '../records/user-record.ts';
import {
  changeOf,
  findDeleted,
  full,
  isOwned,
  noted,
  toFewLengths,
  type WriteOutcome,
  writeIf,
} from './store-writes.ts';

interface RecordRow {
  readonly kind: UserRecordKind;
  readonly id: string;
  readonly version: number;
  readonly body: string;
  readonly created_at: number;
  readonly updated_at: number;
}

const COLUMNS = raw('kind, id, version, body, created_at, updated_at');
const WRITTEN_COLUMNS: Columns = {
  tenant_id: 'text',
  user_id: 'text',
  kind: 'text',
  id: 'text',
  version: 'int',
  body: 'text',
  created_at: 'bigint',
  updated_at: 'bigint',
};
/** Sorts after every id. */
const AFTER_ALL_IDS = '~';

/** A position in all records of a user. */
export interface RecordPosition {
  readonly kind: string;
  readonly id: string;
}

/** A record with its kind. */
export interface KindRecord {
  readonly kind: UserRecordKind;
  readonly record: UserRecord;
}

export interface RecordPage {
  /** Only ids after this one. */
  readonly after: string;
  /** Only ids from this one to that one. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly limit: number;
}

/** Stores records of all kinds in one table, with the guarantees of `DiaryStore`. */
export class RecordStore {
  readonly #db: Queries;
  readonly #writer: Writer;
  readonly #insert: (rows: readonly Row[]) => Statement;

  constructor({ db, writer, dialect }: { db: Queries; writer: Writer; dialect: Dialect }) {
    this.#db = db;
    this.#writer = writer;
    this.#insert = dialect.insertInto('diary_records', WRITTEN_COLUMNS);
  }

  async find(owner: DiaryOwner, { name }: RecordKind, id: string): Promise<UserRecord | undefined> {
    const query = sql<RecordRow>`
      select ${COLUMNS} from diary_records where ${isOwned(owner)} and kind = ${name} and id = ${id}`;
    const row = await query.prepared('find-record').first(this.#db);
    return row && toRecord(row);
  }

  /** Returns those of at most 128 records that exist, in no order. */
  async findAll(owner: DiaryOwner, { name }: RecordKind, ids: readonly string[]): Promise<UserRecord[]> {
    const asked = toFewLengths(ids);
    if (asked.length === 0) return [];
    const query = sql<RecordRow>`
      select ${COLUMNS} from diary_records
      where ${isOwned(owner)} and kind = ${name} and id in (${list(asked)})`;
    return (await query.prepared(`find-records-${asked.length}`).all(this.#db)).map(toRecord);
  }

  /** Whether a record had this id that was deleted. */
  async wasDeleted(owner: DiaryOwner, { name }: RecordKind, id: string): Promise<boolean> {
    return (await findDeleted(this.#db, owner, name, [id])).has(id);
  }

  /** Ordered by ids. */
  async list(
    owner: DiaryOwner,
    { name }: RecordKind,
    { after, from = '', to = AFTER_ALL_IDS, limit }: RecordPage,
  ): Promise<UserRecord[]> {
    const query = sql<RecordRow>`
      select ${COLUMNS} from diary_records
      where ${isOwned(owner)} and kind = ${name} and id > ${after} and id between ${from} and ${to}
      order by id limit ${limit}`;
    return (await query.prepared('list-records').all(this.#db)).map(toRecord);
  }

  /** Those of all kinds, ordered by kind and id. */
  async listAll(owner: DiaryOwner, after: RecordPosition, limit: number): Promise<KindRecord[]> {
    const query = sql<RecordRow>`
      select ${COLUMNS} from diary_records
      where ${isOwned(owner)} and (kind, id) > (${after.kind}, ${after.id}) order by kind, id limit ${limit}`;
    const rows = await query.prepared('list-all-records').all(this.#db);
    return rows.map((row) => ({ kind: row.kind, record: toRecord(row) }));
  }

  /**
   * Throws `invalid_request` if the user would have more than the kind allows, and a `ConstraintError` for a record that exists. Records
   * in the same transaction that `request`, if given, was executed. With `chosenAtMs` their client chose the ids: throws a
   * `ConstraintError` for one that was deleted.
   */
  async add(
    owner: DiaryOwner,
    { name, plural, max }: RecordKind,
    records: readonly UserRecord[],
    request?: NamedRequest,
    chosenAtMs?: number,
  ): Promise<void> {
    const ids = records.map(({ id }) => id);
    // One that exists does not count: adding it again is a conflict, however many there are.
    const hasRoom = sql`
      select 1 as room where (
        select count(*) from diary_records where ${isOwned(owner)} and kind = ${name} and id <> ${ids[0]}
      ) <= ${max - records.length}`;
    const written = await writeIf(
      this.#writer,
      { ...changeOf(owner, name, ids), chosenAtMs },
      toStatement(hasRoom.prepared('has-room-record')),
      this.#insert(records.map((record) => toRow(owner, name, record))),
      ...noted(request),
    );
    if (!written) throw full(`A user can have at most ${max} ${plural}; delete old ones first.`, max);
  }

  /** Replaces the previous version. */
  async replace(owner: DiaryOwner, kind: RecordKind, record: UserRecord): Promise<WriteOutcome> {
    const { id, version, body, updatedAt } = record;
    const replacement = sql`
      update diary_records set version = ${version}, body = ${JSON.stringify(body)}, updated_at = ${updatedAt}
      where ${isOwned(owner)} and kind = ${kind.name} and id = ${id} and version = ${version - 1}`;
    const statement = toStatement(replacement.prepared('replace-record'));
    if (await writeIf(this.#writer, changeOf(owner, kind.name, [id]), statement)) return 'done';
    return (await this.find(owner, kind, id)) === undefined ? 'missing' : 'conflict';
  }

  /** Removes any version if `version` is absent. */
  async remove(
    owner: DiaryOwner,
    kind: RecordKind,
    id: string,
    version = null as number | null,
  ): Promise<WriteOutcome> {
    const removal = sql`
      delete from diary_records where ${isOwned(owner)} and kind = ${kind.name} and id = ${id}
        and version = coalesce(${version}, version)`;
    const statement = toStatement(removal.prepared('remove-record'));
    if (await writeIf(this.#writer, changeOf(owner, kind.name, [id], true), statement)) return 'done';
    return (await this.find(owner, kind, id)) === undefined ? 'missing' : 'conflict';
  }
}

function toRow({ tenant, userId }: DiaryOwner, kind: UserRecordKind, record: UserRecord) {
  return {
    tenant_id: tenant,
    user_id: userId,
    kind,
    id: record.id,
    version: record.version,
    body: JSON.stringify(record.body),
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  } satisfies RecordRow & Row;
}

function toRecord({ id, version, body, created_at, updated_at }: RecordRow): UserRecord {
  return { id, version, body: JSON.parse(body), createdAt: created_at, updatedAt: updated_at };
}
