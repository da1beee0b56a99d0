import { readdirSync, readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';

const SOURCES = fileURLToPath(new URL('../../../src/', import.meta.url));

/** Matches code that makes or sends a statement. */
const SENDS =
  /\.(?:execute|query|all|first|write)\(|\bsql(?:<[^`]*>)?`[^`]*\s|\b(?:toStatement|writeOne)\(|#(?:write|change|forTenant|writeAlone)\(/;

/** Matches imports in a file that may send statements. */
const KNOWS_SQL = /from '(?:pg|[./\w-]*\/(?:sql|sql-database|writer)\.ts)'/;

/** Files that send other statements than those of stores. */
const OTHER_WAYS: Readonly<Record<string, string>> = {
  'app/foods.ts': 'hands its database on',
  'app/processes/scan-habits.ts': 'calls the methods of stores',
  'db/writer.ts': 'hands on what stores send',
  'db/sql.ts': 'puts together what stores send',
  'diary/store/long-sums.ts': 'reads SQLite in slices',
  'own-data/import/record-writer.ts': 'calls the methods of stores',
  'db/postgres/database-connection.ts': 'hands on what stores send',
  'db/postgres/database-pool.ts': 'hands on what stores send',
  'db/postgres/pool-writer.ts': 'hands on what stores send',
  'db/postgres/database-listener.ts': 'listens on a connection of its own, and reads no table',
};

/**
 * Measures which code of the stores runs. Call `start` before anything loads them: code compiled earlier is not
 * counted by blocks.
 */
export class StoreCoverage {
  readonly #session = new Session();

  async start(): Promise<void> {
    this.#session.connect();
    await this.#session.post('Profiler.enable');
    await this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  /** Code that sends statements and has not run, with its file, and files that were never loaded. */
  async stop(): Promise<string[]> {
    const { result } = await this.#session.post('Profiler.takePreciseCoverage');
    await this.#session.post('Debugger.enable');
    const missed: string[] = [];
    for (const file of filesThatSend()) {
      const script = result.findLast(({ url }) => url.endsWith(`/src/${file}`));
      if (script === undefined) {
        missed.push(`${file} was never loaded`);
        continue;
      }
      const { scriptSource } = await this.#session.post('Debugger.getScriptSource', {
        scriptId: script.scriptId,
      });
      for (const { startOffset, endOffset } of script.functions
        .flatMap(({ ranges }) => ranges)
        .filter(({ count }) => count === 0)) {
        const code = scriptSource.slice(startOffset, endOffset);
        if (SENDS.test(code)) missed.push(`${file}: ${code}`);
      }
    }
    this.#session.disconnect();
    return missed;
  }
}

function filesThatSend(): string[] {
  return readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter((file) => !file.startsWith('db/sqlite/') && !file.startsWith('db/schema/'))
    .filter((file) => !(file in OTHER_WAYS) && isSender(readFileSync(SOURCES + file, 'utf8')));
}

function isSender(code: string): boolean {
  return KNOWS_SQL.test(code) && SENDS.test(code);
}
