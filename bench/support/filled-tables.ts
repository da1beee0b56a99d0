import type pg from 'pg';
import { FILLED_AT_MS, type FilledTable, ROWS } from '../../test/support/plans/filled.ts';

/** Rows that one statement inserts. */
const AT_ONCE = 1_000_000;
const DAY_MS = 24 * 60 * 60_000;
const YEARS_OF_ENTRIES = 3;
const USERS = 20_000;
/** One in this many deliveries is pending. */
const DELIVERIES_OF_QUEUED = 50;
const TENANTS = 500;

/** Numbers of scans that wait for their image, of active or queued scans, and of scans whose image is kept. */
const AWAITING_UPLOAD = 200;
const IN_PROCESSING = 300;
const WITH_IMAGE = 2_700;

/** Microseconds at which logs start. */
const FIRST_CHANGE = FILLED_AT_MS * 1_000;

/** A uniform number in [0, 1), equal in each run. */
const chance = (seed: number) => `((hashint8extended(i, ${seed}) & 1048575) / 1048576.0::float8)`;
/** A few users write much, most users little; a few tenants have most users. */
const user = `floor(${USERS} * power(${chance(1)}, 1.5))::int`;
const tenantOf = (number: string) =>
  `'tenant-' || floor(${TENANTS} * power((${number} * 7919 % ${USERS}) / ${USERS}::float8, 4))::int`;
const anyTenant = `'tenant-' || floor(${TENANTS} * power(${chance(1)}, 4))::int`;
/** Times up to `FILLED_AT_MS`, in the order of the rows. */
const momentMs = (table: FilledTable, days: number) =>
  `(${FILLED_AT_MS} - (${ROWS[table]} - i) * ${days * DAY_MS}::float8 / ${ROWS[table]})::bigint`;
const BASE_32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const BASE_62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const digits = (number: string, alphabet: string, count: number) =>
  Array.from(
    { length: count },
    (_, at) =>
      `substr('${alphabet}', 1 + (${number} / ${alphabet.length ** (count - 1 - at)} % ${alphabet.length})::int, 1)`,
  ).join(' || ');
/** An id in the form of `createIds`. */
const idOf = (ms: string) => `${digits(ms, BASE_32, 10)} || '0000' || upper(substr(md5(i::text), 1, 12))`;
/** A key in the form of `createKeyText`. */
const keyIdOf = (ms: string) => `${digits(`(${ms} / 1000)`, BASE_62, 6)} || substr(md5(i::text), 1, 6)`;
const lorem = (characters: number) => `repeat('x', ${characters})`;
const rows = (columns: string) =>
  `(select i, ${columns} from generate_series($1::bigint, $2::bigint) as i) as row`;

