import { FIELD_NUTRIENTS, NUTRIENT_KEYS } from '@larder/core/nutrients.ts';
import { columnOf } from '../dialect.ts';
import { PEOPLE_TABLES } from './people-tables.ts';
import { PHOTO_TABLES } from './photo-tables.ts';

export type SchemaDialect = 'sqlite' | 'postgres';
export function forDialect(dialect: SchemaDialect, text: string): string {
  if (dialect === 'postgres') return text;
  return text
    .replaceAll(' collate "C"', '')
    .replaceAll('bigint', 'integer')
    .replaceAll('double precision', 'real')
    .replaceAll('bytea', 'blob');
}
/** A table and its indexes, in the SQL of PostgreSQL; `forDialect` translates them. */
interface Table {
  readonly columns: readonly string[];
  readonly key: string;
  /** These rows are too long for SQLite to store them in the index of the key. */
  readonly isLong?: boolean;
  readonly indexes?: readonly string[];
}
/** Ids and days are compared by byte, as SQLite does, whatever the database's language. */
const ID = 'text collate "C" not null';
const OWNER = ['tenant_id text not null', 'user_id text not null'];
/** Nutrients whose diary columns have their own names and precede the others. */
const MAIN_NUTRIENTS: readonly string[] = Object.values(FIELD_NUTRIENTS);
const MAIN_AMOUNTS = Object.keys(FIELD_NUTRIENTS);
const REQUIRED_AMOUNTS = ['calories', 'protein', 'carbs', 'fat'];
const OTHER_AMOUNTS = NUTRIENT_KEYS.filter((key) => !MAIN_NUTRIENTS.includes(key)).map(columnOf);
export const AMOUNT_COLUMNS = [...MAIN_AMOUNTS, ...OTHER_AMOUNTS];

const amounts = (names: readonly string[], required: readonly string[] = []) =>
  names.map((name) => `${name} bigint${required.includes(name) ? ' not null' : ''}`);

export const OWN_KEYS_INDEX =
  'index api_keys_by_user on api_keys (tenant_id, user_id, id) where user_id is not null';

export const KEYS_BY_CREATOR_INDEX =
  'index api_keys_by_creator on api_keys (created_by) where created_by is not null';

