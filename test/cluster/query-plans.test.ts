import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { patientSettings } from '../support/patient-settings.ts';
import { type FilledTable, ROWS } from '../support/plans/filled.ts';
import { keptStatistics, pretendFilled } from '../support/plans/filled-statistics.ts';
import { readsWithout, wholeReads } from '../support/plans/query-plan.ts';
import {
  formatPlans,
  PLANNED_BY,
  planStatements,
  type StatementPlans,
} from '../support/plans/statement-plans.ts';
import { StoreCoverage } from '../support/plans/store-coverage.ts';

/** Tables that may be scanned completely, with the reason why they stay small. */
const SMALL: Readonly<Partial<Record<FilledTable, string>>> = {
  feed_epochs: 'it has one row',
  signing_keys:
    'one is made every few weeks, and those that no token can be signed with any more are removed',
  people: 'they are the members of one household',
  join_links: 'they are used once, or end after a week',
  identities: 'they belong to the members of one household',
  passkeys: 'they belong to the members of one household',
  recovery_codes: 'they belong to the members of one household',
  sharing: 'it belongs to the members of one household',
  departures: 'they end with the erasure of a user',
  catalogue_versions: 'the newest five are kept, and those that are still needed',
  security_events: 'the newest 10,000 are kept',
  catalogue_imports: 'the newest twenty are kept',
  catalogue_activations: 'a row for each time that somebody activates a catalogue',
};

/** Tables that can be sharded by tenant, by user, or by both. */
const SPREAD_BY = ['tenant_id', 'user_id'];
const SPREAD = new Set<FilledTable>([
  'change_heads',
  'changes',
  'diary_entries',
  'diary_goal_versions',
  'diary_goals',
  'diary_measurements',
  'diary_recipes',
  'diary_records',
  'idempotent_requests',
  'remembered_photos',
  'scans',
]);

/** Tables that every machine must have completely. */
const WHOLE: Readonly<Partial<Record<FilledTable, string>>> = {
  ...SMALL,
  api_keys: 'whose a key is, is what is looked up; nodes remember that for half a second',
  sessions: 'whose a session is, is what is looked up; nodes remember that for half a second',
  live_foods: 'those of a tenant are read at once, whichever user they belong to',
  live_food_usage: 'it is kept beside them',
  webhooks: 'a tenant has a few, which each of its writes looks for',
  webhook_deliveries: 'they are one queue, which all workers take from',
};

/** Statements that cannot name both, by method and table, with the reason. */
const LACKING: Readonly<Record<string, { readonly lacks: readonly string[]; readonly since: string }>> = {
  'diary.eraseUser idempotent_requests': {
    lacks: ['user_id'],
    since: 'answers about a user are kept under the name of whoever asked, such as a key of the tenant',
  },
  'idempotencyStore.removeForgotten idempotent_requests': {
    lacks: SPREAD_BY,
    since: 'it cleans up for everybody',
  },
  'deletionSweeper.sweep changes': { lacks: SPREAD_BY, since: 'it sweeps for everybody' },
  'tenants.exists change_heads': { lacks: ['user_id'], since: 'any user makes the tenant exist' },
  'tenants.users change_heads': { lacks: ['user_id'], since: 'it lists the users of a tenant' },
  'scans.find scans': { lacks: ['user_id'], since: 'a key may see the scans of all users of its tenant' },
  'scans.findByIds scans': {
    lacks: SPREAD_BY,
    since: 'objects, events of their store and tickets of streams name a scan by its id alone',
  },
  'scans.create scans': { lacks: ['user_id'], since: 'the unfinished scans of a tenant are counted' },
  'scans.arrive scans': { lacks: ['user_id'], since: 'a turn follows those of all owners' },
  'scans.claim scans': { lacks: ['user_id'], since: 'workers take whose turn it is' },
  'scans.remove scans': { lacks: ['user_id'], since: 'the turn of its tenant goes to another scan' },
  'scans.depth scans': { lacks: SPREAD_BY, since: 'the queue is one' },
  'scanOverview.queue scans': { lacks: SPREAD_BY, since: 'an operator sees the queue of all tenants' },
  'scanOverview.storedImageBytes scans': {
    lacks: SPREAD_BY,
    since: 'an operator sees what all tenants store',
  },
  'scans.failAbandoned scans': { lacks: SPREAD_BY, since: 'it sweeps for everybody' },
  'scans.pendingUploads scans': { lacks: SPREAD_BY, since: 'it sweeps for everybody' },
  'scans.removeSettledBefore scans': { lacks: SPREAD_BY, since: 'it sweeps for everybody' },
  'scans.withImageSettledBefore scans': { lacks: SPREAD_BY, since: 'it sweeps for everybody' },
};

