import Sqlite from 'better-sqlite3';
import { type FoundSchema, type MigrationLog, nextStep, STEPS, toldStep } from '../schema/steps.ts';

/**
 * Migrates the tables. If processes start together, one migrates under the write lock, and the others find
 * current tables. A failed migration changes nothing.
 */
export function migrate(sqlite: Sqlite.Database, log?: MigrationLog, steps = STEPS): void {
  if (nextStep(findSchema(sqlite), 'sqlite', steps) === undefined) return;
  const bringUpToDate = sqlite.transaction(() => {
    for (;;) {
      const step = nextStep(findSchema(sqlite), 'sqlite', steps);
      if (step === undefined) return;
      const startedAtMs = performance.now();
      for (const statement of step.statements) sqlite.exec(statement);
      toldStep(step, performance.now() - startedAtMs, log);
    }
  });
  bringUpToDate.immediate();
}

/** Reads the version of the tables in a database file; changes nothing. */
export function readSchema(file: string): FoundSchema {
  // The connection is not read-only, because that would leave files of the write-ahead log behind.
  const sqlite = new Sqlite(file, { fileMustExist: true });
  try {
    return findSchema(sqlite);
  } finally {
    sqlite.close();
  }
}

function findSchema(sqlite: Sqlite.Database): FoundSchema {
  const hasTable = sqlite.prepare('select 1 from sqlite_master where name = ?');
  const value = (text: string) => sqlite.prepare(text).pluck().get();
  if (hasTable.get('schema_version'))
    return { version: value('select version from schema_version') as number };
  if (hasTable.get('kysely_migration'))
    return { lastMigration: (value('select max(name) from kysely_migration') ?? '') as string };
  return {};
}
