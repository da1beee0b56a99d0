import { OperatorError } from '@larder/core/errors.ts';
import { NOTIFY_OF_FOODS } from './food-triggers.ts';
import { SLICE } from './import-tables.ts';
import { forDialect, type SchemaDialect } from './schema-dialect.ts';
import {
  BEGIN_EPOCH,
  CHANGES_INDEXES,
  createSchema,
  createTables,
  FOOD_VERSION,
  NOTES_INDEX,
  TABLES,
  VIEWER_INDEX,
} from './tables.ts';
import {
  addCreatorsOfKeys,
  addOwnKeys,
  BEGIN_FEEDS,
  BEGIN_VERSIONS_OF_GOALS,
  LAST_MIGRATION_OF_0_1_0,
  LOG_FOODS,
  upgradeFrom010,
} from './upgrade.ts';
import { WEBHOOK_TABLES } from './webhook-tables.ts';

/** The statements that lead from one version of the schema to the next. */
export type Step = (dialect: SchemaDialect) => readonly string[];

/**
 * Step n leads from version n + 1 of the schema to version n + 2; a new database gets the tables of
 * `tables.ts` instead. Append only. A step may only expand the tables, because nodes of the previous version
 * use them meanwhile.
 */
export const STEPS: readonly Step[] = [
  createChangeLog,
  logFoods,
  addFeeds,
  addUnknownAmounts,
  addWebhooks,
  addPeople,
  addHousehold,
  addMeasurements,
  addUseOfKeys,
  addImports,
  addIdentities,
  addOwnKeys,
  addWeekdaysOfGoals,
  addViewerIndex,
  addUserRecords,
  addVersionsOfGoals,
  addOlderSecrets,
  addLifeOfCredentials,
  addResets,
  addPasskeys,
  addSecurityEvents,
  addSlices,
  addVersionsOfFoods,
];

/** The version of the tables that this program uses. */
export const SCHEMA_VERSION = STEPS.length + 1;

/** If a later step changes these tables, define their state at this step here. */
function createChangeLog(dialect: SchemaDialect): readonly string[] {
  const { change_heads, changes } = TABLES;
  const { columns, indexes } = changes!;
  return createTables(dialect, {
    change_heads: change_heads!,
    changes: {
      ...changes!,
      columns: columns.filter((column) => !NEW_IN_FEEDS.includes(column)),
      indexes: indexes!.filter((index) => ![...CHANGES_INDEXES, VIEWER_INDEX].includes(index)),
    },
  });
}

/** Deleted foods remain only in the log. */
function logFoods(dialect: SchemaDialect): readonly string[] {
  return [
    ...LOG_FOODS,
    ...['live_foods_by_revision', 'live_foods_gone'].map((name) => `drop index if exists ${name}`),
    ...(dialect === 'postgres' ? ['drop trigger live_food_changed on live_foods', ...NOTIFY_OF_FOODS] : []),
  ];
}

const NEW_IN_FEEDS = ['forget_after_ms bigint', 'seen_by text', 'chosen_at_ms bigint'];

/** Deletions are forgotten after a time, and feeds include foods that one user sees. */
function addFeeds(dialect: SchemaDialect): readonly string[] {
  return [
    ...NEW_IN_FEEDS.map((column) => forDialect(dialect, `alter table changes add column ${column}`)),
    ...CHANGES_INDEXES.map((index) => `create ${index}`),
    ...createTables(dialect, { feed_epochs: TABLES['feed_epochs']! }),
    BEGIN_EPOCH[dialect],
    ...BEGIN_FEEDS[dialect],
  ];
}

/** Entries with known energy only. */
function addUnknownAmounts(dialect: SchemaDialect): readonly string[] {
  return [forDialect(dialect, 'alter table diary_entries add column unknown_amounts bigint')];
}

function addWebhooks(dialect: SchemaDialect): readonly string[] {
  const { webhooks, webhook_deliveries } = WEBHOOK_TABLES;
  return createTables(dialect, {
    webhooks: {
      ...webhooks,
      columns: webhooks.columns.filter(
        (column) => column !== CREATED_BY && !column.startsWith('older_secrets'),
      ),
      indexes: webhooks.indexes.filter((index) => !index.includes('by_creator')),
    },
    webhook_deliveries,
  });
}

