import { KEPT_DELETIONS_MS } from '../writer.ts';
import {
  AMOUNT_COLUMNS,
  BEGIN_EPOCH,
  createTables,
  FOOD_TRIGGERS,
  forDialect,
  KEYS_BY_CREATOR_INDEX,
  OWN_KEYS_INDEX,
  type SchemaDialect,
  TABLES,
} from './tables.ts';

// The one upgrade from the tables of version 0.1.0, which recorded its migrations in `kysely_migration`. It copies the tables
// that differ into new ones, so that an upgraded database equals a new one.

/** The last migration of version 0.1.0. */
export const LAST_MIGRATION_OF_0_1_0 = '0019-image-bytes';

/**
 * Amounts were whole thousandths, with the rest of rounding in a column beside each. That column, `basis` and
 * the further nutrients belonged to the version of the entry in `exact_version`, and are valid only if the
 * entry has this version.
 */
const AMOUNTS = ['calories', 'protein', 'carbs', 'fat', 'fiber', 'sodium'];
const FURTHER_NUTRIENTS = [
  'sugars',
  'added_sugars',
  'saturated_fat',
  'trans_fat',
  'cholesterol',
  'potassium',
  'calcium',
  'iron',
  'vitamin_d',
];
const ifExact = (column: string, otherwise = 'null') =>
  `case when exact_version = version then ${column} else ${otherwise} end`;

/** The columns whose content changes; all other columns of the new tables are copied. */
const CHANGED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  idempotent_requests: {},
  diary_entries: {
    ...Object.fromEntries(
      AMOUNTS.map((name) => [name, `${name} * 1000000 + ${ifExact(`${name}_rest`, '0')}`]),
    ),
    ...Object.fromEntries([...FURTHER_NUTRIENTS, 'basis'].map((name) => [name, ifExact(name)])),
  },
  live_foods: { food: 'coalesce(food, user_food)', version: 'revision' },
  scans: { user_id: "coalesce(user_id, '')" },
};
const COPIED = Object.keys(CHANGED);

/** Tables of version 0.1.0 that get columns alone. */
const EXTENDED = ['api_keys', 'signing_keys', 'diary_recipes', 'diary_goals', 'live_food_usage'];
const NEW_TABLES = Object.keys(TABLES).filter((table) => ![...COPIED, ...EXTENDED].includes(table));

/** Revisions of foods were numbered for all tenants together, and continue as numbers of each tenant. */
const LOG_FOODS: readonly string[] = [
  "insert into change_heads select tenant_id, '', 0, max(revision) from live_foods group by tenant_id",
  `insert into changes (tenant_id, user_id, kind, id, seq, deleted)
    select tenant_id, '', 'food', id, revision, case when food is null then 1 else 0 end from live_foods`,
  'delete from live_foods where food is null',
];

const beginFeeds = (nowMs: string): readonly string[] => [
  // Every user with a diary needs a head: a feed without one is empty.
  `insert into change_heads
    select tenant_id, user_id, ${nowMs} * 1000, ${nowMs} * 1000 from (${['entries', 'recipes', 'goals']
      .map((name) => `select tenant_id, user_id from diary_${name}`)
      .join(' union ')}) as users where true
    on conflict (tenant_id, user_id) do nothing`,
  `update changes set forget_after_ms = ${nowMs} + ${KEPT_DELETIONS_MS} where deleted = 1`,
  // The owners of deleted foods are unknown, and no reader has seen them.
  `update changes set seen_by = case when deleted = 1 then '' else
      (select food.user_id from live_foods as food where food.tenant_id = changes.tenant_id and food.id = changes.id) end
    where user_id = ''`,
];

/** Begins the feeds with data from before feeds existed. */
const BEGIN_FEEDS: Readonly<Record<SchemaDialect, readonly string[]>> = {
  sqlite: beginFeeds("cast(unixepoch('subsec') * 1000 as integer)"),
  postgres: beginFeeds('(extract(epoch from clock_timestamp()) * 1000)::bigint'),
};

/** Columns of nutrients that version 0.1.0 does not know. */
const NEW_NUTRIENTS = AMOUNT_COLUMNS.filter((name) => !(name in CHANGED['diary_entries']!));

/** The indexes of the copied tables, whose names the new tables need. */
const INDEXES = COPIED.flatMap((table) => indexesOf(table)).concat('scans_by_user');

export function upgradeFrom010(dialect: SchemaDialect): string[] {
  return [
    ...(dialect === 'sqlite'
      ? ['live_food_added', 'live_food_changed', 'live_food_removed'].map((name) => `drop trigger ${name}`)
      : COPIED.map((table) => `alter table ${table} drop constraint ${table}_pkey`)),
    ...INDEXES.map((name) => `drop index if exists ${name}`),
    ...COPIED.map((table) => `alter table ${table} rename to old_${table}`),
    ...createTables(
      dialect,
      Object.fromEntries([...COPIED, ...NEW_TABLES].map((table) => [table, TABLES[table]!])),
    ),
    ...COPIED.map(copy),
    ...COPIED.map((table) => `drop table old_${table}`),
    ...LOG_FOODS,
    BEGIN_EPOCH[dialect],
    ...BEGIN_FEEDS[dialect],
    ...FOOD_TRIGGERS[dialect],
    ...NEW_NUTRIENTS.map((name) => forDialect(dialect, `alter table diary_goals add column ${name} bigint`)),
    ...['weekdays', 'further'].map((name) => `alter table diary_goals add column ${name} text`),
    // Goals were written without a version; the next write of the user then begins one.
    'insert into diary_goal_versions (tenant_id, user_id, version) select distinct tenant_id, user_id, 1 from diary_goals',
    ...['used_at bigint', 'user_id text collate "C"', 'created_by text collate "C"'].map((column) =>
      forDialect(dialect, `alter table api_keys add column ${column}`),
    ),
    `create ${OWN_KEYS_INDEX}`,
    `create ${KEYS_BY_CREATOR_INDEX}`,
    // Keys of tenants that write diaries keep the right to erase users, which has become a scope of its own.
    `update api_keys set scopes = scopes || ' diary:erase'
      where user_id is null and ' ' || scopes || ' ' like '% diary:write %'`,
    ...(dialect === 'postgres' ? ['drop function scan_of_nobody'] : []),
    'drop table kysely_migration',
    'drop table kysely_migration_lock',
  ];
}

function copy(table: string): string {
  const names = TABLES[table]!.columns.map((column) => column.slice(0, column.indexOf(' '))).filter(
    (name) =>
      ![
        ...NEW_NUTRIENTS,
        'unknown_amounts',
        'further',
        'credential',
        'diaries',
        'kind',
        'photo_vector',
      ].includes(name),
  );
  const values = names.map((name) => CHANGED[table]![name] ?? name);
  return `insert into ${table} (${names}) select ${values} from old_${table}`;
}

function indexesOf(table: string): string[] {
  const { indexes = [] } = TABLES[table]!;
  return indexes.map((text) => /index (\w+)/.exec(text)![1]!);
}