/** All tables that both databases have. */
export const TABLES: Readonly<Record<string, Table>> = {
  api_keys: {
    columns: [
      `id ${ID}`,
      'tenant_id text not null',
      'name text',
      'secret_hash bytea not null',
      'scopes text not null',
      'limits text',
      'created_at bigint not null',
      'expires_at bigint',
      'revoked_at bigint',
      'used_at bigint',
      // The person whose key it is.
      'user_id text collate "C"',
      // The caller who created the key and got its text, as `Creator`; null for older keys.
      'created_by text collate "C"',
    ],
    key: 'id',
    indexes: [
      'index api_keys_by_tenant on api_keys (tenant_id, id)',
      // Counts the live keys of a tenant; `SqlKeyStore` has the same expression.
      'index api_keys_by_end on api_keys (tenant_id, coalesce(revoked_at, expires_at, 9007199254740991))',
      OWN_KEYS_INDEX,
      KEYS_BY_CREATOR_INDEX,
    ],
  },
  ...PEOPLE_TABLES,
  /** The latest security events; see `SecurityEventStore`. */
  security_events: {
    columns: [
      `id ${ID}`,
      'at_ms bigint not null',
      'event text not null',
      'result text not null',
      'address text not null',
      'who text',
      'code text',
      'request_id text not null',
      'is_ok integer not null',
    ],
    key: 'id',
    indexes: ['index security_events_by_outcome on security_events (is_ok, id)'],
  },
  signing_keys: {
    columns: [`kid ${ID}`, 'created_at bigint not null', 'private_jwk text not null'],
    key: 'kid',
  },
  /** `status`, `headers` and `body` are null until the request is answered. */
  idempotent_requests: {
    columns: [
      ...OWNER,
      'idempotency_key text not null',
      'fingerprint bytea not null',
      'claim_id text not null',
      'claimed_at_ms bigint not null',
      'claimed_until_ms bigint not null',
      'status integer',
      'headers text',
      'body text',
      'subject_user_id text not null',
      'attempt integer not null',
    ],
    key: 'tenant_id, user_id, idempotency_key',
    isLong: true,
    indexes: [
      'index idempotent_requests_by_age on idempotent_requests (claimed_at_ms)',
      'index idempotent_requests_by_subject on idempotent_requests (tenant_id, subject_user_id)',
    ],
  },
  /** Times are Unix milliseconds; `progress` and `report` are JSON. */
  catalogue_imports: {
    columns: [
      `id ${ID}`,
      'source text not null',
      'state text not null',
      'file_name text',
      'file_bytes bigint',
      'created_at_ms bigint not null',
      // The process that works on the import updates it regularly; an old value means that the import was
      // interrupted.
      'alive_until_ms bigint not null',
      'finished_at_ms bigint',
      'progress text not null',
      'report text',
      'error text',
      // The part of the source to import, as JSON; null for all of it.
      'slice text',
      // Other choices of the operator, and how a table is read, as JSON; null for none, and for what is not a preview.
      'choices text',
      'preview text',
    ],
    key: 'id',
    indexes: [
      'index catalogue_imports_under_way on catalogue_imports (alive_until_ms) where finished_at_ms is null',
    ],
  },
  /** Rows of a day are adjacent, in the order of lists. Amounts are whole billionths of their unit; `further` has others by name. */
  diary_entries: {
    columns: [
      ...OWNER,
      `date ${ID}`,
      `id ${ID}`,
      'version integer not null',
      'meal_type text not null',
      'food_name text not null',
      ...amounts(MAIN_AMOUNTS, REQUIRED_AMOUNTS),
      'added_method text not null',
      'food_id text',
      'barcode text',
      'recipe_id text',
      'quantity double precision',
      'unit text',
      'created_at bigint not null',
      'updated_at bigint not null',
      'basis text',
      'eaten_at text',
      'note text',
      ...amounts(OTHER_AMOUNTS),
      // A bit for each required amount that is unknown and therefore 0.
      'unknown_amounts bigint',
      'further text',
    ],
    key: 'tenant_id, user_id, date, id',
    indexes: [
      'unique index diary_entries_by_id on diary_entries (tenant_id, user_id, id)',
      // Finds entries with notes, which few have.
      'index diary_entries_noted on diary_entries (tenant_id, user_id, date, id) where note is not null',
    ],
  },
  diary_recipes: {
    columns: [
      ...OWNER,
      `id ${ID}`,
      'version integer not null',
      'name text not null',
      'servings double precision not null',
      'ingredients text not null',
      'created_at bigint not null',
      'updated_at bigint not null',
      'yield_grams double precision',
    ],
    key: 'tenant_id, user_id, id',
  },
  /** `date` is the day of `time`, which has the stated offset; `at_ms` is the same time. */
  diary_measurements: {
    columns: [
      ...OWNER,
      `id ${ID}`,
      'version integer not null',
      `name ${ID}`,
      'value double precision not null',
      'unit text not null',
      `date ${ID}`,
      'at_ms bigint not null',
      'time text not null',
      'created_at bigint not null',
      'updated_at bigint not null',
    ],
    key: 'tenant_id, user_id, id',
    indexes: [
      'index diary_measurements_by_name on diary_measurements (tenant_id, user_id, name, date, at_ms, id)',
      'index diary_measurements_by_time on diary_measurements (tenant_id, user_id, date, at_ms, id)',
    ],
  },
  /** `body` is JSON: the fields of a record of this kind. */
  diary_records: {
    columns: [
      ...OWNER,
      `kind ${ID}`,
      `id ${ID}`,
      'version integer not null',
      'body text not null',
      'created_at bigint not null',
      'updated_at bigint not null',
    ],
    key: 'tenant_id, user_id, kind, id',
    isLong: true,
  },
  ...PHOTO_TABLES,
  /** Goals are whole thousandths. `weekdays` and `further` are JSON: the amounts of each weekday that has its own, and of other nutrients. */
  diary_goals: {
    columns: [...OWNER, `from_date ${ID}`, ...amounts(AMOUNT_COLUMNS), 'weekdays text', 'further text'],
    key: 'tenant_id, user_id, from_date',
  },
  /** The version of all goals of a user together, which each write of goals raises. */
  diary_goal_versions: { columns: [...OWNER, 'version integer not null'], key: 'tenant_id, user_id' },
  /**
   * The number of each owner's latest change, and the number after which its log starts. The lock of the row
   * makes numbers follow the order of commits. See `ChangeLog`.
   */
  change_heads: {
    columns: [...OWNER, 'start bigint not null', 'seq bigint not null'],
    key: 'tenant_id, user_id',
  },
  /**
   * A deletion without `forget_after_ms` is kept permanently. `seen_by` is null if all users of the owner see
   * the object, and '' if nobody needs to know of it. `chosen_at_ms` is the time at which an object with a
   * chosen id was added.
   */
  changes: {
    columns: [
      ...OWNER,
      'kind text not null',
      `id ${ID}`,
      'seq bigint not null',
      'deleted integer not null',
      'forget_after_ms bigint',
      'seen_by text',
      'chosen_at_ms bigint',
    ],
    key: 'tenant_id, user_id, kind, id',
    indexes: [
      'unique index changes_by_seq on changes (tenant_id, user_id, seq)',
      'index changes_to_forget on changes (forget_after_ms) where forget_after_ms is not null',
      'index changes_by_choice on changes (tenant_id, user_id, chosen_at_ms) where chosen_at_ms is not null',
      // Finds deletions that name the only user who saw the object.
      'index changes_by_viewer on changes (tenant_id, seen_by) where seen_by is not null',
    ],
  },
  /** One row: a text that every restored database replaces, because it reuses numbers of the log. */
  feed_epochs: { columns: [`epoch ${ID}`], key: 'epoch' },
  live_foods: {
    columns: [
      'tenant_id text collate "C" not null',
      `id ${ID}`,
      'revision bigint not null',
      'food text',
      'words integer not null default 0',
      'user_id text collate "C"',
      // The number of changes; the revision is a number of the log.
      'version bigint not null default 1',
    ],
    key: 'tenant_id, id',
    indexes: [
      "index live_foods_shared on live_foods (revision) where tenant_id = '*' and food is not null",
      'index live_foods_by_user on live_foods (tenant_id, user_id) where user_id is not null',
    ],
  },
  /** The foods of each tenant and their words, counted by triggers. */
  live_food_usage: {
    columns: ['tenant_id text collate "C" not null', 'foods bigint not null', 'words bigint not null'],
    key: 'tenant_id',
  },
  /** Partial indexes contain pending rows only, which are few. For those of turns see `scan-store.ts`. */
  scans: {
    columns: [
      'tenant_id text not null',
      'id text not null',
      'user_id text not null',
      'client_id text not null',
      'content_type text not null',
      'image_type text not null',
      'status text not null',
      'created_at_ms bigint not null',
      'upload_expires_at_ms bigint not null',
      'settled_at_ms bigint',
      'result text',
      'failure text',
      'due_at_ms bigint',
      'is_leased integer not null default 0',
      'attempts integer not null default 0',
      'fencing_token integer not null default 0',
      'has_image integer not null default 1',
      'tenant_turn bigint not null default 0',
      'user_turn bigint not null default 0',
      'image_bytes integer not null',
      // The credential that created the scan; see `credentialOf`. Its end ends the upload address and the stream ticket.
      'credential text',
      // The diaries that the analysis may read, and what the photo is of; see `NewScan`.
      'diaries text',
      'kind text',
      // The photo's vector as JSON (`PhotoVector`), remembered if its food is confirmed.
      'photo_vector text',
    ],
    key: 'tenant_id, user_id, id',
    isLong: true,
    indexes: [
      'index scans_by_id on scans (id)',
      "index scans_awaiting_upload on scans (created_at_ms) where status = 'upload_pending'",
      "index scans_to_work_on on scans (due_at_ms, id) where status = 'processing'",
      'index scans_with_old_image on scans (settled_at_ms) where has_image = 1 and settled_at_ms is not null',
      'index scans_settled on scans (settled_at_ms) where settled_at_ms is not null',
      'index scans_by_tenant_turn on scans (tenant_turn, due_at_ms, id) where due_at_ms is not null',
      'index scans_by_user_turn on scans (tenant_id, user_turn, due_at_ms, id) where due_at_ms is not null',
      'index scans_last_turn on scans (tenant_id, tenant_turn) where settled_at_ms is null',
      'index scans_unfinished on scans (tenant_id, user_id, user_turn) where settled_at_ms is null',
      'index scans_by_image_bytes on scans (tenant_id, image_bytes) where has_image = 1',
    ],
  },
  /**
   * Secrets are sealed, see `SealedSecrets`. `older_secrets` is JSON: those before the previous one that still sign. `events` are
   * separated by spaces. `user_id` is '' for all users.
   */
  webhooks: {
    columns: [
      'tenant_id text not null',
      `id ${ID}`,
      'url text not null',
      'events text not null',
      'user_id text not null',
      'secret text not null',
      'previous_secret text',
      'previous_until_ms bigint',
      'base_url text not null',
      'created_at_ms bigint not null',
      'is_enabled integer not null default 1',
      'disabled_at_ms bigint',
      'disabled_reason text',
      'failing_since_ms bigint',
      'older_secrets text',
      // Who knows the secret and chose the address; see `Creator`.
      'created_by text collate "C"',
    ],
    key: 'tenant_id, id',
    isLong: true,
    indexes: [
      'unique index webhooks_by_id on webhooks (id)',
      'index webhooks_by_creator on webhooks (created_by) where created_by is not null',
    ],
  },
  /**
   * `due_at_ms` is null after the delivery. A delivery that was never claimed also covers later changes; see
   * `DeliveryStore`.
   */
  webhook_deliveries: {
    columns: [
      'tenant_id text not null',
      `webhook_id ${ID}`,
      `id ${ID}`,
      'event text not null',
      'user_id text not null',
      'subject text not null',
      'created_at_ms bigint not null',
      'queued_at_ms bigint not null',
      'due_at_ms bigint',
      'is_leased integer not null default 0',
      'attempts integer not null default 0',
      'fencing_token integer not null default 0',
      'outcome text',
      'attempted_at_ms bigint',
      'response_status integer',
      'response text',
      'forget_after_ms bigint',
    ],
    key: 'webhook_id, id',
    isLong: true,
    indexes: [
      `unique index webhook_deliveries_unclaimed on webhook_deliveries (webhook_id, event, user_id, subject)
        where fencing_token = 0 and due_at_ms is not null`,
      'index webhook_deliveries_due on webhook_deliveries (webhook_id, due_at_ms, id) where due_at_ms is not null',
      'index webhook_deliveries_queued on webhook_deliveries (queued_at_ms) where due_at_ms is not null',
      'index webhook_deliveries_to_forget on webhook_deliveries (forget_after_ms) where forget_after_ms is not null',
      "index webhook_deliveries_by_user on webhook_deliveries (tenant_id, user_id) where user_id <> ''",
    ],
  },
};

