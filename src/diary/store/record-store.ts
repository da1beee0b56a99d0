import { sql } from '../../db/sql.ts';
import type { UserRecordKind } from '../../db/writer.ts';
import type { DiaryOwner } from '../records/entry.ts';
import type { RecordKind, UserRecord } from '../records/user-record.ts';
import { isOwned } from './store-writes.ts';
import { type TablePorts, UserTable } from './user-table.ts';

/** A row of `diary_records` without its owner; the body is JSON. */
interface RecordRow {
  readonly kind: UserRecordKind;
  readonly id: string;
  readonly version: number;
  readonly body: string;
  readonly created_at: number;
  readonly updated_at: number;
}

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

/** Stores records of one kind. */
class KindStore extends UserTable<UserRecord, RecordRow> {
  constructor(ports: TablePorts, { name: kind, plural, max }: RecordKind) {
    super(ports, {
      table: 'diary_records',
      columns: {
        kind: 'text',
        id: 'text',
        version: 'int',
        body: 'text',
        created_at: 'bigint',
        updated_at: 'bigint',
      },
      toRow: (record) => ({
        kind,
        id: record.id,
        version: record.version,
        body: JSON.stringify(record.body),
        created_at: record.createdAt,
        updated_at: record.updatedAt,
      }),
      toRecord,
      kind,
      kindColumn: 'kind',
      name: 'record',
      plural,
      max,
    });
  }

  /** Ordered by ids. */
  list(
    owner: DiaryOwner,
    { after, from = '', to = AFTER_ALL_IDS, limit }: RecordPage,
  ): Promise<UserRecord[]> {
    const page = sql`
      ${this.owned(owner)} and id > ${after} and id between ${from} and ${to} order by id limit ${limit}`;
    return this.read(page, 'list-records');
  }
}

/** Stores records of all kinds in one table. */
export class RecordStore {
  readonly #ports: TablePorts;
  readonly #stores = new Map<UserRecordKind, KindStore>();

  constructor(ports: TablePorts) {
    this.#ports = ports;
  }

  of(kind: RecordKind): KindStore {
    const known = this.#stores.get(kind.name);
    if (known !== undefined) return known;
    const store = new KindStore(this.#ports, kind);
    this.#stores.set(kind.name, store);
    return store;
  }

  /** Those of all kinds, ordered by kind and id. */
  async listAll(owner: DiaryOwner, after: RecordPosition, limit: number): Promise<KindRecord[]> {
    const query = sql<RecordRow>`
      select kind, id, version, body, created_at, updated_at from diary_records
      where ${isOwned(owner)} and (kind, id) > (${after.kind}, ${after.id}) order by kind, id limit ${limit}`;
    const rows = await query.prepared('list-all-records').all(this.#ports.db);
    return rows.map((row) => ({ kind: row.kind, record: toRecord(row) }));
  }
}

function toRecord({ id, version, body, created_at, updated_at }: RecordRow): UserRecord {
  return { id, version, body: JSON.parse(body), createdAt: created_at, updatedAt: updated_at };
}