const CREATED_BY = 'created_by text collate "C"';
const PROOFS = ['proved_at_ms bigint', 'identity_id text collate "C"'];
const NEW_IN_SESSIONS = ['device text', ...PROOFS];
const NEW_IN_LINKS = ['id text collate "C"', CREATED_BY];

function addPeople(dialect: SchemaDialect): readonly string[] {
  const { people, sessions, join_links } = TABLES;
  return createTables(dialect, {
    people: {
      ...people!,
      columns: people!.columns.filter((column) => !column.startsWith('reset_') && column !== ASKS_PASSKEY),
    },
    sessions: {
      ...sessions!,
      columns: sessions!.columns.filter((column) => !NEW_IN_SESSIONS.includes(column)),
    },
    join_links: {
      ...join_links!,
      columns: join_links!.columns.filter((column) => !NEW_IN_LINKS.includes(column)),
    },
  });
}

/** Invitations, devices of sessions, and access to diaries. */
function addHousehold(dialect: SchemaDialect): readonly string[] {
  const { sharing, departures } = TABLES;
  return [
    forDialect(dialect, `alter table sessions add column ${NEW_IN_SESSIONS[0]}`),
    forDialect(dialect, `alter table join_links add column ${NEW_IN_LINKS[0]}`),
    ...createTables(dialect, { sharing: sharing!, departures: departures! }),
  ];
}

function addMeasurements(dialect: SchemaDialect): readonly string[] {
  return createTables(dialect, { diary_measurements: TABLES['diary_measurements']! });
}

/** The time at which a key was last used. */
function addUseOfKeys(dialect: SchemaDialect): readonly string[] {
  return [forDialect(dialect, 'alter table api_keys add column used_at bigint')];
}

/** Imports that operators started over HTTP. */
function addImports(dialect: SchemaDialect): readonly string[] {
  const { columns, ...imports } = TABLES['catalogue_imports']!;
  return createTables(dialect, {
    catalogue_imports: { ...imports, columns: columns.filter((column) => column !== SLICE) },
  });
}

function addIdentities(dialect: SchemaDialect): readonly string[] {
  return createTables(dialect, { identities: TABLES['identities']! });
}

/**
 * A column beside the amounts, since nodes of the version before write goals by the key that they know. One column holds all weekdays:
 * they are read and written with the goals, and nothing searches for them.
 */
function addWeekdaysOfGoals(dialect: SchemaDialect): readonly string[] {
  return [forDialect(dialect, 'alter table diary_goals add column weekdays text')];
}

function addViewerIndex(): readonly string[] {
  return [`create ${VIEWER_INDEX}`];
}

/** Records of users that share a table, such as notes on days and settings, and the search for notes. */
function addUserRecords(dialect: SchemaDialect): readonly string[] {
  return [
    ...createTables(dialect, { diary_records: TABLES['diary_records']! }),
    `create ${NOTES_INDEX.replace('index', 'index if not exists')}`,
  ];
}

function addVersionsOfGoals(dialect: SchemaDialect): readonly string[] {
  return [
    ...createTables(dialect, { diary_goal_versions: TABLES['diary_goal_versions']! }),
    BEGIN_VERSIONS_OF_GOALS,
  ];
}

/** Nodes of the version before sign with the current and the previous secret alone. */
function addOlderSecrets(dialect: SchemaDialect): readonly string[] {
  return [forDialect(dialect, 'alter table webhooks add column older_secrets text')];
}

/** Who created credentials, and when people last proved who they are. */
function addLifeOfCredentials(dialect: SchemaDialect): readonly string[] {
  const add = (table: string, column: string) =>
    forDialect(dialect, `alter table ${table} add column ${column}`);
  return [
    ...addCreatorsOfKeys(dialect),
    add('webhooks', CREATED_BY),
    ...WEBHOOK_TABLES.webhooks.indexes
      .filter((index) => index.includes('by_creator'))
      .map((index) => `create ${index}`),
    add('join_links', CREATED_BY),
    ...PROOFS.map((column) => add('sessions', column)),
    add('scans', 'credential text'),
  ];
}