/** The published catalogues of a cluster; `previous` is the activation that a roll-back restores. */
const CATALOGUES: readonly string[] = [
  `create table catalogue_versions (
    name text collate "C" primary key,
    published_at_ms bigint not null,
    compiled_at_ms bigint not null,
    format_version integer not null,
    foods bigint not null,
    bytes bigint not null,
    part_bytes integer not null,
    parts text[] not null
  )`,
  `create table catalogue_activations (
    number integer primary key,
    name text collate "C" not null,
    previous integer,
    activated_at_ms bigint not null
  )`,
];

/** The row of `feed_epochs`. */
export const BEGIN_EPOCH: Readonly<Record<SchemaDialect, string>> = {
  sqlite: 'insert into feed_epochs select lower(hex(randomblob(16)))',
  postgres: 'insert into feed_epochs select gen_random_uuid()::text',
};

/** Creates these tables with their indexes, without triggers. */
export function createTables(dialect: SchemaDialect, tables = TABLES): string[] {
  return Object.entries(tables).flatMap(([name, { columns, key, isLong = false, indexes = [] }]) => {
    const others = indexes.map((index) => `create ${index}`);
    const primaryKey = `primary key (${key})`;
    // PostgreSQL chooses the later one of two equally suitable indexes, which must be the key.
    if (dialect === 'postgres')
      return [`create table ${name} (${columns})`, ...others, `alter table ${name} add ${primaryKey}`];
    const end = isLong ? 'strict' : 'strict, without rowid';
    return [forDialect(dialect, `create table ${name} (${[...columns, primaryKey]}) ${end}`), ...others];
  });
}

