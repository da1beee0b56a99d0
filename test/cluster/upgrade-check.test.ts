import pg from 'pg';
import { expect, test } from 'vitest';
import { planUpgrade } from '../../src/app/installation/upgrade-plan.ts';
import { readConfig } from '../../src/config/config.ts';
import { SCHEMA_VERSION, STEPS } from '../../src/db/schema/steps.ts';
import { clusterSettings } from '../support/cluster-settings.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('the tables of a PostgreSQL database are read without changing them', async () => {
  using folder = tempFolder();
  const settings = await clusterSettings();
  const config = readConfig({ ...settings, LARDER_DATA_DIR: folder.path });
  expect(await planUpgrade(config)).toMatchObject({
    database: { schemaVersion: SCHEMA_VERSION, programVersion: SCHEMA_VERSION },
    steps: [],
  });
  const client = new pg.Client(settings['LARDER_DATABASE_URL']);
  await client.connect();
  const later = [...STEPS, () => ['create table of_tomorrow (id text)']];
  for (let times = 0; times < 2; times++) {
    const { steps, isBackupAdvised } = await planUpgrade(config, later);
    expect([steps, isBackupAdvised]).toEqual([
      [`Change the tables of the database from version ${SCHEMA_VERSION} to ${SCHEMA_VERSION + 1}.`],
      true,
    ]);
  }
  await client.query('drop table schema_version');
  expect(await planUpgrade(config)).toMatchObject({
    database: { programVersion: SCHEMA_VERSION },
    steps: [],
  });
  await client.end();
});

test('an unreachable database is an error that names the setting', async () => {
  using folder = tempFolder();
  const settings = { ...(await clusterSettings()), LARDER_DATA_DIR: folder.path };
  const config = readConfig({ ...settings, LARDER_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
  await expect(planUpgrade(config)).rejects.toThrow(
    /PostgreSQL database cannot be used: .*LARDER_DATABASE_URL/,
  );
});
