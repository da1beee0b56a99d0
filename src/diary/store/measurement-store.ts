import { raw, sql } from '../../db/sql.ts';
import { type DayRange, WHOLE_DIARY } from '../records/day.ts';
import type { DiaryOwner } from '../records/entry.ts';
import {
  MAX_MEASUREMENTS_PER_USER,
  type Measurement,
  type MeasurementPosition,
  type MeasurementUnit,
  positionOfMeasurement,
} from '../records/measurement.ts';
import { type TablePorts, UserTable } from './user-table.ts';

/** A row of `diary_measurements` without its owner. */
interface MeasurementRow {
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly value: number;
  readonly unit: MeasurementUnit;
  readonly date: string;
  readonly at_ms: number;
  readonly time: string;
  readonly created_at: number;
  readonly updated_at: number;
}

/** Sorts after every position. */
const AFTER_ALL = { date: '~', atMs: 0, id: '' };

export interface MeasurementPage {
  readonly name?: string | undefined;
  readonly range?: DayRange | undefined;
  /** Lists older ones only. */
  readonly before?: MeasurementPosition | undefined;
  readonly limit: number;
}

/** Stores measurements. */
export class MeasurementStore extends UserTable<Measurement, MeasurementRow> {
  constructor(ports: TablePorts) {
    super(ports, {
      table: 'diary_measurements',
      columns: {
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
      },
      toRow,
      toRecord: toMeasurement,
      kind: 'measurement',
      name: 'measurement',
      plural: 'measurements',
      max: MAX_MEASUREMENTS_PER_USER,
    });
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
    const isNamed = name === undefined ? raw('') : sql` and name = ${name}`;
    const page = sql`
      ${this.owned(owner)}${isNamed} and date >= ${from} and date <= ${to}
        and (date, at_ms, id) < (${before.date}, ${before.atMs}, ${before.id})
      order by date desc, at_ms desc, id desc limit ${limit}`;
    return this.read(page, name === undefined ? 'list-measurements' : 'list-named-measurements');
  }
}

function toRow(measurement: Measurement): MeasurementRow & Record<string, unknown> {
  const { date, atMs } = positionOfMeasurement(measurement);
  return {
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
  };
}

function toMeasurement(row: MeasurementRow): Measurement {
  const { date: _, at_ms: __, time, created_at, updated_at, ...fields } = row;
  return { ...fields, measuredAt: time, createdAt: created_at, updatedAt: updated_at };
}
