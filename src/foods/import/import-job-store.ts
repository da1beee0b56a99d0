import { type Queries, sql } from '../../db/sql.ts';
import type { SqlDatabase } from '../../db/sql-database.ts';
import { type Lock, toStatement, type Writer, writeOne } from '../../db/writer.ts';
import type { ImportJob, ImportPosition, ImportSourceName, ImportState } from './import-job.ts';

/** A preview that has not ended. */
const NO_PREVIEW = '{}';
/** Listed imports; older ones are removed. */
export const KEPT_IMPORTS = 20;
const ALONE: Lock = { name: 'imports' };
const UNDER_WAY = sql`finished_at_ms is null`;

export interface ImportsTable {
  readonly id: string;
  readonly source: ImportSourceName;
  readonly state: ImportState;
  readonly file_name: string | null;
  readonly file_bytes: number | null;
  /** JSON. */
  readonly slice: string | null;
  /** JSON of `ImportChoices`. */
  readonly choices: string | null;
  /** JSON; null for an import. Of a preview that has not ended it is `{}`. */
  readonly preview: string | null;
  readonly created_at_ms: number;
  readonly alive_until_ms: number;
  readonly finished_at_ms: number | null;
  readonly progress: string;
  readonly report: string | null;
  readonly error: string | null;
}

export interface ImportOutcome {
  readonly state: 'completed' | 'failed' | 'cancelled';
  readonly report?: object;
  readonly tablePreview?: object;
  readonly error?: string;
}

/**
 * Stores imports that operators started. Only one is active at a time in all processes: the process that
 * works on it updates its time, and one with an old time counts as interrupted.
 */
export class ImportJobStore {
  readonly #db: Queries;
  readonly #writer: Writer;

  constructor({ db, writer }: SqlDatabase) {
    this.#db = db;
    this.#writer = writer;
  }

  /** Returns false, without a change, if another one is active. */
  async add(job: ImportJob, aliveUntilMs: number): Promise<boolean> {
    const { id, source, state, file, slice, choices, createdAtMs, progress } = job;
    const insertion = sql`
      insert into catalogue_imports
        (id, source, state, file_name, file_bytes, slice, choices, preview, created_at_ms, alive_until_ms, progress)
      select ${id}, ${source}, ${state}, ${file?.name ?? null}, ${file?.bytes ?? null},
        ${jsonOf(slice)}, ${jsonOf(choices)}, ${choices?.preview === true ? NO_PREVIEW : null}, ${createdAtMs}, ${aliveUntilMs}, ${JSON.stringify(progress)}
      where not exists (select 1 from catalogue_imports where ${UNDER_WAY})`;
    const removal = sql`
      delete from catalogue_imports
      where (preview is not null and id <> ${id}) or
        id < (select id from catalogue_imports where preview is null order by id desc limit 1 offset ${KEPT_IMPORTS - 1})`;
    const { changes } = await this.#writer.write({
      statements: [toStatement(insertion), toStatement(removal)],
      firstDecides: true,
      lock: ALONE,
    });
    return changes === 1;
  }

  async find(id: string): Promise<ImportJob | undefined> {
    const row = await sql<ImportsTable>`select * from catalogue_imports where id = ${id}`.first(this.#db);
    return row && toJob(row);
  }

  /** Newest first, without previews. */
  async list(): Promise<readonly ImportJob[]> {
    const query = sql<ImportsTable>`
      select * from catalogue_imports where preview is null order by id desc limit ${KEPT_IMPORTS}`;
    return (await query.all(this.#db)).map(toJob);
  }

  /** Notes that a part of the file has come. Returns false if `job` has changed meanwhile, by another part or its end. */
  async receive(
    { id, progress: before }: ImportJob,
    state: 'waiting' | 'running',
    progress: ImportPosition,
    aliveUntilMs: number,
  ): Promise<boolean> {
    const change = sql`
      update catalogue_imports
      set state = ${state}, progress = ${JSON.stringify(progress)}, alive_until_ms = ${aliveUntilMs}
      where id = ${id} and state = 'waiting' and progress = ${JSON.stringify(before)}`;
    return (await writeOne(this.#writer, change)).changes === 1;
  }

  /** Notes how far the work on it is. Returns false if it has ended. */
  async move(id: string, progress: ImportPosition, aliveUntilMs: number): Promise<boolean> {
    const change = sql`
      update catalogue_imports set progress = ${JSON.stringify(progress)}, alive_until_ms = ${aliveUntilMs}
      where id = ${id} and state = 'running'`;
    return (await writeOne(this.#writer, change)).changes === 1;
  }

  /** Returns false if it has ended already. */
  async finish(
    id: string,
    { state, report, tablePreview, error }: ImportOutcome,
    nowMs: number,
  ): Promise<boolean> {
    const change = sql`
      update catalogue_imports set state = ${state}, finished_at_ms = ${nowMs},
        report = ${jsonOf(report)}, preview = coalesce(${jsonOf(tablePreview)}, preview), error = ${error ?? null}
      where id = ${id} and ${UNDER_WAY}`;
    return (await writeOne(this.#writer, change)).changes === 1;
  }

  /** Ends imports whose process has stopped. */
  async endInterrupted(nowMs: number): Promise<void> {
    const over = sql<{ id: string }>`
      select id from catalogue_imports where ${UNDER_WAY} and alive_until_ms < ${nowMs}`;
    if ((await over.first(this.#db)) === undefined) return;
    const change = sql`
      update catalogue_imports set state = 'failed', finished_at_ms = ${nowMs}, error = case when state = 'waiting'
        then 'The file did not come in time. Start the import again.'
        else 'interrupted: the process that worked on it has ended. Start the import again; a download continues where it was.' end
      where ${UNDER_WAY} and alive_until_ms < ${nowMs}`;
    await writeOne(this.#writer, change, ALONE);
  }
}

function jsonOf(value: object | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

function toJob(row: ImportsTable): ImportJob {
  return {
    id: row.id,
    source: row.source,
    state: row.state,
    createdAtMs: Number(row.created_at_ms),
    progress: JSON.parse(row.progress),
    ...(row.file_name !== null && { file: { name: row.file_name, bytes: Number(row.file_bytes) } }),
    ...(row.slice !== null && { slice: JSON.parse(row.slice) }),
    ...(row.choices !== null && { choices: JSON.parse(row.choices) }),
    ...(row.preview !== null && row.preview !== NO_PREVIEW && { tablePreview: JSON.parse(row.preview) }),
    ...(row.finished_at_ms !== null && { finishedAtMs: Number(row.finished_at_ms) }),
    ...(row.report !== null && { report: JSON.parse(row.report) }),
    ...(row.error !== null && { error: row.error }),
  };
}
