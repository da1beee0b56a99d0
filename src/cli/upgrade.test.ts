import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { beforeEach, describe, expect, test } from 'vitest';
import { writeDataOfBefore } from '../../test/support/files-of-before.ts';
import { startLocalServer } from '../../test/support/local-server.ts';
import { runLarder } from '../../test/support/run-larder.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { planUpgrade } from '../app/installation/upgrade-plan.ts';
import { readConfig } from '../config/config.ts';
import { SCHEMA_VERSION, STEPS } from '../db/schema/steps.ts';
import { LAST_MIGRATION_OF_0_1_0 } from '../db/schema/upgrade.ts';
import { CATALOGUE_FORMAT_VERSION } from '../foods/catalogue/format.ts';

let dataDir: string;
beforeEach(() => {
  const folder = tempFolder();
  dataDir = folder.path;
  return () => folder[Symbol.dispose]();
});

/** Nothing listens on port 1. */
const run = (words: string, port = '1') =>
  runLarder({ LARDER_DATA_DIR: dataDir, LARDER_PORT: port }, ...words.split(' '));
const check = async (port?: string) => JSON.parse(await run('upgrade --check --json', port));

function inDatabase(statement: string): void {
  const sqlite = new Sqlite(join(dataDir, 'larder.db'));
  sqlite.exec(statement);
  sqlite.close();
}

describe('with data of this version', () => {
  beforeEach(async () => {
    await run('import starter');
    await run('key create --tenant default --scopes scan');
  });

  test('nothing needs to be done, and no file changes', async () => {
    const before = readdirSync(dataDir);
    expect(await check()).toMatchObject({
      program: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      database: { schemaVersion: SCHEMA_VERSION, programVersion: SCHEMA_VERSION, bytes: expect.any(Number) },
      catalogue: {
        formatVersion: CATALOGUE_FORMAT_VERSION,
        programVersion: CATALOGUE_FORMAT_VERSION,
        lostImports: [],
      },
      steps: [],
      isBackupAdvised: false,
    });
    expect(await run('upgrade --check')).toMatch(/nothing answers at .*\n[\s\S]*changes no data\.\n$/);
    expect(readdirSync(dataDir)).toEqual(before);
  });

  test('older tables are changed, and a backup is recommended', async () => {
    const later = [...STEPS, () => ['create table of_tomorrow (id text)']];
    const { steps, isBackupAdvised, disk, database } = await planUpgrade(
      readConfig({ LARDER_DATA_DIR: dataDir }),
      later,
    );
    expect(disk!.neededBytes).toBeGreaterThanOrEqual(2 * database.bytes!);
    expect(disk!.freeBytes).toBeGreaterThan(0);
    expect([steps, isBackupAdvised]).toEqual([
      [`Change the tables of the database from version ${SCHEMA_VERSION} to ${SCHEMA_VERSION + 1}.`],
      true,
    ]);
  });

  test('tables that no release made are an error', async () => {
    inDatabase('update schema_version set version = 2');
    await expect(check()).rejects.toThrow(/cannot be used by this program\. .* never released/);
  });

  test('newer tables are an error', async () => {
    inDatabase('update schema_version set version = 99');
    await expect(check()).rejects.toThrow(/cannot be used by this program\. .* newer Larder/);
  });

  test('the version of the running service is reported, and other programs are ignored', async () => {
    let body: object = { name: 'larder', version: '9.9.9', description: '', links: {} };
    await using server = await startLocalServer((_, response) => response.end(JSON.stringify(body)));
    const { port } = new URL(server.base);
    expect(await check(port)).toMatchObject({ running: '9.9.9' });
    body = {};
    expect(await check(port)).not.toHaveProperty('running');
  });
});

test('a database of version 0.1.0 is copied', async () => {
  inDatabase(
    `create table kysely_migration (name text); insert into kysely_migration values ('${LAST_MIGRATION_OF_0_1_0}')`,
  );
  const { database, steps, isBackupAdvised } = await check();
  expect([database.is010, steps, isBackupAdvised]).toEqual([
    true,
    [expect.stringMatching(/^Copy all rows .* Stop all nodes and workers/)],
    true,
  ]);
  expect(await run('upgrade --check')).toMatch(
    /free; the first start may take[\s\S]*1\. Copy all rows[\s\S]*Back up first \(`larder backup/,
  );
});

test('a catalogue of another format is compiled again, and lost imports are named', async () => {
  writeDataOfBefore(dataDir);
  expect((await check()).steps).toEqual([
    expect.stringMatching(/^Compile the catalogue again, from format \d+ to \d+; .* minutes\.$/),
  ]);
  rmSync(join(dataDir, 'segments'), { recursive: true });
  expect((await check()).steps[0]).toMatch(/Import again what is lost: .*\.segment is missing in segments/);
  expect(await run('upgrade --check')).toContain('A backup is not needed');
});

test('a file that is not a database is an error with its name', async () => {
  writeFileSync(join(dataDir, 'larder.db'), 'x'.repeat(5_000));
  await expect(check()).rejects.toThrow(`Cannot read ${join(dataDir, 'larder.db')}: `);
});

test('without --check it only reports what is required', async () => {
  await expect(run('upgrade')).rejects.toThrow(/--check/);
});
