import type { NamedRequest } from '../../base/time-ordered-id.ts';
import type { Columns, Dialect, Row } from '../../db/dialect.ts';
import { assigned, list, type Queries, raw, type Sql, sql } from '../../db/sql.ts';
import { type Statement, toStatement, type Writer } from '../../db/writer.ts';
import { type DayRange, WHOLE_DIARY } from '../records/day.ts';
import type { DiaryOwner } from '../records/entry.ts';
import {
  MAX_MEASUREMENTS_PER_USER,
  type Measurement,
  type MeasurementPosition,
  type MeasurementUnit,
  positionOfMeasurement,
} from '../records/measurement.ts';
import {
  changeOf,
  findDeleted,
  full,
  isOwned,
  noted,
  removalFrom,
  toFewLengths,
  type WriteOutcome,
  writeIf,
} from './store-writes.ts';

interface MeasurementRow {
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly value: number;
  readonly unit: MeasurementUnit;
  readonly time: string;
  readonly created_at: number;
  readonly updated_at: number;
}

const COLUMNS = raw('id, version, name, value, unit, time, created_at, updated_at');
const WRITTEN_COLUMNS: Columns = {
  tenant_id: 'text',
  user_id: 'text',
  id: 'text',
  version: 'int',
  name: 'text',
  value: 'double precision',
  unit: 'text',
  date: 'text',
  at_ms: 'bigint',
  time: 'text',
  created_at: 'bigint',
  updated_at: 'bigint',
};
/** Sorts after every position. */
const AFTER_ALL = { date: '~', atMs: 0, id: '' };

export interface MeasurementPage {
  readonly name?: string | undefined;
  readonly range?: DayRange | undefined;
  /** Lists older ones only. */
  readonly before?: MeasurementPosition | undefined;
  readonly limit: number;
}

/** Stores measurements, with the guarantees of `DiaryStore`. */
export class MeasurementStore {
  readonly #db: Queries;
  readonly #writer: Writer;
  readonly #insert: (rows: readonly Row[]) => Statement;

  constructor({ db, writer, dialect }: { db: Queries; writer: Writer; dialect: Dialect }) {
    this.#db = db;
    this.#writer = writer;
    this.#insert = dialect.insertInto('diary_measurements', WRITTEN_COLUMNS);
  }