/** Each inserts the rows with the numbers $1 to $2. */
const INSERTS: Readonly<Record<FilledTable, string>> = {
  diary_entries: `insert into diary_entries
    select ${tenantOf('u')}, 'user-' || u, to_char(to_timestamp(ms / 1000.0), 'YYYY-MM-DD'), ${idOf('ms')}, 1,
      (array['breakfast', 'lunch', 'dinner', 'snack'])[1 + i % 4], 'Food number ' || ${chance(2)} * 5000,
      1000000 * (${chance(3)} * 900000)::bigint, 1000000 * (${chance(4)} * 40000)::bigint,
      1000000 * (${chance(5)} * 90000)::bigint, 1000000 * (${chance(6)} * 40000)::bigint,
      case when i % 2 = 0 then 3000000000 end, null, 'search',
      'off-' || lpad((${chance(7)} * 500000)::int::text, 13, '0'), null, null, 100, 'g', ms / 1000, ms / 1000, null, null,
      case when i % 20 = 0 then 'Eaten late' end
    from ${rows(`${user} as u, ${momentMs('diary_entries', YEARS_OF_ENTRIES * 365)} as ms`)}`,

  changes: `insert into changes
    select ${tenantOf('u')}, 'user-' || u, 'entry', ${idOf('ms')}, ${FIRST_CHANGE} + i, (i % 20 = 0)::int,
      case when i % 20 = 0 then ms + 7776000000 end, null, case when i % 10 = 1 then ms end
    from ${rows(`${user} as u, ${momentMs('changes', YEARS_OF_ENTRIES * 365)} as ms`)}`,

  // Migrations have already added the only row.
  feed_epochs: 'delete from feed_epochs where $1::int > $2::int',

  change_heads: `insert into change_heads
    select ${tenantOf('u')}, 'user-' || u, ${FIRST_CHANGE}, ${FIRST_CHANGE + ROWS.changes}
    from ${rows('i - 1 as u')}`,

  scans: `insert into scans
    select ${tenantOf('u')}, lower(${idOf('ms')}), case when i % 5 > 0 then 'user-' || u else '' end, 'phone-' || u,
      'image/jpeg', 'photo', status, ms, ms + 900000, settled_at,
      case when status = 'completed' then '{"items":"${'x'.repeat(500)}"}' end,
      case when status = 'failed' then '{"code":"no_food_detected","message":"Nothing.","retryable":false}' end,
      case when status = 'processing' then ms end, 0, case when settled_at is null then 0 else 1 end,
      case when settled_at is null then 0 else 1 end,
      case when i > ${ROWS.scans - WITH_IMAGE - IN_PROCESSING - AWAITING_UPLOAD} then 1 else 0 end,
      case when status = 'processing' then i % 40 else 0 end, case when status = 'processing' then i % 10 else 0 end,
      100000
    from (select *, case when status in ('completed', 'failed') then ms + 5000 end as settled_at
      from (select *, case
          when i > ${ROWS.scans - AWAITING_UPLOAD} then 'upload_pending'
          when i > ${ROWS.scans - AWAITING_UPLOAD - IN_PROCESSING} then 'processing'
          when i % 10 = 0 then 'failed' else 'completed' end as status
        from ${rows(`${user} as u, ${momentMs('scans', 365)} as ms`)}) as staged) as settled`,

  idempotent_requests: `insert into idempotent_requests
    select ${tenantOf('u')}, case when i % 5 > 0 then 'user-' || u else '' end, md5(i::text),
      sha256(i::text::bytea), md5('claim' || i), ms, ms + 30000, 201, '{"location":"/v1/…"}', ${lorem(200)},
      'user-' || u, 1
    from ${rows(`${user} as u, ${momentMs('idempotent_requests', 1)} as ms`)}`,

  diary_recipes: `insert into diary_recipes
    select ${tenantOf('u')}, 'user-' || u, ${idOf('ms')}, 1, 'Recipe ' || i, 4, ${lorem(300)}, ms / 1000, ms / 1000
    from ${rows(`${user} as u, ${momentMs('diary_recipes', 365)} as ms`)}`,

  diary_measurements: `insert into diary_measurements
    select ${tenantOf('u')}, 'user-' || u, ${idOf('ms')}, 1, (array['weight', 'waist', 'body fat'])[1 + i % 3],
      50 + ${chance(2)} * 50, 'kg', to_char(to_timestamp(ms / 1000.0), 'YYYY-MM-DD'), ms,
      to_char(to_timestamp(ms / 1000.0), 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), ms, ms
    from ${rows(`${user} as u, ${momentMs('diary_measurements', 365)} as ms`)}`,

  diary_records: `insert into diary_records
    select ${tenantOf('u')}, 'user-' || u, kind, case kind
        when 'day' then (date '2026-11-21' - number)::text when 'settings' then kind else ${idOf('ms')} end,
      1, '{"note":"' || ${lorem(100)} || '"}', ms, ms
    from (select *, case when number < 17 then 'day' when number < 21 then 'favourite' when number < 24 then 'meal'
        else 'settings' end as kind
      from ${rows(`((i - 1) % ${USERS})::int as u, ((i - 1) / ${USERS})::int as number, ${momentMs('diary_records', 365)} as ms`)}
    ) as of_kind`,

  remembered_photos: `insert into remembered_photos
    select ${tenantOf('u')}, 'user-' || u, ${idOf('ms')}, 'manual:' || i % 100, to_char(to_timestamp(ms / 1000.0), 'YYYY-MM-DD'),
      'dish-mobilenet 2026-11-23', decode(repeat('5a', 128), 'hex')
    from ${rows(`${user} as u, ${momentMs('remembered_photos', 365)} as ms`)}`,

  diary_goals: `insert into diary_goals
    select ${tenantOf('u')}, 'user-' || u, (date '2025-01-01' + (i / ${USERS})::int * 30)::text, 2000000, 80000,
      null, null, null, null
    from ${rows(`(i % ${USERS})::int as u`)}`,

  diary_goal_versions: `insert into diary_goal_versions
    select ${tenantOf('u')}, 'user-' || u, 5 from ${rows('i::int as u')}`,

  live_foods: `insert into live_foods
    select ${anyTenant}, 'manual:' || ${idOf('ms')}, i,
      ${lorem(400)}, 3 + i % 40,
      case when i % 25 in (2, 7) then 'user-' || u end, 1
    from ${rows(`${user} as u, ${momentMs('live_foods', 365)} as ms`)}`,

  live_food_usage: `insert into live_food_usage
    select 'tenant-' || i - 1, foods, 20 * foods from ${rows('400 as foods')}`,

  api_keys: `insert into api_keys
    select ${keyIdOf('ms')}, ${anyTenant}, 'Key',
      sha256(i::text::bytea), 'foods:read diary:read', null, ms / 1000, null, case when i % 4 = 0 then ms / 1000 end,
      null, case when i % 10 = 1 then 'user-' || i % 1000 end, case when i % 2 = 0 then 'person:person-' || i % ${ROWS.people} end
    from ${rows(`${momentMs('api_keys', 365)} as ms`)}`,

  people: `insert into people
    select 'default', ${idOf('ms')}, 'Person ' || i, 'person ' || i, ${lorem(100)}, 'member', ms
    from ${rows(`${momentMs('people', 365)} as ms`)}`,

  sessions: `insert into sessions
    select md5(i::text), 'default', 'person-' || i % ${ROWS.people}, ${idOf('ms')}, ms, ms, ms + 90 * ${DAY_MS}::bigint,
      'Firefox on Linux', null, case when i % 10 = 0 then 'identity-' || i % ${ROWS.people} end
    from ${rows(`${momentMs('sessions', 90)} as ms`)}`,

  join_links: `insert into join_links
    select md5(i::text), 'default', 'member', ms, ${idOf('ms')}, 'person:person-' || i % 10
    from ${rows(`${momentMs('join_links', 7)} as ms`)}`,

  identities: `insert into identities
    select 'default', 'https://login.example.org', md5(i::text), ${idOf('ms')}, 'person-' || i, ms
    from ${rows(`${momentMs('identities', 365)} as ms`)}`,

  passkeys: `insert into passkeys
    select 'default', md5(i::text), ${idOf('ms')}, 'person-' || i % ${ROWS.people}, 'Phone', 'food.example.org', ${lorem(103)}, 0,
      'internal', ms, ms, ms
    from ${rows(`${momentMs('passkeys', 365)} as ms`)}`,

  recovery_codes: `insert into recovery_codes
    select 'default', 'person-' || i % ${ROWS.people}, md5(i::text) from ${rows('0 as zero')}`,

  sharing: `insert into sharing
    select 'default', 'person-' || i % ${ROWS.people}, 'person-' || i / ${ROWS.people}, 'read' from ${rows('0 as zero')}`,

  departures: `insert into departures
    select 'default', ${idOf('ms')}, ms from ${rows(`${momentMs('departures', 1)} as ms`)}`,

  webhooks: `insert into webhooks
    select 'tenant-' || i % ${TENANTS}, 'hook-' || lpad(i::text, 6, '0'), 'https://app.example.com/hooks',
      'scan.completed scan.failed diary.changed', '', ${lorem(50)}, null, null, 'https://larder.example.com', ms,
      (i % 10 <> 0)::int, null, null, null, null,
      case when i % 10 > 0 then 'person:person-' || i % ${ROWS.people} end
    from ${rows(`${momentMs('webhooks', 365)} as ms`)}`,

  webhook_deliveries: `insert into webhook_deliveries
    select 'tenant-' || h % ${TENANTS}, 'hook-' || lpad(h::text, 6, '0'),
      lpad(to_hex(ms), 12, '0') || substr(md5(i::text), 1, 20), 'diary.changed', 'user-' || u, '', ms, ms,
      case when waits then ms end, 0, 1, 1,
      case when not waits then 'succeeded' end, case when not waits then ms end, case when not waits then 204 end,
      case when not waits then 'thanks' end, case when not waits then ms + ${DAY_MS} end
    from ${rows(`${user} as u, ${momentMs('webhook_deliveries', 1)} as ms, 1 + floor(1000 * power(${chance(2)}, 4))::int as h,
      i % ${DELIVERIES_OF_QUEUED} = 0 as waits`)}`,

  catalogue_activations: `insert into catalogue_activations
    select i, 'catalogue-' || i, i - 1, ms from ${rows(`${momentMs('catalogue_activations', 365)} as ms`)}`,

  catalogue_versions: `insert into catalogue_versions
    select 'catalogue-' || i + 293, ms, ms, 1, 4000000, 743000000, ${4 << 20}, array_fill(md5('part'), array[177])
    from ${rows(`${momentMs('catalogue_versions', 7)} as ms`)}`,

  catalogue_imports: `insert into catalogue_imports
    select ${idOf('ms')}, 'off', 'completed', null, null, ms, ms, ms + 3600000, '{}', '{}', null
    from ${rows(`${momentMs('catalogue_imports', 365)} as ms`)}`,

  security_events: `insert into security_events
    select ${idOf('ms')}, ms, 'sign_in', 'ok', '192.0.2.' || i % 250, 'person:person-' || i % ${ROWS.people}, null, md5(i::text), i % 2
    from ${rows(`${momentMs('security_events', 90)} as ms`)}`,

  signing_keys: `insert into signing_keys
    select 'key-' || i, ms / 1000, '{"kty":"EC"}' from ${rows(`${momentMs('signing_keys', 90)} as ms`)}`,
};

