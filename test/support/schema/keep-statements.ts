/**
 * Keeps what this version sends to PostgreSQL, with values and results, so that the tests of the next one can send it to
 * their tables as a node that has not been exchanged yet would: `npm run keep-statements`, before each release.
 */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import pg from 'pg';
import { MIGRATIONS } from '../../../src/db/postgres/migrations/migrations.ts';
import { createMigratedDatabase } from '../migrated-database.ts';
import { recordStores } from '../plans/exercise-stores.ts';
import { startPostgres, stopPostgres } from '../postgres-server.ts';
import { formatStatements, replay } from './replay-statements.ts';

const FOLDER = new URL('../../cluster/statements/', import.meta.url);

const postgres = startPostgres();
try {
  const sent = await recordStores({
    LARDER_DATABASE_URL: await createMigratedDatabase(postgres),
    LARDER_REDIS_URL: 'redis://127.0.0.1:1',
    LARDER_S3_ENDPOINT: 'http://127.0.0.1:1',
    LARDER_S3_BUCKET: 'unused',
    LARDER_S3_ACCESS_KEY_ID: 'unused',
    LARDER_S3_SECRET_ACCESS_KEY: 'unused',
  });
  // Connection settings are not statements of a store.
  const statements = Object.values(sent)
    .flat()
    .filter(({ text }) => !/\bset_config\(/.test(text));
  const client = new pg.Client(await createMigratedDatabase(postgres));
  await client.connect();
  const rows = await replay(client, statements);
  await client.end();
  for (const old of readdirSync(FOLDER)) rmSync(new URL(old, FOLDER));
  writeFileSync(
    new URL(`${Object.keys(MIGRATIONS).at(-1)}.jsonl`, FOLDER),
    formatStatements(statements.map((statement, at) => ({ ...statement, rows: rows[at]! }))),
  );
} finally {
  stopPostgres(postgres);
}
