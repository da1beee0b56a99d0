import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { type Database, openDatabase, toSql } from '../../src/adapters/cluster/database.ts';
import type { SqlDatabase } from '../../src/adapters/sql/sql-database.ts';

/** The folder of PostgreSQL's programs, or undefined where it is not installed. */
export const postgresPrograms = [...(process.env['PATH'] ?? '').split(delimiter), ...debianFolders()].find(
  (folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'pg_ctl')),
);
if (postgresPrograms === undefined) {
  process.stderr.write('PostgreSQL is not installed; its adapters are not tested here.\n');
}

let folder: string | undefined;

/** A database of its own on a server of the test file's own, opened on two pools, with a store on each. */
export async function openPostgresTwice<Store>(toStore: (sql: SqlDatabase) => Store) {
  const url = await createDatabase(folder!);
  // Together, as two nodes start.
  const databases: Database[] = await Promise.all([openDatabase({ url }), openDatabase({ url })]);
  const [store, other] = databases.map((db) => toStore(toSql(db)));
  return {
    store: store!,
    other: other!,
    async close() {
      await Promise.all(databases.map((db) => db.destroy()));
    },
  };
}

/** The address of a database with all tables, on the server of the test file. */
export async function openPostgresUrl(): Promise<string> {
  const url = await createDatabase(folder!);
  await (await openDatabase({ url })).destroy();
  return url;
}

if (postgresPrograms !== undefined) {
  beforeAll(() => {
    folder = startServer();
  });
  afterAll(() => {
    run('pg_ctl', '-D', join(folder!, 'data'), '-m', 'immediate', 'stop');
    rmSync(folder!, { recursive: true });
  });
}

function startServer(): string {
  const created = mkdtempSync(join(tmpdir(), 'larder-pg-'));
  chmodSync(created, 0o777);
  run('initdb', '-D', join(created, 'data'), '--no-sync', '-A', 'trust', '-E', 'UTF8', '-U', 'postgres');
  const settings = `-c listen_addresses='' -k ${created} -c fsync=off -c full_page_writes=off`;
  run('pg_ctl', '-w', '-D', join(created, 'data'), '-o', settings, '-l', join(created, 'log'), 'start');
  return created;
}

async function createDatabase(socketFolder: string): Promise<string> {
  const name = `t${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client({ host: socketFolder, user: 'postgres', database: 'postgres' });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return `postgres://postgres@/${name}?host=${encodeURIComponent(socketFolder)}`;
}

/** PostgreSQL refuses to run as root, so root hands over to the user that its package made. */
function run(program: string, ...words: string[]): void {
  const path = join(postgresPrograms!, program);
  const asPostgres = ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'];
  const [command, ...rest] = process.getuid?.() === 0 ? [...asPostgres, path, ...words] : [path, ...words];
  execFileSync(command!, rest, { stdio: 'ignore', cwd: tmpdir() });
}

function debianFolders(): string[] {
  const root = '/usr/lib/postgresql';
  return existsSync(root) ? readdirSync(root).map((version) => join(root, version, 'bin')) : [];
}