/** Fills all tables of an empty, migrated database and runs ANALYZE. */
export async function fillTables(
  client: pg.Client,
  onStep: (words: string) => void,
  tables = Object.keys(ROWS) as readonly FilledTable[],
): Promise<void> {
  for (const table of tables) {
    const count = ROWS[table];
    const restoreIndexes = await dropIndexes(client, table);
    await client.query(`alter table ${table} disable trigger user`);
    for (let first = 1; first <= count; first += AT_ONCE) {
      await client.query(INSERTS[table], [first, Math.min(first + AT_ONCE - 1, count)]);
    }
    await client.query(`alter table ${table} enable trigger user`);
    await restoreIndexes();
    onStep(`${table}: ${count} rows`);
  }
  await client.query('vacuum (analyze)');
  onStep('vacuumed and analysed');
}

/** Without indexes, inserts are many times faster. */
async function dropIndexes(client: pg.Client, table: string): Promise<() => Promise<void>> {
  const { rows: constraints } = await client.query<{ name: string; definition: string }>(
    `select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
     where conrelid = $1::regclass and contype in ('p', 'u')`,
    [table],
  );
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid = $1::regclass and not exists (select from pg_constraint where conindid = indexrelid)`,
    [table],
  );
  for (const { name } of constraints) await client.query(`alter table ${table} drop constraint ${name}`);
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  return async () => {
    for (const { name, definition } of constraints)
      await client.query(`alter table ${table} add constraint ${name} ${definition}`);
    for (const { definition } of indexes) await client.query(definition);
  };
}
