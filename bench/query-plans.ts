/**
 * Measures what each statement costs with 10 M diary entries and 1 M scans in PostgreSQL.
 *
 *     npm run bench -- query-plans [--write]   # --write keeps the statistics for the test
 *
 * Fills the tables (4 GB, some minutes), compares the plans with those of test/cluster/query-plans.test.ts,
 * whose tables only have the statistics of such a size, and runs every statement; writes are rolled back.
 */
import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { createMigratedDatabase } from '../test/support/migrated-database.ts';
import { recordStores } from '../test/support/plans/exercise-stores.ts';
import {
  formatStatistics,
  keptStatistics,
  pretendFilled,
  readStatistics,
  STATISTICS_FILE,
} from '../test/support/plans/filled-statistics.ts';
import { isPlanned } from '../test/support/plans/query-plan.ts';
import type { SentStatement } from '../test/support/plans/recorded-statements.ts';
import {
  differences,
  planStatements,
  type StatementPlans,
  shorten,
} from '../test/support/plans/statement-plans.ts';
import { startPostgres, stopPostgres } from '../test/support/postgres-server.ts';
import { fillTables } from './support/filled-tables.ts';

const RUNS = 5;
const NAME_CHARACTERS = 100;
/** Slower statements are marked, in milliseconds. */
const SLOW_MS = 10;

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
const postgres = startPostgres();
try {
  const emptyUrl = await createMigratedDatabase(postgres);
  const sent = await recordStores(nodeOver(emptyUrl));
  const client = await connect(await createMigratedDatabase(postgres));
  const startedAt = performance.now();
  await fillTables(client, (words) =>
    console.log(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${words}`),
  );
  if (values.write) writeFileSync(STATISTICS_FILE, formatStatistics(await readStatistics(client)));
  const pretending = await connect(emptyUrl);
  await pretendFilled(pretending, keptStatistics());
  compare(await planStatements(client, sent), await planStatements(pretending, sent));
  await pretending.end();
  console.log(`\n${cpus()[0]!.model}, ${cpus().length} processors, load average ${loadavg()[0]!.toFixed(1)}`);
  console.log(
    `milliseconds of PostgreSQL, first of ${RUNS} runs and median; pages read or found in memory\n`,
  );
  for (const [kind, statements] of Object.entries(sent)) await time(client, kind, statements);
  await client.end();
} finally {
  stopPostgres(postgres);
}

/** The benchmark uses only the database of the cluster. */
function nodeOver(url: string): Record<string, string> {
  return {
    LARDER_DATABASE_URL: url,
    LARDER_REDIS_URL: 'redis://127.0.0.1:1',
    LARDER_S3_ENDPOINT: 'http://127.0.0.1:1',
    LARDER_S3_BUCKET: 'unused',
    LARDER_S3_ACCESS_KEY_ID: 'unused',
    LARDER_S3_SECRET_ACCESS_KEY: 'unused',
  };
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  return client;
}

function compare(filled: readonly StatementPlans[], pretended: readonly StatementPlans[]): void {
  const others = differences(filled, pretended);
  console.log(
    `\n${filled.length} statements, of which ${others.length} are planned otherwise where rows are pretended`,
  );
  for (const { here, there } of others) console.log(`\n${here}\nwhere they are pretended\n${there}`);
}

async function time(client: pg.Client, kind: string, statements: readonly SentStatement[]): Promise<void> {
  const seen = new Set<string>();
  console.log(`for ${kind}`);
  for (const statement of statements.filter(isPlanned)) {
    const text = shorten(statement.text);
    if (seen.has(text)) continue;
    seen.add(text);
    const runs = [];
    for (let run = 0; run < RUNS; run++) runs.push(await analyse(client, statement));
    const median = runs.toSorted((a, b) => a.ms - b.ms)[RUNS >> 1]!;
    const name = (statement.name ?? text).slice(0, NAME_CHARACTERS);
    const figures = [runs[0]!.ms, median.ms].map((ms) => ms.toFixed(2).padStart(9)).join('');
    console.log(
      `${figures} ms ${String(median.pages).padStart(6)} pages  ${name}${median.ms > SLOW_MS ? '  SLOW' : ''}`,
    );
  }
}

async function analyse(client: pg.Client, { text, values: parameters }: SentStatement) {
  await client.query('begin');
  try {
    const { rows } = await client.query(
      `explain (analyze, buffers, format json) ${text}`,
      parameters as unknown[],
    );
    const { Plan: plan, 'Execution Time': ms } = rows[0]['QUERY PLAN'][0];
    return { ms: ms as number, pages: (plan['Shared Hit Blocks'] + plan['Shared Read Blocks']) as number };
  } finally {
    await client.query('rollback');
  }
}