/** The planner only gets the statistics of these rows; `npm run bench -- query-plans` fills the tables and compares. */
describe.skipIf(inject('cluster') === undefined)('with 10 M diary entries and 1 M scans', () => {
  let client: pg.Client;
  let planned: StatementPlans[];
  let missed: string[];
  beforeAll(async () => {
    const coverage = new StoreCoverage();
    await coverage.start();
    const { recordStores } = await import('../support/plans/exercise-stores.ts');
    const settings = await patientSettings();
    const sent = await recordStores(settings);
    missed = await coverage.stop();
    client = new pg.Client(settings['LARDER_DATABASE_URL']);
    await client.connect();
    await pretendFilled(client, keptStatistics());
    planned = await planStatements(client, sent);
  });
  afterAll(() => client.end());

  test.each(Object.entries(ROWS))('the planner has statistics for all rows of %s', async (table, rows) => {
    const { rows: answer } = await client.query(`explain (format json) select from ${table}`);
    const estimate = answer[0]['QUERY PLAN'][0].Plan['Plan Rows'];
    expect(Math.abs(estimate - rows) / rows).toBeLessThan(0.01);
  });

  test('every table was filled', async () => {
    const { rows } = await client.query<{ table: string }>(
      `select relname as table from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
         and relname <> 'schema_version' order by relname`,
    );
    expect(rows.map(({ table }) => table)).toEqual(Object.keys(ROWS).sort());
  });

  test('every statement of every store was sent', () => {
    expect(missed).toEqual([]);
  });

  test('no statement scans a whole table', async () => {
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

  test('the plans of all statements equal the recorded plans', async ({ skip }) => {
    const { rows } = await client.query('show server_version_num');
    const version = Math.floor(Number(rows[0].server_version_num) / 10_000);
    skip(version !== PLANNED_BY, `the plans are those of PostgreSQL ${PLANNED_BY}; this is ${version}`);
    await expect(formatPlans(planned)).toMatchFileSnapshot('./query-plans.txt');
  });

  test('every table can be sharded by tenant and user, or states why not', () => {
    expect([...SPREAD, ...Object.keys(WHOLE)].sort()).toEqual(Object.keys(ROWS).sort());
  });

  test.each([...SPREAD])('every row of %s has tenant and user in every unique key', async (table) => {
    const { rows: columns } = await client.query<{ name: string }>(
      `select attname as name from pg_attribute where attrelid = $1::regclass and attnotnull and attname = any($2)`,
      [table, SPREAD_BY],
    );
    expect(columns.map(({ name }) => name).sort()).toEqual(SPREAD_BY);
    const { rows: keys } = await client.query<{ columns: string[] }>(
      `select array(
         select attname::text from pg_attribute where attrelid = indrelid and attnum = any(indkey)
       ) as columns from pg_index where indrelid = $1::regclass and indisunique`,
      [table],
    );
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys) expect(key.columns).toEqual(expect.arrayContaining(SPREAD_BY));
  });

  test('every statement names tenant and user, except for listed ones', () => {
    const lacking = planned.flatMap(({ by, plans }) =>
      plans.flatMap(({ plan }) =>
        [...readsWithout(plan, SPREAD, SPREAD_BY)].flatMap(({ table, lacks }) =>
          by.map((method) => [`${method} ${table}`, lacks] as const),
        ),
      ),
    );
    const known = Object.entries(LACKING).map(([name, { lacks }]) => [name, lacks] as const);
    expect(Object.fromEntries(lacking)).toEqual(Object.fromEntries(known));
  });
});
