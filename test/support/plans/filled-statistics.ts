import { chownSync, closeSync, openSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { ROWS } from './filled.ts';

/**
 * The statistics of PostgreSQL's planner for the filled tables, so that plans for small tables are made as
 * for large ones: the sizes of tables and indexes, and the distribution of each column. See `pg_class` and
 * `pg_statistic` in its documentation, and `estimate_rel_size` in its source for why the files must have the
 * stated sizes.
 */

export const STATISTICS_FILE = new URL('./filled-statistics.tsv', import.meta.url);
/** Kinds of statistics, from `pg_statistic.h`. */
const [COMMON_VALUES, HISTOGRAM, CORRELATION] = [1, 2, 3];
const SLOTS = [1, 2, 3, 4, 5];

interface RelationSize {
  readonly pages: number;
  readonly rows: number;
  readonly visiblePages: number;
}

interface Slot {
  readonly kind: number;
  /** The operator and collation for comparing the values. */
  readonly operator: number;
  readonly collation: number;
  readonly numbers?: readonly number[];
  readonly values?: readonly string[];
}

interface ColumnStatistics {
  readonly nullShare: number;
  readonly width: number;
  readonly distinct: number;
  readonly slots: readonly Slot[];
}

export interface FilledStatistics {
  /** Tables and indexes. */
  readonly relations: ReadonlyMap<string, RelationSize>;
  /** By table and column, with a dot. */
  readonly columns: ReadonlyMap<string, ColumnStatistics>;
}

/** Statistics of the filled tables and their indexes, as ANALYZE has left them. */
export async function readStatistics(client: pg.Client): Promise<FilledStatistics> {
  const { rows: relations } = await client.query<RelationSize & { name: string }>(
    `select relname as name, relpages as pages, reltuples::float8 as rows, relallvisible as "visiblePages"
     from pg_class left join pg_index on indexrelid = pg_class.oid
     where coalesce(indrelid, pg_class.oid)::regclass::text = any($1) order by relname`,
    [Object.keys(ROWS)],
  );
  const { rows: columns } = await client.query(
    `select relname || '.' || attname as name, pg_statistic.*,
       ${SLOTS.map((slot) => `stavalues${slot}::text::text[] as values${slot}`).join(', ')},
       exists (select from pg_index where indrelid = starelid and staattnum = any(indkey)) as "isIndexed"
     from pg_statistic
       join pg_class on pg_class.oid = starelid
       join pg_attribute on attrelid = starelid and attnum = staattnum
     where relname = any($1) order by relname, attnum`,
    [Object.keys(ROWS)],
  );
  return {
    relations: new Map(relations.map(({ name, ...size }) => [name, size])),
    columns: new Map(columns.map((row) => [row['name'], toColumn(row)])),
  };
}

function toColumn(row: Record<string, unknown>): ColumnStatistics {
  const slots = SLOTS.map((slot) => ({
    kind: Number(row[`stakind${slot}`]),
    operator: Number(row[`staop${slot}`]),
    collation: Number(row[`stacoll${slot}`]),
    numbers: row[`stanumbers${slot}`] as number[] | null,
    values: row[`values${slot}`] as string[] | null,
  }));
  return {
    nullShare: Number(row['stanullfrac']),
    width: Number(row['stawidth']),
    distinct: Number(row['stadistinct']),
    slots: slots.flatMap(({ numbers, values, ...slot }) => {
      if (slot.kind === COMMON_VALUES) return { ...slot, numbers: numbers!, values: values! };
      // Ranges are only queried by index.
      if (row['isIndexed'] && slot.kind === HISTOGRAM) return { ...slot, values: values! };
      return slot.kind === CORRELATION ? { ...slot, numbers: numbers! } : [];
    }),
  };
}

/** The file of the repository that contains them: a name and JSON on each line. */
export function formatStatistics({ relations, columns }: FilledStatistics): string {
  const line = ([name, of]: [string, object]) => `${name}\t${JSON.stringify(of)}\n`;
  return [...relations, ...columns].map(line).join('');
}

export function keptStatistics(): FilledStatistics {
  const lines = readFileSync(STATISTICS_FILE, 'utf8').trimEnd().split('\n');
  const entries = lines.map((line) => {
    const [name, json] = line.split('\t') as [string, string];
    return [name, JSON.parse(json)] as const;
  });
  return {
    relations: new Map(entries.filter(([name]) => !name.includes('.'))),
    columns: new Map(entries.filter(([name]) => name.includes('.'))),
  };
}

/**
 * Empties the tables and makes PostgreSQL plan as if they were filled. The client must be a superuser, the
 * server on this machine, and its files writable.
 */
export async function pretendFilled(client: pg.Client, statistics: FilledStatistics): Promise<void> {
  await client.query(`truncate ${Object.keys(ROWS).join(', ')}`);
  for (const table of Object.keys(ROWS))
    await client.query(`alter table ${table} set (autovacuum_enabled = false)`);
  for (const [name, { pages, rows, visiblePages }] of statistics.relations) {
    await client.query(
      'update pg_class set relpages = $2, reltuples = $3, relallvisible = $4 where oid = $1::regclass',
      [name, pages, rows, visiblePages],
    );
    await lengthen(client, name, pages);
  }
  for (const [name, column] of statistics.columns) await pretendColumn(client, name, column);
}

async function pretendColumn(client: pg.Client, name: string, column: ColumnStatistics): Promise<void> {
  const [table, attribute] = name.split('.') as [string, string];
  await client.query(
    `delete from pg_statistic using pg_attribute where starelid = attrelid and staattnum = attnum
       and attrelid = $1::regclass and attname = $2`,
    [table, attribute],
  );
  const slots = SLOTS.map((_, at): Partial<Slot> => column.slots[at] ?? {});
  const literal = (values: Slot['values']) =>
    values === undefined
      ? 'null'
      : `array_in(${pg.escapeLiteral(toArrayText(values))}, (select atttypid from type), -1)`;
  await client.query(
    `with type as (
       select attnum, atttypid from pg_attribute where attrelid = $1::regclass and attname = $2
     )
     insert into pg_statistic (starelid, staattnum, stainherit, stanullfrac, stawidth, stadistinct,
       ${SLOTS.map((n) => `stakind${n}, staop${n}, stacoll${n}, stanumbers${n}, stavalues${n}`).join(', ')})
     select $1::regclass, attnum, false, $3, $4, $5,
       ${slots
         .map(
           ({ kind = 0, operator = 0, collation = 0, numbers, values }) =>
             `${kind}, ${operator}, ${collation}, ${numbers ? `'{${numbers}}'::float4[]` : 'null'}, ${literal(values)}`,
         )
         .join(', ')}
     from type`,
    [table, attribute, column.nullShare, column.width, column.distinct],
  );
}

function toArrayText(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

/** Sparse files: PostgreSQL reads unwritten pages as empty. */
async function lengthen(client: pg.Client, relation: string, pages: number): Promise<void> {
  const { rows } = await client.query<Record<'folder' | 'file' | 'pageBytes' | 'segmentPages', string>>(
    `select current_setting('data_directory') as folder, pg_relation_filepath($1::regclass) as file,
       current_setting('block_size') as "pageBytes",
       (select setting from pg_settings where name = 'segment_size') as "segmentPages"`,
    [relation],
  );
  const { folder, file, pageBytes, segmentPages } = rows[0]!;
  const first = join(folder, file);
  const { uid, gid } = statSync(first);
  for (let segment = 0, left = pages; left > 0; segment++, left -= Number(segmentPages)) {
    const path = segment === 0 ? first : `${first}.${segment}`;
    closeSync(openSync(path, 'a'));
    chownSync(path, uid, gid);
    truncateSync(path, Math.min(left, Number(segmentPages)) * Number(pageBytes));
  }
}