  async find(owner: DiaryOwner, id: string): Promise<Measurement | undefined> {
    const query = sql<MeasurementRow>`
      select ${COLUMNS} from diary_measurements where ${isOwned(owner)} and id = ${id}`;
    const row = await query.prepared('find-measurement').first(this.#db);
    return row && toMeasurement(row);
  }

  /** Returns those of at most 128 measurements that exist, in no order. */
  async findAll(owner: DiaryOwner, ids: readonly string[]): Promise<Measurement[]> {
    const asked = toFewLengths(ids);
    if (asked.length === 0) return [];
    const query = sql<MeasurementRow>`
      select ${COLUMNS} from diary_measurements where ${isOwned(owner)} and id in (${list(asked)})`;
    return (await query.prepared(`find-measurements-${asked.length}`).all(this.#db)).map(toMeasurement);
  }

  /** Whether a measurement had this id that was deleted. */
  async wasDeleted(owner: DiaryOwner, id: string): Promise<boolean> {
    return (await findDeleted(this.#db, owner, 'measurement', [id])).has(id);
  }

  /** Ordered by ids. */
  async listById(
    owner: DiaryOwner,
    { after, limit }: { readonly after: string; readonly limit: number },
  ): Promise<Measurement[]> {
    const query = sql<MeasurementRow>`
      select ${COLUMNS} from diary_measurements
      where ${isOwned(owner)} and id > ${after} order by id limit ${limit}`;
    return (await query.prepared('list-measurements-by-id').all(this.#db)).map(toMeasurement);
  }

  /** The newest first. */
  async list(
    owner: DiaryOwner,
    {
      name,
      range: { from, to } = WHOLE_DIARY,
      before = AFTER_ALL as MeasurementPosition,
      limit,
    }: MeasurementPage,
  ): Promise<Measurement[]> {
    const isNamed: Sql = name === undefined ? sql`${raw('')}` : sql` and name = ${name}`;
    const query = sql<MeasurementRow>`
      select ${COLUMNS} from diary_measurements
      where ${isOwned(owner)}${isNamed} and date >= ${from} and date <= ${to}
        and (date, at_ms, id) < (${before.date}, ${before.atMs}, ${before.id})
      order by date desc, at_ms desc, id desc limit ${limit}`;
    const prepared = query.prepared(name === undefined ? 'list-measurements' : 'list-named-measurements');
    return (await prepared.all(this.#db)).map(toMeasurement);
  }

  /**
   * Throws `invalid_request` if the user would have more than `MAX_MEASUREMENTS_PER_USER`. Records in the same transaction that
   * `request`, if given, was executed. With `chosenAtMs` their client chose the ids: throws a `ConstraintError` for one that was
   * deleted.
   */
  async add(
    owner: DiaryOwner,
    measurements: readonly Measurement[],
    request?: NamedRequest,
    chosenAtMs?: number,
  ): Promise<void> {
    const room = MAX_MEASUREMENTS_PER_USER - measurements.length;
    const hasRoom = sql`
      select 1 as room where (select count(*) from diary_measurements where ${isOwned(owner)}) <= ${room}`;
    const ids = measurements.map(({ id }) => id);
    const written = await writeIf(
      this.#writer,
      { ...changeOf(owner, 'measurement', ids), chosenAtMs },
      toStatement(hasRoom.prepared('has-room-measured')),
      this.#insert(measurements.map((measurement) => toRow(owner, measurement))),
      ...noted(request),
    );
    if (!written)
      throw full(
        `A user can have at most ${MAX_MEASUREMENTS_PER_USER} measurements; delete old ones first.`,
        MAX_MEASUREMENTS_PER_USER,
      );
  }

  /** Replaces the previous version. */
  async replace(owner: DiaryOwner, measurement: Measurement): Promise<WriteOutcome> {
    const { id, version } = measurement;
    const replacement = sql`
      update diary_measurements set ${assigned(toRow(owner, measurement))}
      where ${isOwned(owner)} and id = ${id} and version = ${version - 1}`;
    const statement = toStatement(replacement.prepared('replace-measurement'));
    if (await writeIf(this.#writer, changeOf(owner, 'measurement', [id]), statement)) return 'done';
    return (await this.find(owner, id)) === undefined ? 'missing' : 'conflict';
  }

  /** Removes any version if `version` is absent. */
  async remove(owner: DiaryOwner, id: string, version?: number): Promise<WriteOutcome> {
    const removal = removalFrom('diary_measurements', owner, id, version).prepared('remove-measurement');
    if (await writeIf(this.#writer, changeOf(owner, 'measurement', [id], true), toStatement(removal)))
      return 'done';
    return (await this.find(owner, id)) === undefined ? 'missing' : 'conflict';
  }
}

function toRow({ tenant, userId }: DiaryOwner, measurement: Measurement) {
  const { date, atMs } = positionOfMeasurement(measurement);
  return {
    tenant_id: tenant,
    user_id: userId,
    id: measurement.id,
    version: measurement.version,
    name: measurement.name,
    value: measurement.value,
    unit: measurement.unit,
    date,
    at_ms: atMs,
    time: measurement.measuredAt,
    created_at: measurement.createdAt,
    updated_at: measurement.updatedAt,
  } satisfies MeasurementRow & Row;
}

function toMeasurement({ time, created_at, updated_at, ...row }: MeasurementRow): Measurement {
  return { ...row, measuredAt: time, createdAt: created_at, updatedAt: updated_at };
}