/** Creates all tables in an empty database. */
export function createSchema(dialect: SchemaDialect): string[] {
  return [
    ...createTables(dialect),
    ...(dialect === 'postgres' ? CATALOGUES : []),
    ...FOOD_TRIGGERS[dialect],
    BEGIN_EPOCH[dialect],
  ];
}

/** Count the foods and words of each tenant; in PostgreSQL they also notify listening nodes of each write. */
export const FOOD_TRIGGERS: Readonly<Record<SchemaDialect, readonly string[]>> = {
  sqlite: [
    `create trigger live_food_added after insert on live_foods when new.food is not null begin
      insert into live_food_usage values (new.tenant_id, 1, new.words)
        on conflict (tenant_id) do update set foods = foods + 1, words = words + excluded.words;
    end`,
    `create trigger live_food_changed after update on live_foods begin
      update live_food_usage set
        foods = foods + (new.food is not null) - (old.food is not null),
        words = words + iif(new.food is null, 0, new.words) - iif(old.food is null, 0, old.words)
      where tenant_id = new.tenant_id;
    end`,
    `create trigger live_food_removed after delete on live_foods when old.food is not null begin
      update live_food_usage set foods = foods - 1, words = words - old.words where tenant_id = old.tenant_id;
    end`,
  ],
  postgres: [
    `create or replace function notify_live_food() returns trigger language plpgsql as $$
      begin
        perform pg_notify('larder_live_foods', coalesce(new.tenant_id, old.tenant_id));
        return null;
      end
    $$`,
    `create trigger live_food_changed after insert or update or delete on live_foods
      for each row execute function notify_live_food()`,
    `create or replace function count_live_food() returns trigger language plpgsql as $$
      declare
        food_change integer := 0;
        word_change integer := 0;
      begin
        if tg_op <> 'DELETE' and new.food is not null then
          food_change := 1;
          word_change := new.words;
        end if;
        if tg_op <> 'INSERT' and old.food is not null then
          food_change := food_change - 1;
          word_change := word_change - old.words;
        end if;
        if food_change <> 0 or word_change <> 0 then
          insert into live_food_usage as usage values (coalesce(new.tenant_id, old.tenant_id), food_change, word_change)
            on conflict (tenant_id) do update
              set foods = usage.foods + excluded.foods, words = usage.words + excluded.words;
        end if;
        return null;
      end
    $$`,
    `create trigger live_food_counted after insert or update or delete on live_foods
      for each row execute function count_live_food()`,
  ],
};