/** Links by which people set a new password. */
function addResets(dialect: SchemaDialect): readonly string[] {
  return TABLES['people']!.columns.filter((column) => column.startsWith('reset_')).map((column) =>
    forDialect(dialect, `alter table people add column ${column}`),
  );
}

const ASKS_PASSKEY = 'asks_passkey integer';

function addPasskeys(dialect: SchemaDialect): readonly string[] {
  const { passkeys, recovery_codes } = TABLES;
  return [
    forDialect(dialect, `alter table people add column ${ASKS_PASSKEY}`),
    ...createTables(dialect, { passkeys: passkeys!, recovery_codes: recovery_codes! }),
  ];
}

function addSecurityEvents(dialect: SchemaDialect): readonly string[] {
  return createTables(dialect, { security_events: TABLES['security_events']! });
}

function addSlices(dialect: SchemaDialect): readonly string[] {
  return [forDialect(dialect, `alter table catalogue_imports add column ${SLICE}`)];
}

/** Versions of foods that exist go on from their revisions, which clients know as versions. */
function addVersionsOfFoods(dialect: SchemaDialect): readonly string[] {
  return [
    forDialect(dialect, `alter table live_foods add column ${FOOD_VERSION}`),
    'update live_foods set version = revision',
  ];
}

/** Facts that a database stores about its tables; none if it is empty. */
export interface FoundSchema {
  readonly version?: number | undefined;
  /** The last migration of version 0.1.0 or an earlier one. */
  readonly lastMigration?: string | undefined;
}

/** One transaction that leads to the tables of a later version. */
export interface MigrationStep {
  readonly name: string;
  /** The version of the tables afterwards. */
  readonly version: number;
  readonly statements: readonly string[];
  /** Whether the database was empty. */
  readonly isFirst: boolean;
}

/** Returns the next step; undefined if the tables are current. Throws an `OperatorError` for tables that this version does not know. */
export function nextStep(
  { version, lastMigration }: FoundSchema,
  dialect: SchemaDialect,
  steps = STEPS,
): MigrationStep | undefined {
  const latest = steps.length + 1;
  if (version === latest) return undefined;
  if (version !== undefined && version > latest) throw newer();
  if (version !== undefined) {
    const step = steps[version - 1]!;
    const statements = [...step(dialect), `update schema_version set version = ${version + 1}`];
    return { name: toWords(step.name), version: version + 1, statements, isFirst: false };
  }
  const isFirst = lastMigration === undefined;
  return {
    name: isFirst ? 'create tables' : 'copy the tables of version 0.1.0',
    version: SCHEMA_VERSION,
    // A database of version 0.1.0 gets the tables of this version at once.
    statements: [
      ...(isFirst ? createSchema(dialect) : upgrade(lastMigration, dialect)),
      'create table schema_version (version integer not null)',
      `insert into schema_version values (${SCHEMA_VERSION})`,
    ],
    isFirst,
  };
}

export interface MigrationLog {
  info(facts: object, message: string): void;
}

/** There is nothing to tell of a new database. */
export function toldStep({ name, version, isFirst }: MigrationStep, ms: number, log?: MigrationLog): void {
  if (!isFirst) log?.info({ step: name, version, ms: Math.round(ms) }, 'the database is upgraded by a step');
}

/** "addFeeds" is "add feeds". */
function toWords(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function upgrade(lastMigration: string, dialect: SchemaDialect): readonly string[] {
  if (lastMigration > LAST_MIGRATION_OF_0_1_0) throw newer();
  if (lastMigration < LAST_MIGRATION_OF_0_1_0)
    throw new OperatorError(
      'It is of a Larder before 0.1.0. Start version 0.1.0 once to upgrade it, then this version.',
    );
  return upgradeFrom010(dialect);
}

function newer(): OperatorError {
  return new OperatorError('A newer Larder has upgraded it; start that version here, too.');
}
