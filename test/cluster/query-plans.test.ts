import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { clusterSettings } from '../support/cluster-settings.ts';
import { type FilledTable, ROWS } from '../support/plans/filled.ts';
import { keptStatistics, pretendFilled } from '../support/plans/filled-statistics.ts';
import { wholeReads } from '../support/plans/query-plan.ts';
import {
  formatPlans,
  PLANNED_BY,
  planStatements,
  type StatementPlans,
} from '../support/plans/statement-plans.ts';
import { StoreCoverage } from '../support/plans/store-coverage.ts';

/** Tables that may be read whole, and why they stay small. */
const SMALL: Readonly<Partial<Record<FilledTable, string>>> = {
  signing_keys:
    'one is made every few weeks, and those that no token can be signed with any more are removed',
  catalogue_versions: 'the newest five are kept, and those that are still needed',
  catalogue_activations: 'a row for each time that somebody activates a catalogue',
};

/** The planner is made to believe in the rows; `npm run bench -- query-plans` really fills the tables and compares. */
describe.skipIf(inject('cluster') === undefined)('with 10 M diary entries and 1 M scans', () => {
  let client: pg.Client;
  let planned: StatementPlans[];
  let missed: string[];
  beforeAll(async () => {
    const coverage = new StoreCoverage();
    await coverage.start();
    const { recordStores } = await import('../support/plans/exercise-stores.ts');
    const settings = await clusterSettings();
    const sent = await recordStores(settings);
    missed = await coverage.stop();
    client = new pg.Client(settings['LARDER_DATABASE_URL']);
    await client.connect();
    await pretendFilled(client, keptStatistics());
    planned = await planStatements(client, sent);
  });
  afterAll(() => client.end());

  test.each(Object.entries(ROWS))('the planner sees all rows of %s', async (table, rows) => {
    const { rows: answer } = await client.query(`explain (format json) select from ${table}`);
    const estimate = answer[0]['QUERY PLAN'][0].Plan['Plan Rows'];
    expect(Math.abs(estimate - rows) / rows).toBeLessThan(0.01);
  });

  test('every table is among those that were filled', async () => {
    const { rows } = await client.query<{ table: string }>(
      `select relname as table from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
         and relname not like 'kysely_%' order by relname`,
    );
    expect(rows.map(({ table }) => table)).toEqual(Object.keys(ROWS).sort());
  });

  test('every statement of every store was sent', () => {
    expect(missed).toEqual([]);
  });

  test('no statement reads a table from one end to the other', async () => {
    const { rows } = await client.query<{ name: string }>(
      'select indexrelid::regclass::text as name from pg_index where indpred is not null',
    );
    const partial = new Set(rows.map(({ name }) => name));
    const whole = planned.flatMap(({ statement: { text }, plans }) =>
      plans
        .flatMap(({ plan }) => [...wholeReads(plan, partial)])
        .filter(({ 'Relation Name': table = '' }) => !(table in SMALL))
        .map((node) => `${node['Index Name'] ?? node['Relation Name']}: ${text}`),
    );
    expect(whole).toEqual([]);
  });

  test('statements are carried out as they were when somebody last looked', async ({ skip }) => {
    const { rows } = await client.query('show server_version_num');
    const version = Math.floor(Number(rows[0].server_version_num) / 10_000);
    skip(version !== PLANNED_BY, `the plans are those of PostgreSQL ${PLANNED_BY}; this is ${version}`);
    await expect(formatPlans(planned)).toMatchFileSnapshot('./query-plans.txt');
  });
});
