import { SLICE_ENTRIES, slicesOf } from '../../base/background-work.ts';
import type { NamedRequest } from '../../base/time-ordered-id.ts';
import type { Columns, Dialect, Row } from '../../db/dialect.ts';
import { assigned, list, type Queries, raw, type Sql, sql } from '../../db/sql.ts';
import { type ChangeKind, type Statement, toStatement, type Writer } from '../../db/writer.ts';
import type { DiaryOwner } from '../records/entry.ts';
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

export interface TablePorts {
  readonly db: Queries;
  readonly writer: Writer;
  readonly dialect: Dialect;
}

interface TableDescription<T, Stored> {
  readonly table: string;
  /** Columns besides those of the owner. */
  readonly columns: Columns;
  readonly toRow: (record: T) => Row;
  readonly toRecord: (row: Stored) => T;
  /** In the log of changes. */
  readonly kind: ChangeKind;
  /** A column that has the kind, where several kinds share the table. */
  readonly kindColumn?: string;
  /** In the names of statements, which kinds of one table share. */
  readonly name: string;
  /** In the error of a full table. */
  readonly plural: string;
  /** Maximum records of a user. */
  readonly max: number;
  /** Records that a thread reads without a pause, `SLICE_ENTRIES` if absent. */
  readonly slice?: number;
}

/** Stores records of users that have an id and a version, with the guarantees of `DiaryStore`. */
export class UserTable<T extends { readonly id: string; readonly version: number }, Stored> {
  readonly #db: Queries;
  readonly #writer: Writer;
  readonly #description: TableDescription<T, Stored>;
  readonly #table: Sql;
  readonly #columns: Sql;
  readonly #insert: (rows: readonly Row[]) => Statement;

  constructor({ db, writer, dialect }: TablePorts, description: TableDescription<T, Stored>) {
    const { table, columns } = description;
    this.#db = db;
    this.#writer = writer;
    this.#description = description;
    this.#table = raw(table);
    this.#columns = raw(Object.keys(columns).join());
    this.#insert = dialect.insertInto(table, { tenant_id: 'text', user_id: 'text', ...columns });
  }

  async find(owner: DiaryOwner, id: string): Promise<T | undefined> {
    return (await this.read(this.#row(owner, id), `find-${this.#description.name}`))[0];
  }

  /** Returns those of at most 128 records that exist, in no order. */
  async findAll(owner: DiaryOwner, ids: readonly string[]): Promise<T[]> {
    const asked = toFewLengths(ids);
    if (asked.length === 0) return [];
    const { name } = this.#description;
    return this.read(sql`${this.owned(owner)} and id in (${list(asked)})`, `find-${name}s-${asked.length}`);
  }

  /** Whether a record had this id that was deleted. */
  async wasDeleted(owner: DiaryOwner, id: string): Promise<boolean> {
    return (await findDeleted(this.#db, owner, this.#description.kind, [id])).has(id);
  }

  /** Ordered by ids. */
  listById(
    owner: DiaryOwner,
    { after = '', limit }: { readonly after?: string; readonly limit: number },
  ): Promise<T[]> {
    const page = sql`${this.owned(owner)} and id > ${after} order by id limit ${limit}`;
    return this.read(page, `list-${this.#description.name}s-by-id`);
  }

  /**
   * Throws `invalid_request` if the user would have more than there may be, and a `ConstraintError` for a record that exists. Records
   * in the same transaction that `request`, if given, was executed. With `chosenAtMs` their client chose the ids: throws a
   * `ConstraintError` for one that was deleted.
   */
  async add(
    owner: DiaryOwner,
    records: readonly T[],
    request?: NamedRequest,
    chosenAtMs?: number,
  ): Promise<void> {
    const { kind, name, plural, max } = this.#description;
    const ids = records.map(({ id }) => id);
    // One that exists does not count: adding it again is a conflict, however many there are.
    const hasRoom = sql`
      select 1 as room where (
        select count(*) from ${this.#table} where ${this.owned(owner)} and id <> ${ids[0]}
      ) <= ${max - records.length}`;
    const written = await writeIf(
      this.#writer,
      { ...changeOf(owner, kind, ids), chosenAtMs },
      toStatement(hasRoom.prepared(`has-room-${name}`)),
      this.#insert(records.map((record) => this.#toRow(owner, record))),
      ...noted(request),
    );
    if (!written) throw full(`A user can have at most ${max} ${plural}; delete old ones first.`, max);
  }

  /** Replaces the previous version. */
  replace(owner: DiaryOwner, record: T): Promise<WriteOutcome> {
    const { id, version } = record;
    const replacement = sql`
      update ${this.#table} set ${assigned(this.#toRow(owner, record))}
      where ${this.#row(owner, id)} and version = ${version - 1}`;
    return this.#write(owner, id, replacement.prepared(`replace-${this.#description.name}`));
  }

  /** Removes any version if `version` is absent. */
  remove(owner: DiaryOwner, id: string, version = null as number | null): Promise<WriteOutcome> {
    const removal = sql`
      delete from ${this.#table} where ${this.#row(owner, id)} and version = coalesce(${version}, version)`;
    return this.#write(owner, id, removal.prepared(`remove-${this.#description.name}`), true);
  }

  /** Reads the records that `condition` finds; a statement of this name has always this text. */
  protected async read(condition: Sql, name: string): Promise<T[]> {
    const query = sql<Stored>`select ${this.#columns} from ${this.#table} where ${condition}`;
    const records: T[] = [];
    for await (const slice of slicesOf(
      await query.prepared(name).all(this.#db),
      this.#description.slice ?? SLICE_ENTRIES,
    ))
      records.push(...slice.map(this.#description.toRecord));
    return records;
  }

  /** Condition for the records of this kind that the owner has. */
  protected owned(owner: DiaryOwner): Sql {
    const { kindColumn, kind } = this.#description;
    return kindColumn === undefined
      ? isOwned(owner)
      : sql`${isOwned(owner)} and ${raw(kindColumn)} = ${kind}`;
  }

  #row(owner: DiaryOwner, id: string): Sql {
    return sql`${this.owned(owner)} and id = ${id}`;
  }

  #toRow({ tenant, userId }: DiaryOwner, record: T): Row {
    return { tenant_id: tenant, user_id: userId, ...this.#description.toRow(record) };
  }

  async #write(owner: DiaryOwner, id: string, change: Sql, isDeletion = false): Promise<WriteOutcome> {
    const { kind } = this.#description;
    if (await writeIf(this.#writer, changeOf(owner, kind, [id], isDeletion), toStatement(change)))
      return 'done';
    return (await this.find(owner, id)) === undefined ? 'missing' : 'conflict';
  }
}
