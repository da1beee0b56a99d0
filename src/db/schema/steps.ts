import { OperatorError } from '@larder/core/errors.ts';
import { createSchema, createTables, type SchemaDialect } from './tables.ts';
import { LAST_MIGRATION_OF_0_1_0, upgradeFrom010 } from './upgrade.ts';

/** The statements that lead from one version of the schema to the next. */
export type Step = (dialect: SchemaDialect) => readonly string[];

/** The version of the tables before any step. Lower numbers belong to databases that no release made. */
const FIRST_VERSION = 24;

/**
 * Step n leads to version `FIRST_VERSION` + n of the schema, counted from 1; a new database gets the tables of `tables.ts` instead. Append
 * only. A step may only expand the tables, because nodes of the previous version use them meanwhile.
 */
export const STEPS: readonly Step[] = [
  addChoicesOfImports,
  nameDiariesOfScans,
  addPreviewsOfTables,
  addFurtherNutrients,
  addKindsOfScans,
  rememberPhotos,
];

function addChoicesOfImports(): readonly string[] {
  return ['alter table catalogue_imports add column choices text'];
}

function nameDiariesOfScans(): readonly string[] {
  return ['alter table scans add column diaries text'];
}

function addPreviewsOfTables(): readonly string[] {
  return ['alter table catalogue_imports add column preview text'];
}

function addFurtherNutrients(): readonly string[] {
  return [
    'alter table diary_entries add column further text',
    'alter table diary_goals add column further text',
  ];
}

function addKindsOfScans(): readonly string[] {
  return ['alter table scans add column kind text'];
}

function rememberPhotos(dialect: SchemaDialect): readonly string[] {
  const id = 'text collate "C" not null';
  const columns = [
    'tenant_id text not null',
    'user_id text not null',
    `id ${id}`,
    `food_id ${id}`,
    `date ${id}`,
    'network text not null',
    'vector bytea not null',
  ];
  const key = 'tenant_id, user_id, id';
  const indexes = ['index remembered_photos_by_food on remembered_photos (tenant_id, user_id, food_id, id)'];
  return [
    'alter table scans add column photo_vector text',
    ...createTables(dialect, { remembered_photos: { columns, key, indexes } }),
  ];
}

/** The version of the tables after these steps. */
export function versionAfter(steps: readonly Step[]): number {
  return FIRST_VERSION + steps.length;
}

/** The version of the tables that this program uses. */
export const SCHEMA_VERSION = versionAfter(STEPS);

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
  const latest = versionAfter(steps);
  if (version === latest) return undefined;
  if (version !== undefined && version > latest) throw newer();
  if (version !== undefined) {
    const step = steps[version - FIRST_VERSION];
    if (step === undefined)
      throw new OperatorError('It is of a Larder that was never released, whose tables nothing upgrades.');
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

/** A new database needs no steps, so nothing is logged. */
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
